/** What ssl-mode means in terms of node:tls, and what its failures mean to a person. */
import { isIP } from 'node:net';
import { type ConnectionOptions, createSecureContext, type SecureContextOptions } from 'node:tls';
import { WireError } from '../errors.ts';
import type { ConnectOptions } from '../types.ts';

/** The name that a certificate is checked against where only a Unix socket's path is given. */
const LOCAL_NAME = 'localhost';

export function tlsOptions(options: ConnectOptions): ConnectionOptions {
  const host = options.socketPath === undefined ? (options.host ?? LOCAL_NAME) : LOCAL_NAME;
  const verifiesChain = options.sslMode === 'VERIFY_CA' || options.sslMode === 'VERIFY_IDENTITY';
  const settings: ConnectionOptions = { rejectUnauthorized: verifiesChain, secureContext: contextOf(options), host };
  // A server name is for certificates only, and may not be an address (RFC 6066).
  if (isIP(host) === 0) settings.servername = host;
  if (options.sslMode !== 'VERIFY_IDENTITY') settings.checkServerIdentity = () => undefined;
  return settings;
}

/** Fails early, before anything is sent, where a certificate or key is not PEM. */
function contextOf(options: ConnectOptions): ReturnType<typeof createSecureContext> {
  const parts: SecureContextOptions = {
    ...(options.sslCa !== undefined && { ca: options.sslCa }),
    ...(options.sslCert !== undefined && { cert: options.sslCert }),
    ...(options.sslKey !== undefined && { key: options.sslKey }),
    ...(options.tlsVersionMin !== undefined && { minVersion: options.tlsVersionMin }),
  };
  try {
    return createSecureContext(parts);
  } catch (cause) {
    throw new WireError('tls', `The CA, certificate or key given cannot be used: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

const UNKNOWN_CA = 'Give the CA that signed it (ssl-ca), or use ssl-mode REQUIRED to go on without checking it';

const REMEDIES: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  CERT_SIGNATURE_FAILURE: UNKNOWN_CA,
  CERT_HAS_EXPIRED: 'Renew the certificate on the server',
  CERT_NOT_YET_VALID: 'Check the clocks of both machines',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Connect by a name that the certificate has, or use ssl-mode VERIFY_CA',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'Allow a lower TLS version, or a higher one on the server',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'Allow a lower TLS version, or a higher one on the server',
};

export function tlsFailure(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const remedy = REMEDIES[code];
  const text = `TLS with the server could not be set up: ${message.trim()}.${remedy === undefined ? '' : ` ${remedy}.`}`;
  return new WireError('tls', text, { cause: error });
}
