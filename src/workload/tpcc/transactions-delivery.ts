/**
 * Delivery: in each district of a warehouse the oldest order that is not delivered yet. All ten in one database
 * transaction, so that an attempt after a deadlock delivers nothing twice.
 */
import type { SqlValue } from '../../wire/types.ts';
import type { Switches } from './profiles.ts';
import {
  anyOf,
  DISTRICTS,
  lockOf,
  openStatements,
  type StatementForms,
  type Statements,
  WHERE_CUSTOMER,
  WHERE_LINES,
} from './statements.ts';
import { centsOf, type Frame, type Run, type TransactionParts } from './transactions-frame.ts';

const CARRIERS = 10;

const perDistrict = (on: Switches): number => (on.has('delivery_in_batches') ? 0 : DISTRICTS);
const inBatches = (on: Switches): number => (on.has('delivery_in_batches') ? 1 : 0);
const always = (): number => DISTRICTS;

const WHERE_ORDER = 'WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?';
const WHERE_NEW_ORDER = 'WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?';
const WHERE_ORDERS = `WHERE ${anyOf(['o_w_id', 'o_d_id', 'o_id'], DISTRICTS)}`;
const WHERE_NEW_ORDERS = `WHERE ${anyOf(['no_w_id', 'no_d_id', 'no_o_id'], DISTRICTS)}`;
const WHERE_LINES_OF_ALL = `WHERE ${anyOf(['ol_w_id', 'ol_d_id', 'ol_o_id'], DISTRICTS)}`;

/** A locking read sees the present, and opens no snapshot that the next district could be newer than. */
function presentOf(on: Switches): string {
  return on.has('delivery_reads_snapshot') ? '' : lockOf(on);
}

function customerChange(on: Switches): string {
  const count = on.has('delivery_count_not_kept') ? '' : ', c_delivery_cnt = c_delivery_cnt + 1';
  return `SET c_balance = c_balance + ? * 0.01${count}`;
}

export const DELIVERY = {
  delivery_oldest: {
    kind: 'read',
    times: always,
    sql: ({ new_order }, on) => {
      const order = on.has('delivery_without_order') ? '' : ' ORDER BY no_o_id';
      return `SELECT no_o_id FROM ${new_order} WHERE no_w_id = ? AND no_d_id = ?${order} LIMIT 1${lockOf(on)}`;
    },
  },
  delivery_done: {
    kind: 'write',
    times: perDistrict,
    sql: ({ new_order }) => `DELETE FROM ${new_order} ${WHERE_NEW_ORDER}`,
  },
  delivery_order: {
    kind: 'read',
    times: perDistrict,
    sql: ({ orders }, on) => `SELECT o_c_id FROM ${orders} ${WHERE_ORDER}${presentOf(on)}`,
  },
  delivery_carrier: {
    kind: 'write',
    times: perDistrict,
    sql: ({ orders }) => `UPDATE ${orders} SET o_carrier_id = ? ${WHERE_ORDER}`,
  },
  delivery_lines: {
    kind: 'write',
    times: perDistrict,
    sql: ({ order_line }) => `UPDATE ${order_line} SET ol_delivery_d = NOW() ${WHERE_LINES}`,
  },
  delivery_total: {
    kind: 'read',
    times: perDistrict,
    sql: ({ order_line }, on) => `SELECT SUM(ol_amount) FROM ${order_line} ${WHERE_LINES}${presentOf(on)}`,
  },
  delivery_all_done: {
    kind: 'write',
    times: inBatches,
    sql: ({ new_order }) => `DELETE FROM ${new_order} ${WHERE_NEW_ORDERS}`,
  },
  delivery_all_carriers: {
    kind: 'write',
    times: inBatches,
    sql: ({ orders }) => `UPDATE ${orders} SET o_carrier_id = ? ${WHERE_ORDERS}`,
  },
  delivery_all_orders: {
    kind: 'read',
    times: inBatches,
    sql: ({ orders }) => `SELECT o_d_id, o_c_id FROM ${orders} ${WHERE_ORDERS}`,
  },
  delivery_all_lines: {
    kind: 'write',
    times: inBatches,
    sql: ({ order_line }) => `UPDATE ${order_line} SET ol_delivery_d = NOW() ${WHERE_LINES_OF_ALL}`,
  },
  delivery_all_totals: {
    kind: 'read',
    times: inBatches,
    sql: ({ order_line }) => `SELECT ol_d_id, SUM(ol_amount) FROM ${order_line} ${WHERE_LINES_OF_ALL} GROUP BY ol_d_id`,
  },
  delivery_customer: {
    kind: 'write',
    times: always,
    sql: ({ customer }, on) => `UPDATE ${customer} ${customerChange(on)} ${WHERE_CUSTOMER}`,
  },
} as const satisfies StatementForms;

type DeliveryStatements = Statements<typeof DELIVERY>;

interface Delivery {
  readonly statements: DeliveryStatements;
  readonly warehouse: number;
  readonly carrier: number;
  readonly on: Switches;
  readonly frame: Frame;
}

/** How many districts had nothing to deliver; or what stood in the way. */
type DeliveryEnd =
  | { readonly is: 'done'; readonly skipped: number }
  /** The order is newer than the snapshot. */
  | { readonly is: 'unseen' }
  | { readonly is: 'missing'; readonly what: string };

export async function openDelivery(parts: TransactionParts): Promise<Run> {
  const { on, inputs, frame } = parts;
  const bySet = await openStatements(DELIVERY, parts);
  const districts = parts.tally('delivery_districts');
  const skippedDistricts = parts.tally('delivery_districts_skipped');
  const unseenOrders = parts.tally('delivery_snapshot_misses');
  const deliver = on.has('delivery_in_batches') ? deliverInBatches : deliverByDistrict;
  return async (event) => {
    inputs.goHome(event);
    const carrier = inputs.random.integer(1, CARRIERS);
    await frame.begin();
    const { warehouse, set } = inputs;
    const end = await deliver({ statements: bySet[set]!, warehouse, carrier, on, frame });
    if (end.is === 'missing') return frame.notFound(end.what);
    if (end.is === 'unseen') {
      unseenOrders.add();
      return frame.rollBack();
    }
    districts.add(DISTRICTS);
    skippedDistricts.add(end.skipped);
    return frame.commit();
  };
}

async function deliverByDistrict(delivery: Delivery): Promise<DeliveryEnd> {
  let skipped = 0;
  for (let district = 1; district <= DISTRICTS; district++) {
    const end = await deliverDistrict(delivery, district);
    if (end.is !== 'done') return end;
    skipped += end.skipped;
  }
  return { is: 'done', skipped };
}

async function deliverDistrict(delivery: Delivery, district: number): Promise<DeliveryEnd> {
  const { statements, warehouse, carrier, on, frame } = delivery;
  const [oldest] = await statements.delivery_oldest.rows([warehouse, district]);
  if (oldest === undefined) return { is: 'done', skipped: 1 };
  const order = [warehouse, district, Number(oldest[0])];
  const { affectedRows } = await statements.delivery_done.run(order);
  const isOurs = affectedRows === 1 || on.has('reads_without_locks');
  frame.expect(isOurs, () => `order ${order[2]}: expected one undelivered order deleted, got ${affectedRows}.`);
  const [orderRow] = await statements.delivery_order.rows(order);
  if (orderRow === undefined) {
    if (on.has('delivery_reads_snapshot')) return { is: 'unseen' };
    return { is: 'missing', what: `order ${order[2]} of district ${district}, warehouse ${warehouse}` };
  }
  await statements.delivery_carrier.run([carrier, ...order]);
  await statements.delivery_lines.run(order);
  const [total] = await statements.delivery_total.rows(order);
  frame.expect(total?.[0] != null, () => `order ${order[2]}: expected lines with amounts, found none.`);
  const customer = [warehouse, district, Number(orderRow[0])];
  await statements.delivery_customer.run([totalCents(total?.[0] ?? null, on), ...customer]);
  return { is: 'done', skipped: 0 };
}

/** All ten districts with one statement of each kind; districts with nothing to deliver ask for order 0. */
async function deliverInBatches(delivery: Delivery): Promise<DeliveryEnd> {
  const { statements, warehouse, carrier, on } = delivery;
  const numbers: number[] = [];
  for (let district = 1; district <= DISTRICTS; district++) {
    const [oldest] = await statements.delivery_oldest.rows([warehouse, district]);
    numbers.push(oldest === undefined ? 0 : Number(oldest[0]));
  }
  const orders = numbers.flatMap((number, index) => [warehouse, index + 1, number]);
  await statements.delivery_all_done.run(orders);
  await statements.delivery_all_carriers.run([carrier, ...orders]);
  const customers = new Map(
    (await statements.delivery_all_orders.rows(orders)).map((row) => [Number(row[0]), Number(row[1])]),
  );
  await statements.delivery_all_lines.run(orders);
  const totals = new Map(
    (await statements.delivery_all_totals.rows(orders)).map((row) => [Number(row[0]), row[1] ?? null]),
  );
  for (let district = 1; district <= DISTRICTS; district++) {
    if (numbers[district - 1] === 0) continue;
    const customer = customers.get(district);
    if (customer === undefined)
      return { is: 'missing', what: `order ${numbers[district - 1]} of district ${district}` };
    const cents = totalCents(totals.get(district) ?? null, on);
    await statements.delivery_customer.run([cents, warehouse, district, customer]);
  }
  return { is: 'done', skipped: numbers.filter((number) => number === 0).length };
}

function totalCents(total: SqlValue, on: Switches): number {
  const cents = centsOf(total);
  return on.has('delivery_total_whole') ? Math.round(cents / 100) * 100 : cents;
}
