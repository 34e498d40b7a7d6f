/** The packets of a server, by the pages of the manual that describe them; payloads only, headers come last. */
import { framePayload, packetCount, sequenceAfter } from '../bytes/frame.ts';
import { PacketWriter } from '../bytes/writer.ts';
import { CAPABILITY, CHARSET, COLUMN_TYPE, REPLY, SERVER_STATUS } from '../constants.ts';
import { writeBinaryValue, writeTextValue } from './encode-value.ts';
import type { ServerProfile } from './profile.ts';
import type { ErrorReply, OkReply, ReplyColumn, RowsReply } from './reply.ts';

const SQL_STATE_LENGTH = 5;
/** The bits of a binary row's NULL bitmap begin at the third (page "NULL-Bitmap"). */
const ROW_BITMAP_OFFSET = 2;
/** What a server says for a column of text that is not limited otherwise. */
const COLUMN_LENGTH_DEFAULT = 1024;

const TEXT_TYPES: ReadonlySet<number> = new Set([
  COLUMN_TYPE.VARCHAR,
  COLUMN_TYPE.VAR_STRING,
  COLUMN_TYPE.STRING,
  COLUMN_TYPE.ENUM,
  COLUMN_TYPE.SET,
]);

/** What was agreed with this client, and how the session stands. */
export interface ReplyForm {
  readonly capabilities: number;
  /** Rows of a prepared statement. */
  readonly isBinary: boolean;
  /** MARIADB_CLIENT_CACHE_METADATA was agreed on: the column count is followed by a byte. */
  readonly cachesMetadata: boolean;
  /** False where the client has the columns from the prepare, and may be spared them. */
  readonly sendsColumns: boolean;
  readonly status: number;
}

export interface Greeting {
  readonly profile: ServerProfile;
  readonly connectionId: number;
  readonly nonce: Uint8Array;
}

/** "Protocol::HandshakeV10". */
export function greetingPayload({ profile, connectionId, nonce }: Greeting): Buffer {
  const { capabilities } = profile;
  const hasPlugin = (capabilities & CAPABILITY.PLUGIN_AUTH) !== 0;
  const isMariadb = (capabilities & CAPABILITY.LONG_PASSWORD) === 0;
  const writer = new PacketWriter()
    .u8(10)
    .nulTerminatedText(profile.version)
    .u32(connectionId)
    .bytes(nonce.subarray(0, 8))
    .u8(0)
    .u16(capabilities & 0xffff)
    .u8(profile.charset & 0xff)
    .u16(SERVER_STATUS.AUTOCOMMIT)
    .u16(capabilities >>> 16)
    .u8(hasPlugin ? nonce.length + 1 : 0)
    .zeros(6)
    .u32(isMariadb ? profile.mariadbCapabilities : 0)
    .bytes(nonce.subarray(8))
    .u8(0);
  if (hasPlugin) writer.nulTerminatedText(profile.defaultPlugin);
  return writer.payload();
}

/** "Protocol::AuthSwitchRequest"; the nonce of most plugins is followed by a zero byte. */
export function authSwitchPayload(plugin: string, data: Uint8Array): Buffer {
  return new PacketWriter().u8(REPLY.EOF).nulTerminatedText(plugin).bytes(data).payload();
}

/** "Protocol::AuthMoreData". */
export function authMoreDataPayload(data: Uint8Array): Buffer {
  return new PacketWriter().u8(REPLY.AUTH_MORE_DATA).bytes(data).payload();
}

/** "OK_Packet", with its own header or, as the end of rows, with that of EOF. */
export function okPayload(reply: OkReply, form: ReplyForm, header: number = REPLY.OK): Buffer {
  const writer = new PacketWriter()
    .u8(header)
    .lenencInteger(reply.affectedRows ?? 0)
    .lenencInteger(reply.lastInsertId ?? 0)
    .u16(form.status | (reply.status ?? 0))
    .u16(reply.warningCount ?? 0);
  const { info } = reply;
  if (info === undefined) return writer.payload();
  if (form.capabilities & CAPABILITY.SESSION_TRACK) return writer.lenencText(info).payload();
  return writer.text(info).payload();
}

/** "ERR_Packet". Before the capabilities are known, and in protocol 4.0, it has no SQLSTATE. */
export function errorPayload(reply: ErrorReply, capabilities: number): Buffer {
  const writer = new PacketWriter().u8(REPLY.ERR).u16(reply.code);
  if (capabilities & CAPABILITY.PROTOCOL_41) writer.text(`#${reply.sqlState.padEnd(SQL_STATE_LENGTH, '0')}`);
  return writer.text(reply.message).payload();
}

/** "EOF_Packet". */
export function eofPayload(status: number, warningCount: number): Buffer {
  return new PacketWriter().u8(REPLY.EOF).u16(warningCount).u16(status).payload();
}

/** "COM_QUERY Response: LOCAL INFILE Request". */
export function localInfilePayload(fileName: string): Buffer {
  return new PacketWriter().u8(REPLY.LOCAL_INFILE).text(fileName).payload();
}

/** "Protocol::ColumnDefinition41". */
export function columnPayload(column: ReplyColumn): Buffer {
  const table = column.table ?? '';
  return new PacketWriter()
    .lenencText('def')
    .lenencText(column.schema ?? '')
    .lenencText(table)
    .lenencText(table)
    .lenencText(column.name)
    .lenencText(column.name)
    .lenencInteger(0x0c)
    .u16(column.charset ?? (TEXT_TYPES.has(column.type) ? CHARSET.UTF8MB4_GENERAL_CI : CHARSET.BINARY))
    .u32(column.length ?? COLUMN_LENGTH_DEFAULT)
    .u8(column.type)
    .u16(column.flags ?? 0)
    .u8(column.decimals ?? 0)
    .zeros(2)
    .payload();
}

/** "ProtocolText::Resultset" and "ProtocolBinary::Resultset", from the column count to the end of the rows. */
export function rowsPayloads(reply: RowsReply, form: ReplyForm): Buffer[] {
  const count = new PacketWriter().lenencInteger(reply.columns.length);
  if (form.cachesMetadata) count.u8(form.sendsColumns ? 1 : 0);
  const payloads = [count.payload()];
  if (form.sendsColumns) payloads.push(...reply.columns.map(columnPayload));
  if (!(form.capabilities & CAPABILITY.DEPRECATE_EOF)) payloads.push(eofPayload(form.status, 0));
  for (const row of reply.rows) {
    payloads.push(form.isBinary ? binaryRowPayload(reply.columns, row) : textRowPayload(row));
  }
  payloads.push(endOfRowsPayload(reply, form));
  return payloads;
}

/** "COM_STMT_PREPARE Response". */
export function preparePayloads(
  statement: { readonly id: number; readonly parameterCount: number; readonly columns: readonly ReplyColumn[] },
  form: ReplyForm,
): Buffer[] {
  const { id, parameterCount, columns } = statement;
  const head = new PacketWriter().u8(REPLY.OK).u32(id).u16(columns.length).u16(parameterCount).u8(0).u16(0);
  const parameter = columnPayload({ name: '?', type: COLUMN_TYPE.VAR_STRING, charset: CHARSET.BINARY });
  const endOfList = form.capabilities & CAPABILITY.DEPRECATE_EOF ? [] : [eofPayload(form.status, 0)];
  const payloads = [head.payload()];
  if (parameterCount > 0) payloads.push(...Array<Buffer>(parameterCount).fill(parameter), ...endOfList);
  if (columns.length > 0) payloads.push(...columns.map(columnPayload), ...endOfList);
  return payloads;
}

/** Payloads one after another, with headers. */
export function framePayloads(payloads: readonly Uint8Array[], sequence: number): Buffer {
  let next = sequence;
  const framed = payloads.map((payload) => {
    const packet = framePayload(payload, next);
    next = sequenceAfter(next, packetCount(payload.length));
    return packet;
  });
  return framed.length === 1 && framed[0] !== undefined ? framed[0] : Buffer.concat(framed);
}

export function textRowPayload(row: RowsReply['rows'][number]): Buffer {
  const writer = new PacketWriter();
  for (const value of row) writeTextValue(writer, value);
  return writer.payload();
}

export function binaryRowPayload(columns: readonly ReplyColumn[], row: RowsReply['rows'][number]): Buffer {
  const bitmap = Buffer.alloc((columns.length + 7 + ROW_BITMAP_OFFSET) >> 3);
  const values = new PacketWriter();
  for (const [index, value] of row.entries()) {
    const bit = index + ROW_BITMAP_OFFSET;
    if (value === null) bitmap[bit >> 3] = (bitmap[bit >> 3] ?? 0) | (1 << (bit & 7));
    else writeBinaryValue(values, columns[index]?.type ?? COLUMN_TYPE.VAR_STRING, value);
  }
  return new PacketWriter().u8(0).bytes(bitmap).bytes(values.payload()).payload();
}

function endOfRowsPayload(reply: RowsReply, form: ReplyForm): Buffer {
  if (reply.failsWith !== undefined) return errorPayload(reply.failsWith, form.capabilities);
  const warningCount = reply.warningCount ?? 0;
  const status = form.status | (reply.status ?? 0);
  if (!(form.capabilities & CAPABILITY.DEPRECATE_EOF)) return eofPayload(status, warningCount);
  return okPayload({ is: 'ok', warningCount }, { ...form, status }, REPLY.EOF);
}
