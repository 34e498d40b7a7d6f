/** Sends one chunk of rows, whole or not at all: by LOAD DATA LOCAL where the server allows it, else by INSERTs. */
import { Readable } from 'node:stream';
import { ExitCode, UserError } from '../../base/errors.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { isOn, readNumber, readVariables } from '../sql.ts';
import { ROW_BYTES_MAX, type RowSource, rowWriter } from './rows.ts';

export interface IdRange {
  readonly from: number;
  readonly to: number;
}

export type LoadMethod =
  /** The server parses no SQL: a quarter to a half less of its time for each row. */
  { readonly is: 'infile' } | { readonly is: 'insert'; readonly statementBytes: number };

/** sysbench's size. Longer statements gained nothing in measurements, and some servers allow no more than 1 MiB. */
const INSERT_BYTES = 524_288;
/** Small enough that the server works on one piece while the next is made. */
const INFILE_PIECE_BYTES = 65_536;
/** The packet's own bytes and whatever a proxy adds. */
const PACKET_SPARE_BYTES = 1_024;
/** Room for a piece of LOAD DATA. */
const PACKET_BYTES_MIN = INFILE_PIECE_BYTES + PACKET_SPARE_BYTES;

/** How the server says that LOAD DATA LOCAL is not for us: MySQL 5.7 and MariaDB, MySQL 8, MariaDB 10.11 and later. */
const INFILE_REFUSED_CODES: readonly number[] = [1148, 3948, 4166];

export async function chooseLoadMethod(connection: Connection): Promise<LoadMethod> {
  const variables = await readVariables(connection, ['local_infile']);
  const packetBytes = await packetBytesMax(connection);
  if (packetBytes < PACKET_BYTES_MIN) {
    throw new UserError(`max_allowed_packet is ${packetBytes}: too little to load tables.`, {
      hint: 'SET GLOBAL max_allowed_packet = 16777216;',
    });
  }
  return isOn(variables.get('local_infile')) ? { is: 'infile' } : insertMethod(connection);
}

async function insertMethod(connection: Connection): Promise<LoadMethod> {
  const packetBytes = await packetBytesMax(connection);
  return { is: 'insert', statementBytes: Math.min(INSERT_BYTES, packetBytes - PACKET_SPARE_BYTES) };
}

function packetBytesMax(connection: Connection): Promise<number> {
  return readNumber(connection, 'SELECT @@SESSION.max_allowed_packet');
}

/** Returns the method for the next chunk: the server may refuse LOAD DATA although its settings allow it. */
export async function loadChunk(
  connection: Connection,
  table: string,
  source: RowSource,
  load: { readonly ids: IdRange; readonly method: LoadMethod },
): Promise<LoadMethod> {
  const { ids, method } = load;
  if (method.is === 'insert') {
    await insertRows(connection, table, source, { ids, statementBytes: method.statementBytes });
    return method;
  }
  try {
    await loadInfile(connection, table, source, ids);
    return method;
  } catch (error) {
    if (!(error instanceof ServerError && INFILE_REFUSED_CODES.includes(error.code))) throw error;
    return loadChunk(connection, table, source, { ids, method: await insertMethod(connection) });
  }
}

async function loadInfile(connection: Connection, table: string, source: RowSource, ids: IdRange): Promise<void> {
  const sql = `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${table} CHARACTER SET latin1 (id, k, c, pad)`;
  const outcome = await connection.execute(sql, { infile: Readable.from(linePieces(source, ids)) });
  // LOCAL turns errors into warnings and skips rows, so what did not go in must be noticed here.
  const rows = ids.to - ids.from + 1;
  if (outcome.affectedRows !== rows) {
    throw new UserError(`${table}: the server took ${outcome.affectedRows} of the rows ${ids.from} to ${ids.to}.`, {
      hint: 'Is another program writing to this table? When it has ended, the same command goes on from here.',
      exitCode: ExitCode.runFailed,
    });
  }
}

function* linePieces(source: RowSource, ids: IdRange): Generator<Buffer> {
  const writer = rowWriter(source, 'lines');
  let id = ids.from;
  while (id <= ids.to) {
    const piece = Buffer.allocUnsafe(INFILE_PIECE_BYTES);
    let end = 0;
    while (id <= ids.to && end + ROW_BYTES_MAX <= INFILE_PIECE_BYTES) end = writer.write(piece, end, id++);
    yield piece.subarray(0, end);
  }
}

async function insertRows(
  connection: Connection,
  table: string,
  source: RowSource,
  insert: { readonly ids: IdRange; readonly statementBytes: number },
): Promise<void> {
  const { ids, statementBytes } = insert;
  const writer = rowWriter(source, 'values');
  await connection.execute('BEGIN');
  let id = ids.from;
  let sent: Promise<unknown> = Promise.resolve();
  while (id <= ids.to) {
    // One statement is made while the server works on the one before.
    const statement = Buffer.allocUnsafe(statementBytes);
    let end = statement.write(`INSERT INTO ${table} (id, k, c, pad) VALUES `, 'latin1');
    while (id <= ids.to && end + ROW_BYTES_MAX <= statementBytes) end = writer.write(statement, end, id++);
    await sent;
    sent = connection.execute(statement.subarray(0, end - 1));
  }
  await sent;
  await connection.execute('COMMIT');
}
