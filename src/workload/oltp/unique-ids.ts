/**
 * Ids for oltp_insert with `--auto-inc=off`: each event's own, above all that are in the tables, in an order that jumps
 * about as random ids do. They follow from the event's index, so no two threads can meet.
 */
import { UserError } from '../../base/errors.ts';
import { deriveSeed } from '../../base/random.ts';
import { formatCount } from '../../base/units.ts';
import { ID_MAX } from './options.ts';

/**
 * Ids are shuffled within windows of this many, one window after another: wide enough that inserts land all over what a
 * run inserts, narrow enough that a hundred runs fit below 2^31.
 */
export const WINDOW_BITS = 24;
export const WINDOW_IDS = 2 ** WINDOW_BITS;
const WINDOW_MASK = WINDOW_IDS - 1;

/** `firstFreeId`: the lowest id above all that are in use. */
export class UniqueIds {
  readonly #firstFreeId: number;
  readonly #multiplier: number;
  readonly #offset: number;

  constructor(seed: number, firstFreeId: number) {
    if (firstFreeId + WINDOW_IDS - 1 > ID_MAX) throw noIdsLeft(firstFreeId);
    const derived = deriveSeed(seed, 'unique ids');
    this.#firstFreeId = firstFreeId;
    // An odd multiplier keeps all ids of a window apart.
    this.#multiplier = ((derived & WINDOW_MASK) | 1) >>> 0;
    this.#offset = Math.floor(derived / WINDOW_IDS) & WINDOW_MASK;
  }

  /** Hot: a different id for every index from 0. */
  at(index: number): number {
    const window = Math.floor(index / WINDOW_IDS);
    const id = this.#firstFreeId + window * WINDOW_IDS + this.#shuffle(index % WINDOW_IDS);
    if (id > ID_MAX) throw noIdsLeft(id);
    return id;
  }

  /** Each step can be undone within the window's bits, so no two places become one. */
  #shuffle(place: number): number {
    let mixed = (Math.imul(place, this.#multiplier) + this.#offset) & WINDOW_MASK;
    mixed ^= mixed >>> (WINDOW_BITS / 2);
    mixed = Math.imul(mixed, 0x2c1b3d) & WINDOW_MASK;
    return mixed ^ (mixed >>> (WINDOW_BITS / 2));
  }
}

function noIdsLeft(firstFreeId: number): UserError {
  return new UserError(`Ids from ${formatCount(firstFreeId)} on do not fit: INTEGER ends at ${formatCount(ID_MAX)}.`, {
    hint: 'Start with empty tables: cleanup, then prepare; or use --auto-inc=on.',
  });
}
