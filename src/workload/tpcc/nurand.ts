/** NURand, the skewed draw of this workload, the constants that belong to it, and the last names that it picks. */
import { assert } from '../../base/assert.ts';
import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import type { DeviationName } from './deviations.ts';

/** The constant A of each field: a power of two, less one, near a quarter or a tenth of the field's range. */
export const LAST_NAME_A = 255;
export const CUSTOMER_A = 1_023;
export const ITEM_A = 8_191;

export const LAST_NAMES = 1_000;

/** The constants C: one for each field, the same for all terminals and all client machines, and kept with the data. */
export interface Constants {
  /** With which the last names of the data were drawn. */
  readonly lastNameLoad: number;
  readonly lastNameRun: number;
  readonly customer: number;
  readonly item: number;
}

/**
 * Hot: an integer in [from, to], some of which come far more often than others. The OR favours numbers with many bits
 * set, and C moves the favourites elsewhere.
 */
export function nuRand(
  random: Random,
  { a, c }: { readonly a: number; readonly c: number },
  from: number,
  to: number,
): number {
  const drawn = random.integer(0, a) | random.integer(from, to);
  return ((drawn + c) % (to - from + 1)) + from;
}

/**
 * What a run asks for by name must be neither what the data has most of nor what it has least of, so the two constants
 * of last names keep this distance (clause 2.1.6.1).
 */
const DISTANCE_MIN = 65;
const DISTANCE_MAX = 119;
const DISTANCES_EXCLUDED: readonly number[] = [96, 112];

export function isLastNameDistanceRight(load: number, run: number): boolean {
  const distance = Math.abs(run - load);
  return distance >= DISTANCE_MIN && distance <= DISTANCE_MAX && !DISTANCES_EXCLUDED.includes(distance);
}

/** What hammerdb has in its source, for loading and for running. */
const LAST_NAME_C_SAME = 123;

/** `lastNameLoad`: where the data are there already, and have theirs. */
export function drawConstants(seed: number, on: ReadonlySet<DeviationName>, lastNameLoad?: number): Constants {
  const random = createRandom(deriveSeed(seed, 'tpcc constants'));
  const drawn = random.integer(0, LAST_NAME_A);
  const load = lastNameLoad ?? drawn;
  const allowed: number[] = [];
  for (let run = 0; run <= LAST_NAME_A; run++) if (isLastNameDistanceRight(load, run)) allowed.push(run);
  const run = allowed[random.integer(0, allowed.length - 1)];
  assert(run !== undefined, 'from any number up to 255 there is one at the right distance');
  const constants = {
    lastNameLoad: load,
    lastNameRun: run,
    customer: random.integer(0, CUSTOMER_A),
    item: random.integer(0, ITEM_A),
  };
  if (on.has('last_name_c_same')) {
    return { ...constants, lastNameLoad: LAST_NAME_C_SAME, lastNameRun: LAST_NAME_C_SAME };
  }
  if (on.has('last_name_c_unrelated')) return { ...constants, lastNameRun: random.integer(0, LAST_NAME_A) };
  return constants;
}

const SYLLABLES = ['BAR', 'OUGHT', 'ABLE', 'PRI', 'PRES', 'ESE', 'ANTI', 'CALLY', 'ATION', 'EING'] as const;

const NAMES: readonly string[] = Array.from({ length: LAST_NAMES }, (_, number) =>
  [Math.floor(number / 100), Math.floor(number / 10) % 10, number % 10].map((digit) => SYLLABLES[digit]).join(''),
);

/** Hot. The last name of a number from 0 to 999: a syllable for each digit. */
export function lastName(number: number): string {
  return NAMES[number]!;
}
