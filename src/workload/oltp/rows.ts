/**
 * The rows that prepare writes. What a row holds depends on (seed, table, id) alone, so the data are the same whatever
 * the number of connections, and a load that was cut off can go on anywhere.
 */
import { createRandom, deriveSeed } from '../../base/random.ts';
import { fillTemplateInto } from '../../base/random-text.ts';
import type { KeyDistribution } from '../workload.ts';
import { C_TEMPLATE, PAD_TEMPLATE } from './tables.ts';

export const C_BYTES = C_TEMPLATE.length;
export const PAD_BYTES = PAD_TEMPLATE.length;

export interface RowSource {
  readonly seed: number;
  /** The table's number, from 1. */
  readonly table: number;
  /** k is drawn from 1 to this. */
  readonly rows: number;
  readonly keys: KeyDistribution;
}

export interface RowMaker {
  /** Returns k of row `id`, and writes c at `offset`, pad right after it: C_BYTES + PAD_BYTES in all. */
  make(id: number, target: Uint8Array, offset: number): number;
}

export function rowMaker({ seed, table, rows, keys }: RowSource): RowMaker {
  const tableSeed = deriveSeed(seed, 'oltp rows', table);
  const random = createRandom(tableSeed);
  return {
    /** Hot: once per row. */
    make(id, target, offset) {
      random.restart(tableSeed, id);
      const k = keys.draw(random, 1, rows);
      const end = fillTemplateInto(random, C_TEMPLATE, target, offset);
      fillTemplateInto(random, PAD_TEMPLATE, target, end);
      return k;
    },
  };
}
