/**
 * Puts stretches of rows into a table over one connection: by LOAD DATA LOCAL where the server takes it, else by
 * INSERTs of many rows. Measured on MariaDB 10.11, a row costs the server half as much by LOAD DATA as by INSERT, as
 * long as the file is said to be latin1: every byte is a character then, and need not be looked at.
 */
import { Readable } from 'node:stream';
import { ExitCode, UserError } from '../../base/errors.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection } from '../../wire/types.ts';
import { readNumber } from '../sql.ts';
import { openRows, type RowSource, type RowStream, type Stretch } from './rows.ts';
import { INSERT_FORMAT, LOAD_DATA_FORMAT, ROW_BYTES_MAX, RowWriter } from './rows-writer.ts';

export interface LoadMethod {
  readonly by: 'load data' | 'insert';
  /** What is sent at once. */
  readonly bytesMax: number;
}

/** Longer packets and longer statements gain nothing. */
const BYTES_MAX = { 'load data': 64 * 1024, insert: 1024 * 1024 } as const;
/** The longest head of an INSERT has 250 bytes; with one row behind it a statement must fit. */
const BYTES_MIN = 512 + ROW_BYTES_MAX;
/** The packet's own bytes, and whatever a proxy adds. */
const PACKET_SPARE_BYTES = 1_024;

/** A statement on no rows shows whether the server, the account and what lies between let files through. */
export async function chooseMethod(
  connection: Connection,
  table: string,
): Promise<{ readonly method: LoadMethod; readonly because?: string }> {
  const packetBytes = (await readNumber(connection, 'SELECT @@SESSION.max_allowed_packet')) - PACKET_SPARE_BYTES;
  if (packetBytes < BYTES_MIN) {
    throw new UserError(`max_allowed_packet is ${packetBytes + PACKET_SPARE_BYTES}: too little to load tables.`, {
      hint: 'SET GLOBAL max_allowed_packet = 16777216;',
      exitCode: ExitCode.targetUnavailable,
    });
  }
  const method = (by: LoadMethod['by']): LoadMethod => ({ by, bytesMax: Math.min(BYTES_MAX[by], packetBytes) });
  try {
    await connection.execute(loadDataSql(table), { infile: Readable.from([]) });
    return { method: method('load data') };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return { method: method('insert'), because: `${error.message} (${error.symbol})` };
  }
}

function loadDataSql(table: string, columns?: readonly string[]): string {
  const list = columns === undefined ? '' : ` (${columns.join(', ')})`;
  return `LOAD DATA LOCAL INFILE 'sqldyno' INTO TABLE ${table} CHARACTER SET latin1${list}`;
}

export interface RowTarget {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Returns how many rows there were. */
export async function loadStretch(
  connection: Connection,
  method: LoadMethod,
  { target, source, stretch }: { readonly target: RowTarget; readonly source: RowSource; readonly stretch: Stretch },
): Promise<number> {
  const rows = openRows(source, stretch);
  const { made, affected, warnings } =
    method.by === 'load data'
      ? await loadData(connection, target, { rows, bytesMax: method.bytesMax })
      : await insertRows(connection, target, { rows, bytesMax: method.bytesMax });
  if (affected === made && warnings === 0) return made;
  throw new UserError(
    `Of ${made} rows for ${target.table} the server took ${affected}, with ${warnings} warnings: some were there already.`,
    { hint: 'Drop the tables with the cleanup command, then prepare again.', exitCode: ExitCode.runFailed },
  );
}

interface Loaded {
  readonly made: number;
  readonly affected: number;
  readonly warnings: number;
}

interface Batches {
  readonly rows: RowStream;
  readonly bytesMax: number;
}

async function loadData(
  connection: Connection,
  { table, columns }: RowTarget,
  { rows, bytesMax }: Batches,
): Promise<Loaded> {
  let made = 0;
  function* parts(): Generator<Buffer> {
    const writer = new RowWriter(LOAD_DATA_FORMAT);
    for (;;) {
      writer.open(Buffer.allocUnsafe(bytesMax), 0);
      const written = fill(writer, rows);
      if (written === 0) return;
      made += written;
      yield writer.bytes.subarray(0, writer.at);
    }
  }
  const outcome = await connection.execute(loadDataSql(table, columns), { infile: Readable.from(parts()) });
  return { made, affected: outcome.affectedRows, warnings: outcome.warningCount };
}

/** Sends one statement while the next is written. */
export async function insertRows(
  connection: Connection,
  { table, columns }: RowTarget,
  { rows, bytesMax }: Batches,
): Promise<Loaded> {
  const head = Buffer.from(`INSERT INTO ${table} (${columns.join(', ')}) VALUES `, 'latin1');
  // One is filled while the server works on the other.
  const buffers = [Buffer.allocUnsafe(bytesMax), Buffer.allocUnsafe(bytesMax)] as const;
  for (const buffer of buffers) buffer.set(head, 0);
  const writer = new RowWriter(INSERT_FORMAT);
  let sent: Promise<unknown> = Promise.resolve();
  let made = 0;
  let affected = 0;
  let warnings = 0;
  for (let turn = 0; ; turn++) {
    writer.open(turn % 2 === 0 ? buffers[0] : buffers[1], head.length);
    const written = fill(writer, rows);
    await sent;
    if (written === 0) return { made, affected, warnings };
    made += written;
    // Behind the last row is a comma too many.
    sent = connection.execute(writer.bytes.subarray(0, writer.at - 1)).then((outcome) => {
      affected += outcome.affectedRows;
      warnings += outcome.warningCount;
    });
  }
}

/** Hot: writes rows until there is no room for another, or none left; returns how many. */
function fill(writer: RowWriter, rows: RowStream): number {
  let written = 0;
  while (writer.hasRoom && rows(writer)) written++;
  return written;
}
