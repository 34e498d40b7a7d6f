/** The server's first packet, and our answer to it (MySQL internals, "Connection Phase"; MariaDB, "Connection"). */
import { PacketReader } from '../bytes/reader.ts';
import { PacketWriter } from '../bytes/writer.ts';
import { CAPABILITY, CHARSET, MARIADB_CAPABILITY, NONCE_LENGTH, REPLY } from '../constants.ts';
import { WireError } from '../errors.ts';
import { readError } from '../packets.ts';
import type { ConnectOptions, ServerFlavor } from '../types.ts';

const PROTOCOL_VERSION = 10;
const NONCE_PART1_LENGTH = 8;
const FILLER_LENGTH = 6;
const RESPONSE_FILLER_LENGTH = 19;

/** MariaDB greets so since 10.0, because old replicas took "10" for less than "5". */
const MARIADB_VERSION_PREFIX = '5.5.5-';

/** The largest packet that we are ready to take: 1 GiB, what servers allow at most. */
const PACKET_BYTES_MAX = 0x4000_0000;

/** Before the greeting nothing says whose error it is; those in question have one number in both families. */
const FLAVOR_UNKNOWN: ServerFlavor = 'mysql';

export interface Greeting {
  readonly flavor: ServerFlavor;
  readonly version: string;
  readonly connectionId: number;
  readonly capabilities: number;
  readonly mariadbCapabilities: number;
  readonly nonce: Buffer;
  /** The plugin that the server assumes, before it knows who comes. */
  readonly plugin: string;
}

/** "Protocol::HandshakeV10". An ERR packet in its place is thrown as the `ServerError` that it is. */
export function readGreeting(payload: Buffer): Greeting {
  const reader = new PacketReader(payload);
  if (reader.peek() === REPLY.ERR) throw readError(reader, FLAVOR_UNKNOWN);
  const protocol = reader.u8();
  if (protocol !== PROTOCOL_VERSION) {
    throw new WireError('protocol', `This is no MySQL server, or a very old one: its protocol number is ${protocol}.`);
  }
  const greetedVersion = reader.nulTerminatedText();
  const connectionId = reader.u32();
  const noncePart1 = reader.bytes(NONCE_PART1_LENGTH);
  reader.skip(1);
  const capabilitiesLow = reader.u16();
  reader.skip(1); // Character set: we say ours.
  reader.skip(2); // Status.
  const capabilities = (capabilitiesLow | (reader.u16() << 16)) >>> 0;
  const nonceLength = reader.u8();
  reader.skip(FILLER_LENGTH);
  const mariadbCapabilities = reader.u32();
  // The second part has at least 13 bytes, the last of which is zero.
  const noncePart2 = reader.bytes(Math.min(Math.max(13, nonceLength - NONCE_PART1_LENGTH), reader.remaining));
  const plugin = reader.remaining === 0 ? '' : pluginName(reader);
  const hasFurtherCapabilities = (capabilities & CAPABILITY.LONG_PASSWORD) === 0 && mariadbCapabilities !== 0;
  return {
    flavor: hasFurtherCapabilities || /mariadb/i.test(greetedVersion) ? 'mariadb' : 'mysql',
    version: greetedVersion.startsWith(MARIADB_VERSION_PREFIX)
      ? greetedVersion.slice(MARIADB_VERSION_PREFIX.length)
      : greetedVersion,
    connectionId,
    capabilities,
    mariadbCapabilities: hasFurtherCapabilities ? mariadbCapabilities : 0,
    nonce: Buffer.concat([noncePart1, noncePart2]).subarray(0, NONCE_LENGTH),
    plugin,
  };
}

/** Some old servers leave out the closing zero (MySQL bug 59453). */
function pluginName(reader: PacketReader): string {
  const rest = reader.rest();
  const zero = rest.indexOf(0);
  return rest.toString('latin1', 0, zero < 0 ? rest.length : zero);
}

/** What both sides can do and we want. */
export interface Agreement {
  readonly capabilities: number;
  readonly mariadbCapabilities: number;
}

const WANTED =
  CAPABILITY.LONG_PASSWORD |
  CAPABILITY.LONG_FLAG |
  CAPABILITY.LOCAL_FILES |
  CAPABILITY.PROTOCOL_41 |
  CAPABILITY.TRANSACTIONS |
  CAPABILITY.SECURE_CONNECTION |
  CAPABILITY.MULTI_RESULTS |
  CAPABILITY.PS_MULTI_RESULTS |
  CAPABILITY.PLUGIN_AUTH |
  CAPABILITY.CONNECT_ATTRS |
  CAPABILITY.PLUGIN_AUTH_LENENC_CLIENT_DATA |
  CAPABILITY.DEPRECATE_EOF;

const NEEDED = CAPABILITY.PROTOCOL_41 | CAPABILITY.SECURE_CONNECTION;

export function agree(greeting: Greeting, options: ConnectOptions, useTls: boolean): Agreement {
  if ((greeting.capabilities & NEEDED) !== NEEDED) {
    throw new WireError('protocol', 'The server is too old: it lacks the protocol of MySQL 4.1.');
  }
  let wanted = WANTED;
  if (useTls) wanted |= CAPABILITY.SSL;
  if (options.database) wanted |= CAPABILITY.CONNECT_WITH_DB;
  if (options.foundRows === true) wanted |= CAPABILITY.FOUND_ROWS;
  if (options.multiStatements === true) wanted |= CAPABILITY.MULTI_STATEMENTS;
  return {
    // Where LONG_PASSWORD is not offered it stays clear, which announces MariaDB's further capabilities.
    capabilities: (wanted & greeting.capabilities) >>> 0,
    mariadbCapabilities: greeting.mariadbCapabilities & MARIADB_CAPABILITY.CACHE_METADATA,
  };
}

/** "Protocol::SSLRequest": the response's first 32 bytes, sent before TLS begins. */
export function sslRequest(agreement: Agreement): Buffer {
  return responseHead(agreement).payload();
}

export interface ResponseParts {
  readonly user: string;
  readonly answer: Uint8Array;
  readonly plugin: string;
  readonly database: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

/** "Protocol::HandshakeResponse41". */
export function handshakeResponse(agreement: Agreement, parts: ResponseParts): Buffer {
  const { capabilities } = agreement;
  const writer = responseHead(agreement).nulTerminatedText(parts.user);
  if ((capabilities & CAPABILITY.PLUGIN_AUTH_LENENC_CLIENT_DATA) !== 0) {
    writer.lenencBytes(parts.answer);
  } else {
    writer.u8(parts.answer.length).bytes(parts.answer);
  }
  if ((capabilities & CAPABILITY.CONNECT_WITH_DB) !== 0) writer.nulTerminatedText(parts.database ?? '');
  if ((capabilities & CAPABILITY.PLUGIN_AUTH) !== 0) writer.nulTerminatedText(parts.plugin);
  if ((capabilities & CAPABILITY.CONNECT_ATTRS) !== 0) writer.lenencBytes(attributesOf(parts.attributes));
  return writer.payload();
}

function responseHead(agreement: Agreement): PacketWriter {
  return new PacketWriter()
    .u32(agreement.capabilities)
    .u32(PACKET_BYTES_MAX)
    .u8(CHARSET.UTF8MB4_GENERAL_CI)
    .zeros(RESPONSE_FILLER_LENGTH)
    .u32(agreement.mariadbCapabilities);
}

function attributesOf(attributes: Readonly<Record<string, string>>): Buffer {
  const writer = new PacketWriter();
  for (const [name, value] of Object.entries(attributes)) writer.lenencText(name).lenencText(value);
  return writer.payload();
}

export interface AuthSwitch {
  readonly plugin: string;
  /** With the closing zero that some plugins send. */
  readonly nonce: Buffer;
}

/** "Protocol::AuthSwitchRequest", or the one byte of servers that ask for the password hash of MySQL 4.0. */
export function readAuthSwitch(payload: Buffer): AuthSwitch {
  const reader = new PacketReader(payload);
  reader.skip(1);
  if (reader.remaining === 0) return { plugin: 'mysql_old_password', nonce: Buffer.alloc(0) };
  return { plugin: reader.nulTerminatedText(), nonce: reader.rest() };
}
