/** Packets that several parts of the client read: ERR and column definitions. */
import type { PacketReader } from './bytes/reader.ts';
import { symbolOf } from './error-symbols.ts';
import { ServerError } from './errors.ts';
import type { Column, ServerFlavor } from './types.ts';

const SQLSTATE_MARKER = 0x23; // '#'
const SQLSTATE_LENGTH = 5;

/** Of errors that the server sends before it knows that we understand SQLSTATE, such as "too many connections". */
const SQLSTATE_GENERAL = 'HY000';

/** "ERR_Packet". Before the handshake there is no SQLSTATE in it. */
export function readError(reader: PacketReader, flavor: ServerFlavor): ServerError {
  reader.skip(1);
  const code = reader.u16();
  let sqlState = SQLSTATE_GENERAL;
  if (reader.remaining > SQLSTATE_LENGTH && reader.peek() === SQLSTATE_MARKER) {
    reader.skip(1);
    sqlState = reader.bytes(SQLSTATE_LENGTH).toString('latin1');
  }
  return new ServerError({ code, sqlState, symbol: symbolOf(code, flavor), message: reader.restText() });
}

/** For sentences about why a connection ended: `Connection was killed (1927, ER_CONNECTION_KILLED)`. */
export function errorText(error: ServerError): string {
  return `${error.message} (${error.code}, ${error.symbol})`;
}

/** "Protocol::ColumnDefinition41". */
export function readColumn(reader: PacketReader): Column {
  reader.lenencBytes(); // The catalog is always "def".
  const schema = reader.lenencText();
  const table = reader.lenencText();
  reader.lenencBytes(); // The table's own name, where `table` is an alias.
  const name = reader.lenencText();
  reader.lenencBytes(); // The column's own name, where `name` is an alias.
  reader.lenencInteger(); // The length of what follows: always 12.
  const charset = reader.u16();
  const length = reader.u32();
  const type = reader.u8();
  const flags = reader.u16();
  const decimals = reader.u8();
  return { name, table, schema, type, flags, charset, length, decimals };
}
