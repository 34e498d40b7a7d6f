/** `--warmup=auto`: decides from the intervals of the warm-up whether the load has become steady. */
import type { Interval } from '../model/run.ts';
import { BATCHES_MIN, steadyState } from '../stats/steady-state.ts';

/** More batches would only make each of them scatter more. */
const BATCHES_MAX = 2 * BATCHES_MIN;

export class Settling {
  readonly #intervals: Interval[] = [];

  /** An interval of the warm-up has ended. Seconds at the beginning that differ, once the rest is steady. */
  add(interval: Interval): { readonly differsS: number } | undefined {
    this.#intervals.push(interval);
    const size = Math.ceil(this.#intervals.length / BATCHES_MAX);
    // The newest batches are whole; what is left over at the beginning goes with the first.
    const rates = batchesOf(this.#intervals, size);
    const { is, cut } = steadyState(rates);
    if (is !== 'steady') return undefined;
    const lengthS = interval.endS - interval.startS;
    return { differsS: cut * size * lengthS };
  }
}

function batchesOf(intervals: readonly Interval[], size: number): number[] {
  const rates: number[] = [];
  for (let end = intervals.length; end >= size; end -= size) {
    const batch = intervals.slice(end - size, end);
    const seconds = batch.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
    rates.unshift(batch.reduce((sum, { transactions }) => sum + transactions, 0) / seconds);
  }
  return rates;
}
