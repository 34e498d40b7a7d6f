/**
 * How a load that was cut off is taken up again. The journal is the table itself: rows go in by chunks of neighbouring
 * keys, each chunk whole or not at all, and until the end the table's comment says how it is being loaded.
 */
import type { Connection } from '../../wire/types.ts';
import { quoteName, readRows } from '../sql.ts';

/** Rows committed together: two megabytes, a second or two on a slow disk. Each commit costs a flush of the log. */
export const CHUNK_ROWS = 10_000;

export interface LoadMark {
  readonly seed: number;
  /** Rows that the table will have. */
  readonly rows: number;
  readonly chunkRows: number;
  /** Tells apart ways of making the rows that the seed does not decide, such as `--rand-type`: hexadecimal. */
  readonly keys: string;
  /** The table's own comment, put back at the end. */
  readonly comment: string;
}

const MARK = /^sqldyno loads this table: seed=(\d+) rows=(\d+) chunk=(\d+) keys=([0-9a-f]+); then: (.*)$/s;

export function writeMark(mark: LoadMark): string {
  const { seed, rows, chunkRows, keys, comment } = mark;
  return `sqldyno loads this table: seed=${seed} rows=${rows} chunk=${chunkRows} keys=${keys}; then: ${comment}`;
}

/** Undefined where the comment is no mark: the table is complete, or was made by another program. */
export function readMark(comment: string): LoadMark | undefined {
  const match = MARK.exec(comment);
  if (match === null) return undefined;
  const [, seed, rows, chunkRows, keys, own] = match;
  return { seed: Number(seed), rows: Number(rows), chunkRows: Number(chunkRows), keys: keys!, comment: own! };
}

/** Both included. */
export interface KeyRange {
  readonly from: number;
  readonly to: number;
}

export function chunkKeys(mark: LoadMark, index: number): KeyRange {
  const from = index * mark.chunkRows + 1;
  return { from, to: Math.min(mark.rows, from + mark.chunkRows - 1) };
}

export function chunkCount(mark: LoadMark): number {
  return Math.ceil(mark.rows / mark.chunkRows);
}

/**
 * The chunks still to load, in order. A chunk that is there in part (engines without transactions can leave one) is
 * deleted first.
 */
export async function missingChunks(
  connection: Connection,
  table: { readonly name: string; readonly key: string },
  mark: LoadMark,
): Promise<number[]> {
  const name = quoteName(table.name);
  const key = quoteName(table.key);
  const counted = await readRows(
    connection,
    `SELECT FLOOR((${key} - 1) / ${mark.chunkRows}), COUNT(*) FROM ${name} GROUP BY 1 ORDER BY 1`,
  );
  const rowsByChunk = new Map(counted.map(([chunk, rows]) => [Number(chunk), Number(rows)]));
  const missing: number[] = [];
  for (let index = 0; index < chunkCount(mark); index++) {
    const { from, to } = chunkKeys(mark, index);
    const rows = rowsByChunk.get(index) ?? 0;
    if (rows === to - from + 1) continue;
    if (rows > 0) await connection.execute(`DELETE FROM ${name} WHERE ${key} BETWEEN ${from} AND ${to}`);
    missing.push(index);
  }
  return missing;
}
