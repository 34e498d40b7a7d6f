/** Who is due next, of a fixed number: a binary heap in two blocks of memory, nothing allocated while it works. */
import { assert } from '../base/assert.ts';

export class DueHeap {
  /** When each number is due. */
  readonly #dueMs: Float64Array;
  /** Numbers, the next one first; each is due no earlier than the one above it. */
  readonly #heap: Int32Array;
  #length = 0;

  /** For the numbers 0 … capacity - 1, each at most once at a time. */
  constructor(capacity: number) {
    this.#dueMs = new Float64Array(capacity);
    this.#heap = new Int32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Infinite where nobody waits. Hot. */
  get nextDueMs(): number {
    return this.#length === 0 ? Number.POSITIVE_INFINITY : this.#dueMs[this.#heap[0]!]!;
  }

  /** Hot. */
  push(number: number, dueMs: number): void {
    assert(this.#length < this.#heap.length, 'everybody waits once at most');
    this.#dueMs[number] = dueMs;
    this.#rise(number, this.#length++);
  }

  /** Takes the next one away. Hot. */
  shift(): number {
    assert(this.#length > 0, 'somebody waits');
    const first = this.#heap[0]!;
    const last = this.#heap[--this.#length]!;
    if (this.#length > 0) this.#sink(last);
    return first;
  }

  #rise(number: number, from: number): void {
    const heap = this.#heap;
    const dueMs = this.#dueMs[number]!;
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.#dueMs[heap[above]!]! <= dueMs) break;
      heap[place] = heap[above]!;
      place = above;
    }
    heap[place] = number;
  }

  #sink(number: number): void {
    const heap = this.#heap;
    const dueMs = this.#dueMs[number]!;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#length) break;
      const other = below + 1;
      if (other < this.#length && this.#dueMs[heap[other]!]! < this.#dueMs[heap[below]!]!) below = other;
      if (this.#dueMs[heap[below]!]! >= dueMs) break;
      heap[place] = heap[below]!;
      place = below;
    }
    heap[place] = number;
  }
}
