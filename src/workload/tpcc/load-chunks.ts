/**
 * The pieces in which a table set is loaded: each is committed whole, together with its line in the journal, and
 * several of one warehouse can be loaded at once.
 */
import {
  CUSTOMERS,
  DISTRICTS,
  FIRST_NEW_ORDER,
  ITEMS,
  LINES_PER_DISTRICT,
  NEXT_ORDER,
  ORDERS,
  type Stretch,
} from './rows.ts';
import type { TableSet } from './tables.ts';

export interface Chunk {
  readonly set: TableSet;
  /** In the journal. */
  readonly number: number;
  readonly stretches: readonly Stretch[];
  /** How many rows it has; of order lines as many as there are on the average. */
  readonly rowsExpected: number;
}

/** Three megabytes of stock: a second on a slow machine, and that is all that an interruption costs. */
const ITEMS_PER_CHUNK = 10_000;
const ITEM_CHUNKS = ITEMS / ITEMS_PER_CHUNK;
/** One for the warehouse itself and its districts; then, ten times, one of stock, of customers and of orders. */
const CHUNKS_PER_WAREHOUSE = 1 + 3 * DISTRICTS;

export function chunkCount(scale: number): number {
  return ITEM_CHUNKS + scale * CHUNKS_PER_WAREHOUSE;
}

export function rowsExpected(scale: number): number {
  const ofDistrict = rowsOfCustomers() + rowsOfOrders();
  return ITEMS + scale * (1 + DISTRICTS + ITEMS + DISTRICTS * ofDistrict);
}

function rowsOfCustomers(): number {
  return 2 * CUSTOMERS;
}

function rowsOfOrders(): number {
  return ORDERS + (NEXT_ORDER - FIRST_NEW_ORDER) + LINES_PER_DISTRICT;
}

/**
 * In the order in which they are dealt out. Neighbours are of different tables, so that connections which work side by
 * side seldom meet in one; within a table the order is that of its primary key.
 */
export function chunkAt(set: TableSet, number: number): Chunk {
  if (number < ITEM_CHUNKS) {
    return {
      set,
      number,
      stretches: [{ table: 'item', warehouse: 0, ...itemsOf(number) }],
      rowsExpected: ITEMS_PER_CHUNK,
    };
  }
  const inWarehouses = number - ITEM_CHUNKS;
  const warehouse = Math.floor(inWarehouses / CHUNKS_PER_WAREHOUSE) + 1;
  const place = inWarehouses % CHUNKS_PER_WAREHOUSE;
  if (place === 0) {
    const stretches: Stretch[] = [
      { table: 'warehouse', warehouse },
      { table: 'district', warehouse },
    ];
    return { set, number, stretches, rowsExpected: 1 + DISTRICTS };
  }
  const part = Math.floor((place - 1) / 3);
  const district = part + 1;
  switch (place % 3) {
    case 1:
      return {
        set,
        number,
        stretches: [{ table: 'stock', warehouse, ...itemsOf(part) }],
        rowsExpected: ITEMS_PER_CHUNK,
      };
    case 2: {
      const stretches: Stretch[] = [
        { table: 'customer', warehouse, district },
        { table: 'history', warehouse, district },
      ];
      return { set, number, stretches, rowsExpected: rowsOfCustomers() };
    }
    default: {
      const stretches: Stretch[] = [
        { table: 'orders', warehouse, district },
        { table: 'new_order', warehouse, district },
        { table: 'order_line', warehouse, district },
      ];
      return { set, number, stretches, rowsExpected: rowsOfOrders() };
    }
  }
}

function itemsOf(part: number): { readonly from: number; readonly to: number } {
  return { from: part * ITEMS_PER_CHUNK + 1, to: (part + 1) * ITEMS_PER_CHUNK };
}

/** The rows of a stretch, as a WHERE clause. */
export function stretchWhere({ table, warehouse, district, from, to }: Stretch): string {
  switch (table) {
    case 'item':
      return `i_id BETWEEN ${from} AND ${to}`;
    case 'warehouse':
      return `w_id = ${warehouse}`;
    case 'district':
      return `d_w_id = ${warehouse}`;
    case 'stock':
      return `s_w_id = ${warehouse} AND s_i_id BETWEEN ${from} AND ${to}`;
    case 'customer':
      return `c_w_id = ${warehouse} AND c_d_id = ${district}`;
    case 'history':
      return `h_w_id = ${warehouse} AND h_d_id = ${district}`;
    case 'orders':
      return `o_w_id = ${warehouse} AND o_d_id = ${district}`;
    case 'new_order':
      return `no_w_id = ${warehouse} AND no_d_id = ${district}`;
    case 'order_line':
      return `ol_w_id = ${warehouse} AND ol_d_id = ${district}`;
  }
}
