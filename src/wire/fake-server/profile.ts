/** Which server the fake one takes itself for: version, capabilities, default authentication. */
import { CAPABILITY, CHARSET, MARIADB_CAPABILITY } from '../constants.ts';

export interface ServerProfile {
  /** As greeted, MariaDB's `5.5.5-` prefix included. */
  readonly version: string;
  readonly capabilities: number;
  /** MARIADB_CLIENT_*, greeted only where the LONG_PASSWORD bit is clear. */
  readonly mariadbCapabilities: number;
  /** The authentication plugin that the greeting names. */
  readonly defaultPlugin: string;
  readonly charset: number;
}

/** What the fake server can do and no more: what is offered, a client may use. SSL comes with a certificate. */
const CAPABILITIES =
  CAPABILITY.LONG_PASSWORD |
  CAPABILITY.FOUND_ROWS |
  CAPABILITY.LONG_FLAG |
  CAPABILITY.CONNECT_WITH_DB |
  CAPABILITY.LOCAL_FILES |
  CAPABILITY.IGNORE_SPACE |
  CAPABILITY.PROTOCOL_41 |
  CAPABILITY.INTERACTIVE |
  CAPABILITY.IGNORE_SIGPIPE |
  CAPABILITY.TRANSACTIONS |
  CAPABILITY.RESERVED |
  CAPABILITY.SECURE_CONNECTION |
  CAPABILITY.MULTI_STATEMENTS |
  CAPABILITY.MULTI_RESULTS |
  CAPABILITY.PS_MULTI_RESULTS |
  CAPABILITY.PLUGIN_AUTH |
  CAPABILITY.CONNECT_ATTRS |
  CAPABILITY.PLUGIN_AUTH_LENENC_CLIENT_DATA |
  CAPABILITY.CAN_HANDLE_EXPIRED_PASSWORDS |
  CAPABILITY.SESSION_TRACK |
  CAPABILITY.DEPRECATE_EOF;

export const MYSQL_80: ServerProfile = {
  version: '8.0.36',
  capabilities: CAPABILITIES,
  mariadbCapabilities: 0,
  defaultPlugin: 'caching_sha2_password',
  charset: CHARSET.UTF8MB4_0900_AI_CI,
};

export const MYSQL_57: ServerProfile = {
  version: '5.7.44-log',
  capabilities: CAPABILITIES,
  mariadbCapabilities: 0,
  defaultPlugin: 'mysql_native_password',
  charset: CHARSET.LATIN1,
};

export const MARIADB_1011: ServerProfile = {
  version: '5.5.5-10.11.6-MariaDB',
  capabilities: CAPABILITIES & ~CAPABILITY.LONG_PASSWORD,
  mariadbCapabilities: MARIADB_CAPABILITY.CACHE_METADATA,
  defaultPlugin: 'mysql_native_password',
  charset: CHARSET.UTF8MB4_GENERAL_CI,
};

/** The profile without some of its capabilities. */
export function withoutCapabilities(profile: ServerProfile, capabilities: number): ServerProfile {
  return { ...profile, capabilities: profile.capabilities & ~capabilities };
}
