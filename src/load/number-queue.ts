/** First in, first out, of a fixed capacity: one block of memory, nothing allocated while it works. */
export class NumberQueue {
  readonly capacity: number;
  readonly #items: Float64Array;
  #head = 0;
  #length = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#items = new Float64Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** False where it is full. Hot. */
  push(item: number): boolean {
    if (this.#length === this.capacity) return false;
    const tail = this.#head + this.#length;
    this.#items[tail < this.capacity ? tail : tail - this.capacity] = item;
    this.#length++;
    return true;
  }

  /** NaN where it is empty. Hot. */
  shift(): number {
    if (this.#length === 0) return Number.NaN;
    const item = this.#items[this.#head]!;
    this.#head = this.#head + 1 === this.capacity ? 0 : this.#head + 1;
    this.#length--;
    return item;
  }
}
