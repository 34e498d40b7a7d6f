/**
 * Two kinds of random streams. The structure (which flights there are, and when, and who flies them) is drawn from a
 * seed of its own and is always the same, because the row counts of the queries depend on it. What things are called,
 * how they are numbered and what they cost is drawn from the user's seed.
 */
import { createRandom, deriveSeed, type Random } from '../../../base/random.ts';

/** Any number: with another one the tables would be other tables, with the same counts. */
const STRUCTURE_SEED = 1_990;

export function structureRandom(of: string): Random {
  return createRandom(deriveSeed(STRUCTURE_SEED, 'atis', of));
}

export function nameRandom(seed: number, of: string): Random {
  return createRandom(deriveSeed(seed, 'atis', of));
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = random.integer(0, at);
    [result[at], result[other]] = [result[other] as T, result[at] as T];
  }
  return result;
}

export function pick<T>(items: readonly T[], random: Random): T {
  return items[random.integer(0, items.length - 1)] as T;
}
