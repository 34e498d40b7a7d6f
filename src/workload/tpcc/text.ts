/**
 * Random texts, cheaply: a pool of random letters and digits is drawn once, and a text is a window on it. To draw each
 * character would cost more than everything else of a row together.
 */
import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import type { RowWriter } from './rows-writer.ts';

/** A mebibyte: two of the windows that share a page of 16 KiB overlap so rarely that no compression finds them. */
const POOL_BYTES = 2 ** 20;
/** The longest text: c_data. */
const TEXT_BYTES_MAX = 500;

const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'latin1');
/** One draw of 53 bits gives five characters: 62^5 is below 2^31, where arithmetic is fast. */
const CHARACTERS_PER_DRAW = 5;
const FIVE_CHARACTERS = 916_132_832;

const LETTER_A = 0x41;
const LETTER_SMALL_A = 0x61;
const LETTERS = 26;

export const ORIGINAL = Buffer.from('ORIGINAL', 'latin1');
const ZIP_END = Buffer.from('11111', 'latin1');
const ZIP_NUMBERS = 10_000;
const ZIP_BYTES = 4;
const PHONE_HALF = 100_000_000;
const PHONE_HALF_BYTES = 8;

/** Made once for a data set; the same seed gives the same pool. */
export interface TextPool {
  readonly bytes: Uint8Array;
}

export function createTextPool(seed: number): TextPool {
  const random = createRandom(deriveSeed(seed, 'tpcc texts'));
  const bytes = new Uint8Array(POOL_BYTES + TEXT_BYTES_MAX);
  for (let at = 0; at < bytes.length; at += CHARACTERS_PER_DRAW) {
    let drawn = Math.floor(random.next() * FIVE_CHARACTERS) | 0;
    const end = Math.min(at + CHARACTERS_PER_DRAW, bytes.length);
    for (let place = at; place < end; place++) {
      const next = (drawn / ALPHABET.length) | 0;
      bytes[place] = ALPHABET[drawn - next * ALPHABET.length]!;
      drawn = next;
    }
  }
  return { bytes };
}

/** Hot. Letters and digits, from `min` to `max` of them. */
export function writeText(writer: RowWriter, random: Random, pool: TextPool, min: number, max: number): void {
  const length = min === max ? min : random.integer(min, max);
  writer.slice(pool.bytes, random.integer(0, POOL_BYTES - 1), length);
}

/** Hot. One small letter, again and again. */
export function writeRepeated(writer: RowWriter, random: Random, min: number, max: number): void {
  const length = min === max ? min : random.integer(min, max);
  writer.openText();
  writer.fill(random.integer(LETTER_SMALL_A, LETTER_SMALL_A + LETTERS - 1), length);
  writer.closeText();
}

/** Hot. A text with ORIGINAL somewhere in it. */
export function writeOriginal(writer: RowWriter, random: Random, pool: TextPool, min: number, max: number): void {
  const rest = random.integer(min, max) - ORIGINAL.length;
  const before = random.integer(0, rest);
  const from = random.integer(0, POOL_BYTES - 1);
  writer.openText();
  writer.append(pool.bytes, from, before);
  writer.append(ORIGINAL, 0, ORIGINAL.length);
  writer.append(pool.bytes, from + before, rest - before);
  writer.closeText();
}

/** Hot. Two capital letters. */
export function writeState(writer: RowWriter, random: Random): void {
  writer.openText();
  writer.fill(random.integer(LETTER_A, LETTER_A + LETTERS - 1), 1);
  writer.fill(random.integer(LETTER_A, LETTER_A + LETTERS - 1), 1);
  writer.closeText();
}

/** Hot. Four random digits, then five ones. */
export function writeZip(writer: RowWriter, random: Random): void {
  writer.openText();
  writer.digits(random.integer(0, ZIP_NUMBERS - 1), ZIP_BYTES);
  writer.append(ZIP_END, 0, ZIP_END.length);
  writer.closeText();
}

/** Hot. Sixteen random digits. */
export function writePhone(writer: RowWriter, random: Random): void {
  writer.openText();
  writer.digits(random.integer(0, PHONE_HALF - 1), PHONE_HALF_BYTES);
  writer.digits(random.integer(0, PHONE_HALF - 1), PHONE_HALF_BYTES);
  writer.closeText();
}
