/** INSERTs of many rows: how many go into one, and whether it can be prepared. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection, Statement } from '../../wire/types.ts';
import { readNumber } from '../sql.ts';

/** Beyond it nothing is gained; and the server takes 65,535 parameters in one statement. */
const BATCH_ROWS_MAX = 1_000;
/** The packet's own bytes, the head of the statement, and whatever a proxy adds. */
const PACKET_SPARE_BYTES = 1_024;
/** Statements cannot be prepared here, or not now: ER_UNKNOWN_COM_ERROR, ER_UNSUPPORTED_PS, max_prepared_stmt_count. */
const NOT_PREPARED_CODES: readonly number[] = [1047, 1295, 1461];

/** As many as max_allowed_packet admits, where a row takes up to `rowBytesMax`. */
export async function batchRowsFor(connection: Connection, rowBytesMax: number): Promise<number> {
  const packetBytes = await readNumber(connection, 'SELECT @@SESSION.max_allowed_packet');
  const rows = Math.floor((packetBytes - PACKET_SPARE_BYTES) / rowBytesMax);
  if (rows >= 1) return Math.min(BATCH_ROWS_MAX, rows);
  throw new UserError(`max_allowed_packet is ${packetBytes}: too little to load tables.`, {
    hint: 'SET GLOBAL max_allowed_packet = 16777216;',
    exitCode: ExitCode.targetUnavailable,
  });
}

/** `head`: all before the rows. Undefined where the server prepares nothing: the rows then go as text. */
export async function prepareInsert(
  connection: Connection,
  head: string,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Promise<Statement | undefined> {
  const row = `(${Array(columns).fill('?').join(',')})`;
  try {
    return await connection.prepare(head + Array(rows).fill(row).join(','));
  } catch (error) {
    if (error instanceof ServerError && NOT_PREPARED_CODES.includes(error.code)) return undefined;
    throw error;
  }
}
