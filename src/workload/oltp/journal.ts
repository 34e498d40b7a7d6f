/**
 * How a load that was cut off is taken up again. The journal is the table itself: rows go in by chunks of neighbouring
 * ids, each chunk whole or not at all, and until the end the table's comment says how it is being loaded.
 */
import { createRandom } from '../../base/random.ts';
import type { Connection } from '../../wire/types.ts';
import { readRows } from '../sql.ts';
import type { KeyDistribution } from '../workload.ts';

/** Rows committed together: two megabytes, a second or two on a slow disk. Each commit costs a flush of the log. */
export const CHUNK_ROWS = 10_000;

export interface LoadMark {
  readonly seed: number;
  /** Rows that the table will have. */
  readonly rows: number;
  readonly chunkRows: number;
  /** Tells one way of drawing k (`--rand-type`) from another. */
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

/** Enough draws that two distributions, or two sets of parameters, hardly ever agree on all. */
const FINGERPRINT_DRAWS = 64;
const FINGERPRINT_RANGE = 1_000_000;

/** A short word for what the distribution draws, without knowing how. */
export function keysFingerprint(keys: KeyDistribution): string {
  const random = createRandom(1);
  let hash = 0;
  for (let draw = 0; draw < FINGERPRINT_DRAWS; draw++) {
    hash = Math.imul(hash ^ keys.draw(random, 1, FINGERPRINT_RANGE), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return (hash >>> 0).toString(16);
}

/** The ids of chunk `index`, both included. */
export function chunkIds(mark: LoadMark, index: number): { readonly from: number; readonly to: number } {
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
export async function missingChunks(connection: Connection, table: string, mark: LoadMark): Promise<number[]> {
  const counted = await readRows(
    connection,
    `SELECT FLOOR((id - 1) / ${mark.chunkRows}), COUNT(*) FROM ${table} GROUP BY 1 ORDER BY 1`,
  );
  const rowsByChunk = new Map(counted.map(([chunk, rows]) => [Number(chunk), Number(rows)]));
  const missing: number[] = [];
  for (let index = 0; index < chunkCount(mark); index++) {
    const { from, to } = chunkIds(mark, index);
    const rows = rowsByChunk.get(index) ?? 0;
    if (rows === to - from + 1) continue;
    if (rows > 0) await connection.execute(`DELETE FROM ${table} WHERE id BETWEEN ${from} AND ${to}`);
    missing.push(index);
  }
  return missing;
}
