/**
 * Experiments made of rates that real runs had, in the order in which they ran (`npm run bench:verdicts --
 * --record=FILE`), on a machine that other programs used now and then: single runs scatter by a quarter and more, in
 * stretches. What a quiet machine would show is in paired-simulation.test.ts.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom } from '../base/random.ts';
import { comparePaired, type PairedComparison } from './paired.ts';

type Recorded = Readonly<Record<'evening' | 'night', readonly number[]>>;

const recorded = JSON.parse(
  readFileSync(new URL('../../test/fixtures/recorded-rates.json', import.meta.url), 'utf8'),
) as Recorded;

const PAIRS = 8;

/**
 * Neighbours in time are a pair; which of the two is the variant is drawn, half of them one way and half the other.
 * The variant's rates are multiplied by `factor`.
 */
function experiments(rates: readonly number[], count: number, factor: number): PairedComparison[] {
  const random = createRandom(2030);
  return Array.from({ length: count }, () => {
    const start = random.integer(0, rates.length - 2 * PAIRS);
    const isFirst = shuffled(Array.from({ length: PAIRS }, (_, pair) => pair % 2 === 0));
    const baseline = isFirst.map((first, pair) => rates[start + 2 * pair + (first ? 1 : 0)]!);
    const variant = isFirst.map((first, pair) => factor * rates[start + 2 * pair + (first ? 0 : 1)]!);
    return comparePaired({ baseline, variant, better: 'higher', marginShare: 0.02 });
  });

  function shuffled<T>(items: T[]): T[] {
    for (let at = items.length - 1; at > 0; at--) {
      const other = random.integer(0, at);
      [items[at], items[other]] = [items[other]!, items[at]!];
    }
    return items;
  }
}

function share(all: readonly PairedComparison[], ...verdicts: readonly PairedComparison['verdict'][]): number {
  return all.filter(({ verdict }) => verdicts.includes(verdict)).length / all.length;
}

/** 400 experiments that share runs: as good as some 40 that do not, and two standard deviations of those are 0.07. */
const COUNT = 400;

const KINDS = [{ kind: 'evening' }, { kind: 'night' }] as const;

test.each(KINDS)('$kind: the same thing twice is called FASTER or SLOWER in one of twenty at most', ({ kind }) => {
  const all = experiments(recorded[kind], COUNT, 1);
  expect(share(all, 'FASTER', 'SLOWER')).toBeLessThanOrEqual(0.05);
});

test.each(KINDS)('$kind: ten per cent slower is never FASTER more often than by chance', ({ kind }) => {
  const all = experiments(recorded[kind], COUNT, 0.9);
  expect(share(all, 'FASTER')).toBeLessThanOrEqual(0.025);
  expect(share(all, 'SLOWER')).toBeGreaterThan(share(all, 'FASTER'));
});

test.each(KINDS)('$kind: three per cent slower is found or undecided, not the wrong way round', ({ kind }) => {
  const all = experiments(recorded[kind], COUNT, 0.97);
  // Where the noise alone would have called it FASTER, which it does in one of forty.
  expect(share(all, 'FASTER')).toBeLessThanOrEqual(0.025);
});
