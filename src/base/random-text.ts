/** Random text by template, as sysbench writes it: `#` becomes a digit, `@` a letter a-z, all else stays. */
import { assert } from './assert.ts';
import type { Random } from './random.ts';

const DIGIT_ZERO = 0x30;
const LETTER_A = 0x61;
/** One draw gives nine digits, or six letters: the largest powers of 10 and 26 below 2^31, where arithmetic is fast. */
const DIGITS_PER_DRAW = 9;
const NINE_DIGITS = 1_000_000_000;
const LETTERS_PER_DRAW = 6;
const SIX_LETTERS = 308_915_776;
/** '000' … '999' one after another: three digits cost one division. */
const THREE_DIGITS = Uint8Array.from({ length: 3_000 }, (_, at) => {
  return DIGIT_ZERO + (Math.floor(Math.floor(at / 3) / 10 ** (2 - (at % 3))) % 10);
});
/** A workload has a handful of templates; a caller that makes new ones all the time must not fill the memory. */
const TEMPLATES_KEPT_MAX = 64;

/** A template taken apart once: reading it character by character costs more than drawing the digits. */
interface CompiledTemplate {
  /** The template's bytes: what stays is copied from here. */
  readonly bytes: Uint8Array;
  /** Runs to fill, as from, to, from, to … */
  readonly digitRuns: Uint32Array;
  readonly letterRuns: Uint32Array;
}

const compiled = new Map<string, CompiledTemplate>();
/** Grown to the longest template seen. */
let scratch = Buffer.allocUnsafe(256);

/** Hot: once per value written. */
export function fillTemplate(random: Random, template: string): string {
  if (template.length > scratch.length) scratch = Buffer.allocUnsafe(template.length * 2);
  const end = fillTemplateInto(random, template, scratch, 0);
  return scratch.toString('latin1', 0, end);
}

/** Hot: writes the bytes of one filled template to `target` at `offset`; returns where they end. */
export function fillTemplateInto(random: Random, template: string, target: Uint8Array, offset: number): number {
  const { bytes, digitRuns, letterRuns } = compiled.get(template) ?? compile(template);
  target.set(bytes, offset);
  for (let run = 0; run < digitRuns.length; run += 2) {
    writeDigits(random, target, offset + digitRuns[run]!, offset + digitRuns[run + 1]!);
  }
  for (let run = 0; run < letterRuns.length; run += 2) {
    writeLetters(random, target, offset + letterRuns[run]!, offset + letterRuns[run + 1]!);
  }
  return offset + bytes.length;
}

function compile(template: string): CompiledTemplate {
  const bytes = Buffer.from(template, 'utf8');
  assert(bytes.length === template.length, 'templates are ASCII: a byte is a character');
  const result = { bytes, digitRuns: runsOf(template, /#+/g), letterRuns: runsOf(template, /@+/g) };
  if (compiled.size === TEMPLATES_KEPT_MAX) compiled.clear();
  compiled.set(template, result);
  return result;
}

function runsOf(template: string, pattern: RegExp): Uint32Array {
  return Uint32Array.from([...template.matchAll(pattern)].flatMap((run) => [run.index, run.index + run[0].length]));
}

/** Hot. */
function writeDigits(random: Random, target: Uint8Array, from: number, to: number): void {
  let at = from;
  while (at < to) {
    let drawn = Math.floor(random.next() * NINE_DIGITS) | 0;
    const end = Math.min(at + DIGITS_PER_DRAW, to);
    for (; at + 3 <= end; at += 3) {
      const rest = (drawn / 1_000) | 0;
      const entry = (drawn - rest * 1_000) * 3;
      target[at] = THREE_DIGITS[entry]!;
      target[at + 1] = THREE_DIGITS[entry + 1]!;
      target[at + 2] = THREE_DIGITS[entry + 2]!;
      drawn = rest;
    }
    for (; at < end; at++) {
      target[at] = DIGIT_ZERO + (drawn % 10);
      drawn = (drawn / 10) | 0;
    }
  }
}

/** Hot. */
function writeLetters(random: Random, target: Uint8Array, from: number, to: number): void {
  let at = from;
  while (at < to) {
    let drawn = Math.floor(random.next() * SIX_LETTERS) | 0;
    const end = Math.min(at + LETTERS_PER_DRAW, to);
    for (; at < end; at++) {
      target[at] = LETTER_A + (drawn % 26);
      drawn = (drawn / 26) | 0;
    }
  }
}
