/** What clients send: the handshake response and the parameters of COM_STMT_EXECUTE. */
import { PacketReader } from '../bytes/reader.ts';
import { CAPABILITY, COLUMN_TYPE, PARAMETER_UNSIGNED } from '../constants.ts';
import type { SqlValue } from '../types.ts';

/** An SSLRequest is a handshake response that ends before the user's name (page "Protocol::SSLRequest"). */
export const SSL_REQUEST_LENGTH = 32;

export interface HandshakeResponse {
  readonly capabilities: number;
  readonly mariadbCapabilities: number;
  readonly charset: number;
  readonly user: string;
  readonly authentication: Uint8Array;
  readonly database: string;
  /** Empty where the client does not name one. */
  readonly plugin: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export function isSslRequest(payload: Uint8Array): boolean {
  return payload.length === SSL_REQUEST_LENGTH && (new PacketReader(payload).u32() & CAPABILITY.SSL) !== 0;
}

/** "Protocol::HandshakeResponse41", with MariaDB's further capabilities in the last of the filler. */
export function readHandshakeResponse(payload: Uint8Array): HandshakeResponse {
  const reader = new PacketReader(payload);
  const capabilities = reader.u32();
  reader.skip(4);
  const charset = reader.u8();
  reader.skip(19);
  const mariadbCapabilities = reader.u32();
  const user = reader.nulTerminatedText();
  const authentication = readAuthentication(reader, capabilities);
  const database = capabilities & CAPABILITY.CONNECT_WITH_DB ? reader.nulTerminatedText() : '';
  const plugin = capabilities & CAPABILITY.PLUGIN_AUTH ? reader.nulTerminatedText() : '';
  const attributes = capabilities & CAPABILITY.CONNECT_ATTRS ? readAttributes(reader.lenencBytes()) : {};
  return { capabilities, mariadbCapabilities, charset, user, authentication, database, plugin, attributes };
}

function readAuthentication(reader: PacketReader, capabilities: number): Uint8Array {
  if (capabilities & CAPABILITY.PLUGIN_AUTH_LENENC_CLIENT_DATA) return reader.lenencBytes();
  if (capabilities & CAPABILITY.SECURE_CONNECTION) return reader.bytes(reader.u8());
  return reader.nulTerminated();
}

function readAttributes(bytes: Uint8Array): Record<string, string> {
  const reader = new PacketReader(bytes);
  const attributes: Record<string, string> = {};
  while (reader.remaining > 0) {
    const name = reader.lenencText();
    attributes[name] = reader.lenencText();
  }
  return attributes;
}

export interface ParameterType {
  readonly type: number;
  readonly isUnsigned: boolean;
}

export interface Execution {
  readonly values: readonly SqlValue[];
  /** To be kept: a client may leave them out of the next execution. */
  readonly types: readonly ParameterType[];
}

/** The part of COM_STMT_EXECUTE that follows the iteration count. */
export function readParameters(reader: PacketReader, count: number, typesBefore: readonly ParameterType[]): Execution {
  if (count === 0) return { values: [], types: [] };
  const bitmap = reader.bytes((count + 7) >> 3);
  const types = reader.u8() === 1 ? readTypes(reader, count) : typesBefore;
  const values = Array.from({ length: count }, (_, index) => {
    if ((bitmap[index >> 3] ?? 0) & (1 << (index & 7))) return null;
    return readParameter(reader, types[index] ?? { type: COLUMN_TYPE.NULL, isUnsigned: false });
  });
  return { values, types };
}

function readTypes(reader: PacketReader, count: number): ParameterType[] {
  return Array.from({ length: count }, () => {
    const type = reader.u8();
    return { type, isUnsigned: (reader.u8() & PARAMETER_UNSIGNED) !== 0 };
  });
}

function readParameter(reader: PacketReader, { type, isUnsigned }: ParameterType): SqlValue {
  switch (type) {
    case COLUMN_TYPE.NULL:
      return null;
    case COLUMN_TYPE.TINY:
      return readInteger(reader, 1, isUnsigned);
    case COLUMN_TYPE.SHORT:
    case COLUMN_TYPE.YEAR:
      return readInteger(reader, 2, isUnsigned);
    case COLUMN_TYPE.LONG:
    case COLUMN_TYPE.INT24:
      return readInteger(reader, 4, isUnsigned);
    case COLUMN_TYPE.LONGLONG:
      return readInteger(reader, 8, isUnsigned);
    case COLUMN_TYPE.FLOAT:
      return reader.bytes(4).readFloatLE();
    case COLUMN_TYPE.DOUBLE:
      return reader.bytes(8).readDoubleLE();
    case COLUMN_TYPE.TINY_BLOB:
    case COLUMN_TYPE.MEDIUM_BLOB:
    case COLUMN_TYPE.LONG_BLOB:
    case COLUMN_TYPE.BLOB:
      return Uint8Array.from(reader.lenencBytes());
    default:
      return reader.lenencText();
  }
}

function readInteger(reader: PacketReader, length: number, isUnsigned: boolean): number | bigint {
  const bytes = Buffer.concat([reader.bytes(length), Buffer.alloc(8 - length)]);
  const raw = bytes.readBigUInt64LE();
  const value = isUnsigned ? raw : BigInt.asIntN(length * 8, raw);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
