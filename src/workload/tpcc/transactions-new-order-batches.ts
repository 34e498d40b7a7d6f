/** The lines of a new order with one statement for all of them, as go-tpc sends it. */
import type { SqlValue } from '../../wire/types.ts';
import { asText } from '../sql.ts';
import { openStatements, type Statements } from './statements.ts';
import { centsOf, type TransactionParts } from './transactions-frame.ts';
import { UNUSED_ITEM } from './transactions-inputs.ts';
import {
  type LineParts,
  type LinesEnd,
  lineValues,
  missingItem,
  missingStock,
  type OpenOrder,
  takeFromStock,
} from './transactions-lines.ts';
import { batchForms } from './transactions-new-order-sql.ts';
import { isBrand, LINES_MAX, LINES_MIN } from './transactions-order.ts';

type BatchStatements = Statements<ReturnType<typeof batchForms>>;

interface FoundItem {
  readonly priceCents: number;
  readonly data: string;
}
interface FoundStock {
  /** Two lines of one item take from it in turn. */
  quantity: number;
  readonly data: string;
  readonly texts: readonly SqlValue[];
}

export async function openBatches(
  parts: TransactionParts,
  lineParts: LineParts,
): Promise<(open: OpenOrder) => Promise<LinesEnd>> {
  const byCount = new Map<number, readonly BatchStatements[]>();
  for (let lines = LINES_MIN; lines <= LINES_MAX; lines++) {
    byCount.set(lines, await openStatements(batchForms(lines), parts));
  }
  return (open) => workOffInBatches(byCount.get(open.order.lines.length)![open.set]!, open, lineParts);
}

async function workOffInBatches(statements: BatchStatements, open: OpenOrder, parts: LineParts): Promise<LinesEnd> {
  const { on, brandLines } = parts;
  const { lines, district } = open.order;
  const items = await readItems(statements, open);
  const withoutItem = lines.find((line) => !items.has(line.item));
  if (withoutItem !== undefined) return withoutItem.item === UNUSED_ITEM ? 'unused item' : missingItem(withoutItem);
  const stocks = await readStocks(statements, open);
  const withoutStock = lines.find((line) => !stocks.has(stockKey(line.stockWarehouse, line.item)));
  if (withoutStock !== undefined) return missingStock(withoutStock);
  const values = [];
  for (const line of lines) {
    const stock = stocks.get(stockKey(line.stockWarehouse, line.item))!;
    const { priceCents, data } = items.get(line.item)!;
    stock.quantity = await takeFromStock(open, line, { quantity: stock.quantity, parts });
    if (isBrand(data, stock.data)) brandLines.add();
    values.push(...lineValues(open, line, { priceCents, text: stock.texts[district - 1], on }));
  }
  await statements.new_order_lines.run(values);
  return 'done';
}

async function readItems(statements: BatchStatements, { order }: OpenOrder): Promise<Map<number, FoundItem>> {
  const rows = await statements.new_order_items.rows(order.lines.map((line) => line.item));
  return new Map(rows.map(([id, price, , data]) => [Number(id), { priceCents: centsOf(price), data: asText(data) }]));
}

async function readStocks(statements: BatchStatements, { order }: OpenOrder): Promise<Map<string, FoundStock>> {
  const keys = order.lines.flatMap((line) => [line.stockWarehouse, line.item]);
  const rows = await statements.new_order_stocks.rows(keys);
  return new Map(
    rows.map(([warehouse, item, quantity, data, ...texts]) => [
      stockKey(Number(warehouse), Number(item)),
      { quantity: Number(quantity), data: asText(data), texts },
    ]),
  );
}

function stockKey(warehouse: number, item: number): string {
  return `${warehouse}/${item}`;
}
