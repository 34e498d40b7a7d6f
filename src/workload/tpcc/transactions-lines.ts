/**
 * The lines of a new order: for each, an item is looked up, taken from a stock, and written down.
 */
import type { SqlParameter, SqlValue } from '../../wire/types.ts';
import { asText } from '../sql.ts';
import type { TallyCounter } from '../workload.ts';
import type { Switches } from './profiles.ts';
import type { Statements } from './statements.ts';
import { centsOf, type Frame } from './transactions-frame.ts';
import { UNUSED_ITEM } from './transactions-inputs.ts';
import type { NEW_ORDER } from './transactions-new-order-sql.ts';
import { amountCents, isBrand, type Line, type Order, quantityAfter, type Rates } from './transactions-order.ts';

export type NewOrderStatements = Statements<typeof NEW_ORDER>;

/** An order whose head is written, and whose lines are to be worked off. */
export interface OpenOrder {
  readonly statements: NewOrderStatements;
  /** Index of the table set. */
  readonly set: number;
  readonly order: Order;
  readonly number: number;
  readonly rates: Rates;
}

/** What became of the lines; a text tells what the data lack. */
export type LinesEnd = 'done' | 'unused item' | { readonly missing: string };

/** What both ways of working off lines need. */
export interface LineParts {
  readonly on: Switches;
  readonly frame: Frame;
  readonly brandLines: TallyCounter;
}

/** Line by line, as the rules have it. */
export async function workOffLines(open: OpenOrder, parts: LineParts): Promise<LinesEnd> {
  const { statements, order } = open;
  const { on, frame } = parts;
  for (const line of order.lines) {
    const [item] = await statements.new_order_item.rows([line.item]);
    if (item === undefined) return line.item === UNUSED_ITEM ? 'unused item' : missingItem(line);
    const key = [line.stockWarehouse, line.item];
    const isOneText = on.has('stock_reads_one_text');
    const [stock] = await statements.new_order_stock.rows(isOneText ? [order.district, ...key] : key);
    if (stock === undefined) return missingStock(line);
    const [quantity, stockData, ...texts] = stock;
    await takeFromStock(open, line, { quantity: Number(quantity), parts });
    if (isBrand(asText(item[2]), asText(stockData))) parts.brandLines.add();
    const priceCents = centsOf(item[0]);
    frame.expect(priceCents > 0, () => `item ${line.item}: expected a price, got ${asText(item[0])}.`);
    const text = texts[isOneText ? 0 : order.district - 1];
    await statements.new_order_line.run(lineValues(open, line, { priceCents, text, on }));
  }
  return 'done';
}

export function missingItem(line: Line): LinesEnd {
  return { missing: `item ${line.item}` };
}

export function missingStock(line: Line): LinesEnd {
  return { missing: `stock of item ${line.item} in warehouse ${line.stockWarehouse}` };
}

/** Resolves with what is left. */
export async function takeFromStock(
  { statements, order }: OpenOrder,
  line: Line,
  { quantity, parts: { on, frame } }: { readonly quantity: number; readonly parts: LineParts },
): Promise<number> {
  const left = quantityAfter(quantity, line.quantity, on);
  const values: SqlParameter[] = [left];
  if (!on.has('stock_counters_not_kept')) {
    values.push(line.quantity, line.supplyWarehouse === order.warehouse ? 0 : 1);
  }
  values.push(line.stockWarehouse, line.item);
  const { affectedRows } = await statements.new_order_stock_change.run(values);
  const isChanged = affectedRows === 1 || left === quantity;
  frame.expect(isChanged, () => `stock of item ${line.item}: expected one row changed, got ${affectedRows}.`);
  return left;
}

/** In the order of the columns of the INSERT. */
export function lineValues(
  { order, number, rates }: OpenOrder,
  line: Line,
  found: { readonly priceCents: number; readonly text: SqlValue | undefined; readonly on: Switches },
): SqlParameter[] {
  const cents = amountCents(line, found.priceCents, rates, found.on);
  const { item, supplyWarehouse, quantity } = line;
  const key = [number, order.district, order.warehouse, line.number];
  return [...key, item, supplyWarehouse, quantity, cents, asText(found.text)];
}
