/** Order status: what became of the newest order of a customer. */
import type { Switches } from './profiles.ts';
import {
  byName,
  byNumber,
  countedFirst,
  once,
  openStatements,
  type StatementForms,
  type Statements,
  WHERE_CUSTOMER,
  WHERE_LINES,
  WHERE_NAME,
} from './statements.ts';
import { nameIndex, type Run, type TransactionParts } from './transactions-frame.ts';
import { LINES_MAX, LINES_MIN } from './transactions-order.ts';

/** Where c_id is among the columns of `order_status_name`. */
const ID_COLUMN = 3;

export const ORDER_STATUS = {
  order_status_name_count: {
    kind: 'read',
    times: countedFirst,
    sql: ({ customer }) => `SELECT COUNT(c_id) FROM ${customer} ${WHERE_NAME}`,
  },
  order_status_name: {
    kind: 'read',
    times: byName,
    sql: ({ customer }) => `SELECT c_balance, c_first, c_middle, c_id FROM ${customer} ${WHERE_NAME} ORDER BY c_first`,
  },
  order_status_customer: {
    kind: 'read',
    times: byNumber,
    sql: ({ customer }) => `SELECT c_balance, c_first, c_middle, c_last FROM ${customer} ${WHERE_CUSTOMER}`,
  },
  order_status_order: {
    kind: 'read',
    times: once,
    sql: ({ orders }, on) =>
      `SELECT o_id, o_carrier_id, o_entry_d FROM ${orders} WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ` +
      `ORDER BY o_id DESC${on.has('order_status_reads_all_orders') ? '' : ' LIMIT 1'}`,
  },
  order_status_lines: {
    kind: 'read',
    times: once,
    sql: ({ order_line }) =>
      `SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM ${order_line} ${WHERE_LINES}`,
  },
} as const satisfies StatementForms;

type OrderStatusStatements = Statements<typeof ORDER_STATUS>;

export async function openOrderStatus(parts: TransactionParts): Promise<Run> {
  const { on, inputs, frame } = parts;
  const bySet = await openStatements(ORDER_STATUS, parts);
  const orderStatuses = parts.tally('order_statuses');
  const orderStatusesByName = parts.tally('order_statuses_by_name');
  return async (event) => {
    inputs.goHome(event);
    const { warehouse, set } = inputs;
    const district = inputs.district();
    const lastName = inputs.isByName() ? inputs.lastName() : undefined;
    const number = inputs.customer();
    const statements = bySet[set]!;
    orderStatuses.add();
    if (lastName !== undefined) orderStatusesByName.add();
    await frame.beginReading();
    const place = [warehouse, district] as const;
    const who = lastName === undefined ? `customer ${number}` : `a customer named ${lastName}`;
    const where = `in district ${district}, warehouse ${warehouse}`;
    const customer = await findCustomer(statements, [...place, lastName ?? number], on);
    if (customer === 0) return frame.notFound(`${who} ${where}`);
    const [newest] = await statements.order_status_order.rows([...place, customer]);
    if (newest === undefined) return frame.notFound(`an order of customer ${customer} ${where}`);
    const order = on.has('order_status_of_district_number') ? district : Number(newest[0]);
    const lines = (await statements.order_status_lines.run([...place, order])).rowCount;
    const isCountRight = lines >= LINES_MIN && lines <= LINES_MAX;
    frame.expect(isCountRight, () => `order ${order} ${where}: expected 5 to 15 lines, got ${lines}.`);
    return frame.commit();
  };
}

/** By number or by last name; 0 where there is no such customer. */
async function findCustomer(
  statements: OrderStatusStatements,
  key: readonly [warehouse: number, district: number, who: number | string],
  on: Switches,
): Promise<number> {
  const [, , who] = key;
  if (typeof who === 'number') {
    const rows = await statements.order_status_customer.rows(key);
    return rows.length === 0 ? 0 : who;
  }
  if (on.has('names_counted_first')) await statements.order_status_name_count.rows(key);
  const rows = await statements.order_status_name.rows(key);
  return rows.length === 0 ? 0 : Number(rows[nameIndex(rows.length, on)]?.[ID_COLUMN]);
}
