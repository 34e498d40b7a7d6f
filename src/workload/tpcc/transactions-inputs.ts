/** What a user keys in: drawn from the event's own stream, before the first statement is sent. */
import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import type { TransactionEvent } from '../workload.ts';
import { type Constants, CUSTOMER_A, ITEM_A, LAST_NAME_A, LAST_NAMES, lastName, nuRand } from './nurand.ts';
import { type Switches, TERMINALS_PER_WAREHOUSE } from './profiles.ts';
import { CUSTOMERS, ITEMS } from './rows.ts';
import { DISTRICTS } from './statements.ts';

/** What the numbers of hammerdb and sysbench-tpcc for an item that does not exist have in common: there is none. */
export const UNUSED_ITEM = ITEMS + 1;

const REMOTE_LINE_PERCENT = 1;
const REMOTE_PAYMENT_PERCENT = 15;
const BY_NAME_PERCENT = 60;
/** What go-tpc has for the A of items. */
const ITEM_A_MIXED_UP = 8_189;

export interface InputParts {
  readonly random: Random;
  readonly on: Switches;
  readonly constants: Constants;
  readonly tables: number;
  readonly scale: number;
  readonly threads: number;
  readonly seed: number;
}

export class Inputs {
  readonly random: Random;
  readonly on: Switches;
  /** Of the event: index of the table set, and the home warehouse in it. */
  set = 0;
  warehouse = 1;
  readonly #parts: InputParts;
  readonly #places: number;
  readonly #lastName: { readonly a: number; readonly c: number };
  readonly #customer: { readonly a: number; readonly c: number };
  readonly #item: { readonly a: number; readonly c: number };
  readonly #users: Random = createRandom(0);
  readonly #homesSeed: number;

  constructor(parts: InputParts) {
    const { constants, on } = parts;
    this.#parts = parts;
    this.random = parts.random;
    this.on = on;
    this.#places = parts.tables * parts.scale;
    this.#homesSeed = deriveSeed(parts.seed, 'tpcc homes');
    this.#lastName = { a: LAST_NAME_A, c: constants.lastNameRun };
    const isMixedUp = on.has('nurand_ranges_mixed_up');
    this.#customer = { a: CUSTOMER_A, c: isMixedUp ? constants.item : constants.customer };
    this.#item = isMixedUp ? { a: ITEM_A_MIXED_UP, c: constants.customer } : { a: ITEM_A, c: constants.item };
  }

  /** Sets `set` and `warehouse`. Without terminals there is nobody who has a home, so it is drawn. */
  goHome({ index, terminal }: TransactionEvent): void {
    const place = this.#placeOf(index, terminal);
    this.set = Math.floor(place / this.#parts.scale);
    this.warehouse = (place % this.#parts.scale) + 1;
  }

  #placeOf(index: number, terminal: number): number {
    const { on, random, threads } = this.#parts;
    if (on.has('home_warehouse_collides') && !on.has('home_warehouse_drawn')) {
      // The tool has as many users as threads; which thread takes an event is no matter of the event.
      this.#users.restart(this.#homesSeed, terminal >= 0 ? terminal : index % threads);
      return this.#users.integer(0, this.#places - 1);
    }
    if (terminal < 0 || on.has('home_warehouse_drawn')) return random.integer(0, this.#places - 1);
    return Math.floor(terminal / TERMINALS_PER_WAREHOUSE) % this.#places;
  }

  district(): number {
    return this.random.integer(1, DISTRICTS);
  }

  /** A terminal asks for the stock of one district only, and no other terminal of its warehouse does. */
  stockLevelDistrict({ terminal }: TransactionEvent): number {
    if (terminal < 0 || this.on.has('home_warehouse_drawn')) return this.district();
    return (terminal % DISTRICTS) + 1;
  }

  customer(): number {
    if (this.on.has('customer_uniform')) return this.random.integer(1, CUSTOMERS);
    return this.#skewed(this.#customer, 1, CUSTOMERS);
  }

  item(): number {
    if (this.on.has('item_uniform')) return this.random.integer(1, ITEMS);
    return this.#skewed(this.#item, 1, ITEMS);
  }

  lastName(): string {
    return lastName(this.#skewed(this.#lastName, 0, LAST_NAMES - 1));
  }

  #skewed(field: { readonly a: number; readonly c: number }, from: number, to: number): number {
    if (!this.on.has('nurand_c_redrawn')) return nuRand(this.random, field, from, to);
    return nuRand(this.random, { a: field.a, c: this.random.integer(0, field.a) }, from, to);
  }

  isByName(): boolean {
    return this.#happens(BY_NAME_PERCENT);
  }

  /** The warehouse that supplies a line. */
  supplyWarehouse(): number {
    const isRemote = this.#happens(REMOTE_LINE_PERCENT) && !this.on.has('remote_lines_never');
    return isRemote ? this.#otherWarehouse() : this.warehouse;
  }

  /** The warehouse of the customer who pays. */
  customerWarehouse(): number {
    const isRemote = this.#happens(REMOTE_PAYMENT_PERCENT) && !this.on.has('remote_payments_never');
    return isRemote ? this.#otherWarehouse() : this.warehouse;
  }

  /** Of one warehouse there is no other. */
  #otherWarehouse(): number {
    const { scale } = this.#parts;
    if (scale === 1) return this.warehouse;
    const drawn = this.random.integer(1, scale - 1);
    return drawn < this.warehouse ? drawn : drawn + 1;
  }

  #happens(percent: number): boolean {
    return this.random.integer(1, 100) <= percent;
  }
}
