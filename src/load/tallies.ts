/** What a session's workload counts itself: pending until the attempt is committed, or rolled back on purpose. */
import type { TallyCounter } from '../workload/workload.ts';
import type { Names, Recorder } from './recorder.ts';

export class Tallies {
  readonly #names: Names;
  readonly #counters = new Map<number, Counter>();
  #pending: Counter[] = [];

  constructor(names: Names) {
    this.#names = names;
  }

  counter(name: string): TallyCounter {
    const id = this.#names.tallyId(name);
    const known = this.#counters.get(id);
    if (known !== undefined) return known;
    const counter = new Counter(id);
    this.#counters.set(id, counter);
    this.#pending = [...this.#counters.values()];
    return counter;
  }

  /** Hot: once per event. */
  keep({ tallies }: Recorder): void {
    for (const counter of this.#pending) {
      if (counter.pending === 0) continue;
      tallies[counter.id]! += counter.pending;
      counter.pending = 0;
    }
  }

  /** Hot: before every attempt. */
  drop(): void {
    for (const counter of this.#pending) counter.pending = 0;
  }
}

class Counter implements TallyCounter {
  readonly id: number;
  pending = 0;

  constructor(id: number) {
    this.id = id;
  }

  add(count = 1): void {
    this.pending += count;
  }
}
