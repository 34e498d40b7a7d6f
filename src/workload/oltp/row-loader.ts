/**
 * Puts rows into one table over one connection, a chunk at a time, each whole or not at all.
 *
 * By prepared INSERTs of many rows, with the texts given as bytes. Measured on MariaDB 10.11, the server spends 2 us on
 * a row that way; 3 us with LOAD DATA LOCAL, which also locks AUTO_INCREMENT, and so keeps other connections out of the
 * table; and 5 us with INSERTs as text, as sysbench sends them: each row is parsed, and its characters are converted.
 */
import { ExitCode, UserError } from '../../base/errors.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection, SqlParameter, Statement } from '../../wire/types.ts';
import { asText, quoteText, readNumber, readRows } from '../sql.ts';
import { C_BYTES, PAD_BYTES, type RowMaker, type RowSource, rowMaker } from './rows.ts';

export interface IdRange {
  readonly from: number;
  readonly to: number;
}

export interface RowLoader {
  readonly table: string;
  /** Commits the rows of these ids together. */
  load(ids: IdRange): Promise<void>;
  close(): void;
}

/** Beyond it nothing is gained; the server takes 65,535 parameters in one statement, four of them for a row. */
const BATCH_ROWS_MAX = 1_000;
/** `(2147483647,2147483647,'…','…'),` as text; prepared it is less. */
const ROW_BYTES_MAX = 28 + C_BYTES + PAD_BYTES;
/** The packet's own bytes, the head of the statement, and whatever a proxy adds. */
const PACKET_SPARE_BYTES = 1_024;
/** In these character sets a digit is more than a byte, so bytes would not be the text. */
const WIDE_CHARACTER_SETS = /^(?:ucs2|utf16|utf16le|utf32)$/;
/** Statements cannot be prepared here, or not now: ER_UNKNOWN_COM_ERROR, ER_UNSUPPORTED_PS, max_prepared_stmt_count. */
const NOT_PREPARED_CODES: readonly number[] = [1047, 1295, 1461];

export async function openRowLoader(connection: Connection, table: string, source: RowSource): Promise<RowLoader> {
  const maker = rowMaker(source);
  const head = `INSERT INTO ${table} (id, k, c, pad) VALUES `;
  const batchRows = await batchRowsFor(connection);
  const isWide = WIDE_CHARACTER_SETS.test(await characterSetOf(connection, table));
  const whole = isWide ? undefined : await prepare(connection, head, batchRows);
  const batch = new Batch(batchRows);
  return {
    table,
    async load(ids) {
      await connection.execute('BEGIN');
      let sent: Promise<unknown> = Promise.resolve();
      for (let from = ids.from; from <= ids.to; from += batchRows) {
        const to = Math.min(ids.to, from + batchRows - 1);
        batch.fill(maker, from, to);
        const text = whole === undefined ? batch.asText(head) : undefined;
        // One batch is made while the server works on the one before.
        await sent;
        if (text !== undefined) sent = connection.execute(text);
        else if (whole !== undefined && batch.isFull) sent = whole.execute(batch.parameters);
        else sent = executeOnce(connection, head, batch);
      }
      await sent;
      await connection.execute('COMMIT');
    },
    close: () => whole?.close(),
  };
}

async function batchRowsFor(connection: Connection): Promise<number> {
  const packetBytes = await readNumber(connection, 'SELECT @@SESSION.max_allowed_packet');
  const rows = Math.floor((packetBytes - PACKET_SPARE_BYTES) / ROW_BYTES_MAX);
  if (rows >= 1) return Math.min(BATCH_ROWS_MAX, rows);
  throw new UserError(`max_allowed_packet is ${packetBytes}: too little to load tables.`, {
    hint: 'SET GLOBAL max_allowed_packet = 16777216;',
    exitCode: ExitCode.targetUnavailable,
  });
}

async function characterSetOf(connection: Connection, table: string): Promise<string> {
  const [row] = await readRows(
    connection,
    'SELECT CHARACTER_SET_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ' +
      `AND TABLE_NAME = ${quoteText(table)} AND COLUMN_NAME = 'c'`,
  );
  return asText(row?.[0]);
}

async function prepare(connection: Connection, head: string, rows: number): Promise<Statement | undefined> {
  try {
    return await connection.prepare(head + Array(rows).fill('(?,?,?,?)').join(','));
  } catch (error) {
    if (error instanceof ServerError && NOT_PREPARED_CODES.includes(error.code)) return undefined;
    throw error;
  }
}

/** The last rows of a table hardly ever fill a batch. */
async function executeOnce(connection: Connection, head: string, batch: Batch): Promise<void> {
  const statement = await prepare(connection, head, batch.rows);
  if (statement === undefined) {
    await connection.execute(batch.asText(head));
    return;
  }
  await statement.execute(batch.parameters.slice(0, batch.rows * COLUMNS));
  statement.close();
}

const COLUMNS = 4;

/** Parameters of one statement, made anew in place: the texts are windows on one buffer. */
class Batch {
  readonly parameters: SqlParameter[] = [];
  rows = 0;
  readonly #bytes: Buffer;
  readonly #rowsMax: number;

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
    this.#bytes = Buffer.alloc(rowsMax * (C_BYTES + PAD_BYTES));
    for (let row = 0; row < rowsMax; row++) {
      const at = row * (C_BYTES + PAD_BYTES);
      const c = this.#bytes.subarray(at, at + C_BYTES);
      const pad = this.#bytes.subarray(at + C_BYTES, at + C_BYTES + PAD_BYTES);
      this.parameters.push(0, 0, c, pad);
    }
  }

  get isFull(): boolean {
    return this.rows === this.#rowsMax;
  }

  /** Hot. */
  fill(maker: RowMaker, from: number, to: number): void {
    this.rows = to - from + 1;
    for (let row = 0; row < this.rows; row++) {
      this.parameters[row * COLUMNS] = from + row;
      this.parameters[row * COLUMNS + 1] = maker.make(from + row, this.#bytes, row * (C_BYTES + PAD_BYTES));
    }
  }

  asText(head: string): string {
    const rows: string[] = [];
    for (let row = 0; row < this.rows; row++) {
      const [id, k, c, pad] = this.parameters.slice(row * COLUMNS, (row + 1) * COLUMNS);
      rows.push(`(${id},${k},'${c}','${pad}')`);
    }
    return head + rows.join(',');
  }
}
