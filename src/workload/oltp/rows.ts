/**
 * The rows that prepare writes, as bytes. What a row holds depends on (seed, table, id) alone, so the data are the same
 * whatever the number of connections, and a load that was cut off can go on anywhere.
 */

import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import { fillTemplateInto } from '../../base/random-text.ts';
import type { KeyDistribution } from '../workload.ts';
import { C_TEMPLATE, PAD_TEMPLATE } from './tables.ts';

/** `values`: `(1,2,'…','…'),` for INSERT. `lines`: tab-separated, for LOAD DATA. */
export type RowFormat = 'values' | 'lines';

/** Two ids of ten digits, 119 and 59 characters, four quotes, brackets and commas: 206 at most. */
export const ROW_BYTES_MAX = 206;

export interface RowWriter {
  /** Writes one row and returns where it ends; `target` has ROW_BYTES_MAX bytes left at `offset`. */
  write(target: Uint8Array, offset: number, id: number): number;
}

export interface RowSource {
  readonly seed: number;
  /** The table's number, from 1. */
  readonly table: number;
  /** k is drawn from 1 to this. */
  readonly rows: number;
  readonly keys: KeyDistribution;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const QUOTE = 0x27;
const OPEN = 0x28;
const CLOSE = 0x29;
const COMMA = 0x2c;
const DIGIT_ZERO = 0x30;

export function rowWriter(source: RowSource, format: RowFormat): RowWriter {
  const seed = deriveSeed(source.seed, 'oltp rows', source.table);
  const random = createRandom(seed);
  const { keys, rows } = source;
  if (format === 'lines') {
    return {
      /** Hot: once per row. */
      write(target, offset, id) {
        random.restart(seed, id);
        let at = writeInteger(target, offset, id);
        target[at++] = TAB;
        at = writeInteger(target, at, keys.draw(random, 1, rows));
        target[at++] = TAB;
        at = fillTemplateInto(random, C_TEMPLATE, target, at);
        target[at++] = TAB;
        at = fillTemplateInto(random, PAD_TEMPLATE, target, at);
        target[at++] = NEWLINE;
        return at;
      },
    };
  }
  return {
    /** Hot: once per row. */
    write(target, offset, id) {
      random.restart(seed, id);
      let at = offset;
      target[at++] = OPEN;
      at = writeInteger(target, at, id);
      target[at++] = COMMA;
      at = writeInteger(target, at, keys.draw(random, 1, rows));
      target[at++] = COMMA;
      at = writeQuoted(random, C_TEMPLATE, target, at);
      target[at++] = COMMA;
      at = writeQuoted(random, PAD_TEMPLATE, target, at);
      target[at++] = CLOSE;
      target[at++] = COMMA;
      return at;
    },
  };
}

/** Hot. */
function writeQuoted(random: Random, template: string, target: Uint8Array, offset: number): number {
  target[offset] = QUOTE;
  const at = fillTemplateInto(random, template, target, offset + 1);
  target[at] = QUOTE;
  return at + 1;
}

/** Hot: a positive integer below 2^31 in decimal digits. */
function writeInteger(target: Uint8Array, offset: number, value: number): number {
  let end = offset + 1;
  for (let limit = 10; value >= limit; limit *= 10) end++;
  let rest = value | 0;
  for (let at = end - 1; at >= offset; at--) {
    const tens = (rest / 10) | 0;
    target[at] = DIGIT_ZERO + (rest - tens * 10);
    rest = tens;
  }
  return end;
}
