/**
 * When events are due. Events are numbered over all workers, and the schedule depends on rate and seed alone: worker w
 * of W asks for events w, w + W, w + 2W …, and together they keep the same schedule whatever W is.
 */
import { assert, unreachable } from '../base/assert.ts';
import { createRandom, deriveSeed, type Random } from '../base/random.ts';

export interface Pacer {
  /** Hot: milliseconds from the start until event `index` is due. Indexes must rise from call to call. */
  dueAtMs(index: number): number;
}

export interface Pace {
  /** 0: as fast as possible. Fractions are welcome: 0.5 is an event every two seconds. */
  readonly ratePerS: number;
  readonly arrivals: 'poisson' | 'even';
  readonly seed: number;
}

export function createPacer({ ratePerS, arrivals, seed }: Pace): Pacer {
  if (ratePerS === 0) return asFastAsPossible;
  switch (arrivals) {
    case 'even':
      return evenArrivals(ratePerS);
    case 'poisson':
      return poissonArrivals(ratePerS, createRandom(deriveSeed(seed, 'arrivals')));
    default:
      return unreachable(arrivals);
  }
}

/** The closed loop: every event is due at once, and begins when its session is free. */
export const asFastAsPossible: Pacer = { dueAtMs: () => 0 };

/** The first event is due at the start, the others at equal distances. Multiplied, not summed: no error grows. */
export function evenArrivals(ratePerS: number): Pacer {
  assert(ratePerS > 0, 'a rate is above zero');
  return { dueAtMs: (index) => (index * 1_000) / ratePerS };
}

/** Gaps are exponential, as between users who know nothing of each other. */
export function poissonArrivals(ratePerS: number, random: Random): Pacer {
  assert(ratePerS > 0, 'a rate is above zero');
  let drawn = 0;
  // In units of the mean gap: after 10^12 of them a double still tells 0.0001 apart.
  let gaps = 0;
  return {
    dueAtMs: (index) => {
      assert(index >= drawn, 'events are asked for in their order');
      // The gaps of the other workers' events are drawn too: that is what keeps one schedule for all.
      for (; drawn <= index; drawn++) gaps -= Math.log1p(-random.next());
      return (gaps * 1_000) / ratePerS;
    },
  };
}
