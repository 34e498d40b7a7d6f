/** An order as a user keys it in, and the arithmetic of its lines. */
import type { Switches } from './profiles.ts';
import { type Inputs, UNUSED_ITEM } from './transactions-inputs.ts';

export const LINES_MIN = 5;
export const LINES_MAX = 15;
export const LINES_MEAN = (LINES_MIN + LINES_MAX) / 2;
const QUANTITY_MAX = 10;
/** One order in so many is rolled back. */
export const ROLLBACK_ONE_IN = 100;
const ROLLBACK_ONE_IN_HAMMERDB = 99;
/** At least so many are left of a stock, and so many are added where they would not be. */
const STOCK_MARGIN = 10;
const STOCK_REFILL = 91;
/** Where both the item and its stock have it, the line is of the brand kind. */
const BRAND = 'ORIGINAL';

export interface Line {
  /** From 1, as drawn. */
  readonly number: number;
  readonly item: number;
  readonly supplyWarehouse: number;
  /** Whose stock is changed. */
  readonly stockWarehouse: number;
  readonly quantity: number;
}

export interface Order {
  readonly warehouse: number;
  readonly district: number;
  readonly customer: number;
  /** In the order in which they are worked off. */
  readonly lines: readonly Line[];
  /** All lines are supplied by the home warehouse. */
  readonly isLocal: boolean;
}

export function drawOrder(inputs: Inputs): Order {
  const { random, on, warehouse } = inputs;
  const district = inputs.district();
  const customer = inputs.customer();
  const count = random.integer(LINES_MIN, LINES_MAX);
  const isRolledBack =
    random.integer(1, on.has('rollback_one_in_99') ? ROLLBACK_ONE_IN_HAMMERDB : ROLLBACK_ONE_IN) === 1;
  const unusedAt = on.has('rollback_item_before_last') ? count - 1 : count;
  const lines: Line[] = [];
  for (let number = 1; number <= count; number++) {
    const drawn = drawItem(inputs, lines);
    const item = isRolledBack && number === unusedAt ? UNUSED_ITEM : drawn;
    const supplyWarehouse = inputs.supplyWarehouse();
    const stockWarehouse = on.has('remote_lines_on_paper') ? warehouse : supplyWarehouse;
    lines.push({ number, item, supplyWarehouse, stockWarehouse, quantity: random.integer(1, QUANTITY_MAX) });
  }
  if (!on.has('lines_as_drawn')) lines.sort(byStockKey);
  return { warehouse, district, customer, lines, isLocal: lines.every((line) => line.supplyWarehouse === warehouse) };
}

function drawItem(inputs: Inputs, before: readonly Line[]): number {
  let item = inputs.item();
  if (!inputs.on.has('items_distinct')) return item;
  while (before.some((line) => line.item === item)) item = inputs.item();
  return item;
}

/** All orders lock stock in the same order, so that no two wait for each other; the unused item stays last. */
function byStockKey(one: Line, other: Line): number {
  if (one.item === UNUSED_ITEM || other.item === UNUSED_ITEM) return one.item - other.item;
  return one.stockWarehouse - other.stockWarehouse || one.item - other.item;
}

export interface Rates {
  readonly discount: number;
  readonly taxes: number;
}

/** ol_amount, in hundredths. */
export function amountCents(line: Line, priceCents: number, { discount, taxes }: Rates, on: Switches): number {
  const plain = line.quantity * priceCents;
  const cents = on.has('amount_with_taxes') ? Math.round(plain * (1 + taxes) * (1 - discount)) : plain;
  return on.has('amount_truncated') ? Math.floor(cents / 100) * 100 : cents;
}

/** s_quantity after `ordered` pieces were taken. */
export function quantityAfter(quantity: number, ordered: number, on: Switches): number {
  const isEnough = on.has('stock_refilled_without_margin') ? quantity > ordered : quantity >= ordered + STOCK_MARGIN;
  return isEnough ? quantity - ordered : quantity - ordered + STOCK_REFILL;
}

export function isBrand(itemData: string, stockData: string): boolean {
  return itemData.includes(BRAND) && stockData.includes(BRAND);
}
