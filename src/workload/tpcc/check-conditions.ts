/**
 * The twelve consistency conditions of clause 3.3.2. Each is a query over a range of warehouses that finds the first
 * place where it does not hold, with the values that show it.
 */
import type { SqlValue } from '../../wire/types.ts';
import { FIRST_NEW_ORDER, NEXT_ORDER } from './rows.ts';
import type { TableSet } from './tables.ts';

type Tables = TableSet['tables'];

/** Warehouses, both included. */
export interface WarehouseRange {
  readonly from: number;
  readonly to: number;
}

export interface Condition {
  readonly number: number;
  /** What must hold. */
  readonly is: string;
  /** Reads history, which may have no index: then every range costs a scan of all of it. */
  readonly readsHistory: boolean;
  /** Gives one row at most: the keys of the offender, then the values. */
  readonly sql: (tables: Tables, range: WarehouseRange) => string;
  /** The keys of the row, and what was found there. */
  readonly keys: readonly Key[];
  readonly found: (values: readonly string[]) => string;
}

type Key = 'warehouse' | 'district' | 'order' | 'line' | 'customer';

/** The offender and what is wrong with it: 'warehouse 1, district 3: …'. */
export function describeOffender({ keys, found }: Condition, row: readonly SqlValue[]): string {
  const place = keys.map((key, index) => `${key} ${row[index]}`).join(', ');
  const values = row.slice(keys.length).map((value) => (value === null ? 'NULL' : String(value)));
  return `${place}: ${found(values)}`;
}

const DISTRICT: readonly Key[] = ['warehouse', 'district'];
const CUSTOMER: readonly Key[] = ['warehouse', 'district', 'customer'];
const ORDER: readonly Key[] = ['warehouse', 'district', 'order'];

function between(column: string, { from, to }: WarehouseRange): string {
  return `${column} BETWEEN ${from} AND ${to}`;
}

export const CONDITIONS: readonly Condition[] = [
  {
    number: 1,
    is: 'w_ytd is the sum of d_ytd of the districts.',
    readsHistory: false,
    sql: (t, range) =>
      `SELECT w_id, MAX(w_ytd), COALESCE(SUM(d_ytd), 0) FROM ${t.warehouse} LEFT JOIN ${t.district} ON d_w_id = w_id
        WHERE ${between('w_id', range)} GROUP BY w_id HAVING NOT (MAX(w_ytd) <=> COALESCE(SUM(d_ytd), 0))
        ORDER BY w_id LIMIT 1`,
    keys: ['warehouse'],
    found: ([ytd, sum]) => `w_ytd is ${ytd}, the districts have ${sum}`,
  },
  {
    number: 2,
    is: 'd_next_o_id - 1 is the highest o_id, and the highest no_o_id where a district has open orders.',
    readsHistory: false,
    sql: (t, range) =>
      `SELECT * FROM (SELECT d_w_id, d_id, d_next_o_id - 1 AS last_id,
          (SELECT o_id FROM ${t.orders} WHERE o_w_id = d_w_id AND o_d_id = d_id
            ORDER BY o_id DESC LIMIT 1) AS last_order,
          (SELECT no_o_id FROM ${t.new_order} WHERE no_w_id = d_w_id AND no_d_id = d_id
            ORDER BY no_o_id DESC LIMIT 1) AS last_open
          FROM ${t.district} WHERE ${between('d_w_id', range)}) AS districts
        WHERE NOT (last_id <=> last_order) OR last_id <> last_open ORDER BY d_w_id, d_id LIMIT 1`,
    keys: DISTRICT,
    found: ([last, order, open]) =>
      `d_next_o_id - 1 is ${last}, the highest o_id is ${order}, the highest no_o_id ${open}`,
  },
  {
    number: 3,
    is: 'The open orders of a district are numbered without a gap.',
    readsHistory: false,
    sql: (t, range) =>
      `SELECT no_w_id, no_d_id, MIN(no_o_id), MAX(no_o_id), COUNT(*) FROM ${t.new_order}
        WHERE ${between('no_w_id', range)} GROUP BY no_w_id, no_d_id
        HAVING MAX(no_o_id) - MIN(no_o_id) + 1 <> COUNT(*) ORDER BY no_w_id, no_d_id LIMIT 1`,
    keys: DISTRICT,
    found: ([lowest, highest, count]) => `no_o_id goes from ${lowest} to ${highest}, in ${count} rows`,
  },
  {
    number: 4,
    is: 'The sum of o_ol_cnt of a district is the number of its order lines.',
    readsHistory: false,
    sql: (t, range) =>
      `SELECT d_w_id, d_id, COALESCE(counted, 0), COALESCE(there, 0) FROM ${t.district}
        LEFT JOIN (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS counted FROM ${t.orders}
          WHERE ${between('o_w_id', range)} GROUP BY o_w_id, o_d_id) AS o ON o_w_id = d_w_id AND o_d_id = d_id
        LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS there FROM ${t.order_line}
          WHERE ${between('ol_w_id', range)} GROUP BY ol_w_id, ol_d_id) AS l ON ol_w_id = d_w_id AND ol_d_id = d_id
        WHERE ${between('d_w_id', range)} AND COALESCE(counted, 0) <> COALESCE(there, 0)
        ORDER BY d_w_id, d_id LIMIT 1`,
    keys: DISTRICT,
    found: ([counted, there]) => `o_ol_cnt adds up to ${counted}, there are ${there} lines`,
  },
  {
    number: 5,
    is: 'An order has no carrier as long as it has a row in new_order, and only then.',
    readsHistory: false,
    sql: (t, range) =>
      `SELECT o_w_id, o_d_id, o_id, o_carrier_id, no_o_id FROM ${t.orders}
        LEFT JOIN ${t.new_order} ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
        WHERE ${between('o_w_id', range)} AND (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)
        ORDER BY o_w_id, o_d_id, o_id LIMIT 1`,
    keys: ORDER,
    found: ([carrier, open]) => `o_carrier_id is ${carrier}, ${open === 'NULL' ? 'no row' : 'a row'} in new_order`,
  },
  {
    number: 6,
    is: 'o_ol_cnt of an order is the number of its lines.',
    readsHistory: false,
    sql: (t, range) =>
      `SELECT o_w_id, o_d_id, o_id, MAX(o_ol_cnt), COUNT(ol_number) FROM ${t.orders}
        LEFT JOIN ${t.order_line} ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
        WHERE ${between('o_w_id', range)} GROUP BY o_w_id, o_d_id, o_id
        HAVING NOT (MAX(o_ol_cnt) <=> COUNT(ol_number)) ORDER BY o_w_id, o_d_id, o_id LIMIT 1`,
    keys: ORDER,
    found: ([counted, there]) => `o_ol_cnt is ${counted}, there are ${there} lines`,
  },
  {
    number: 7,
    is: 'A line has no delivery date as long as its order has no carrier, and only then.',
    readsHistory: false,
    sql: (t, range) =>
      `SELECT o_w_id, o_d_id, o_id, ol_number, o_carrier_id, ol_delivery_d FROM ${t.orders}
        JOIN ${t.order_line} ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
        WHERE ${between('o_w_id', range)} AND (o_carrier_id IS NULL) <> (ol_delivery_d IS NULL)
        ORDER BY o_w_id, o_d_id, o_id, ol_number LIMIT 1`,
    keys: [...ORDER, 'line'],
    found: ([carrier, delivered]) => `o_carrier_id is ${carrier}, ol_delivery_d ${delivered}`,
  },
  {
    number: 8,
    is: 'w_ytd is the sum of h_amount of the warehouse.',
    readsHistory: true,
    sql: (t, range) =>
      `SELECT w_id, w_ytd, COALESCE(paid, 0) FROM ${t.warehouse}
        LEFT JOIN (SELECT h_w_id, SUM(h_amount) AS paid FROM ${t.history}
          WHERE ${between('h_w_id', range)} GROUP BY h_w_id) AS h ON h_w_id = w_id
        WHERE ${between('w_id', range)} AND NOT (w_ytd <=> COALESCE(paid, 0)) ORDER BY w_id LIMIT 1`,
    keys: ['warehouse'],
    found: ([ytd, paid]) => `w_ytd is ${ytd}, h_amount adds up to ${paid}`,
  },
  {
    number: 9,
    is: 'd_ytd is the sum of h_amount of the district.',
    readsHistory: true,
    sql: (t, range) =>
      `SELECT d_w_id, d_id, d_ytd, COALESCE(paid, 0) FROM ${t.district}
        LEFT JOIN (SELECT h_w_id, h_d_id, SUM(h_amount) AS paid FROM ${t.history}
          WHERE ${between('h_w_id', range)} GROUP BY h_w_id, h_d_id) AS h ON h_w_id = d_w_id AND h_d_id = d_id
        WHERE ${between('d_w_id', range)} AND NOT (d_ytd <=> COALESCE(paid, 0)) ORDER BY d_w_id, d_id LIMIT 1`,
    keys: DISTRICT,
    found: ([ytd, paid]) => `d_ytd is ${ytd}, h_amount adds up to ${paid}`,
  },
  {
    number: 10,
    is: 'c_balance is the sum of the delivered ol_amount less the sum of h_amount of the customer.',
    readsHistory: true,
    sql: (t, range) =>
      `SELECT c_w_id, c_d_id, c_id, c_balance, COALESCE(delivered, 0), COALESCE(paid, 0) FROM ${t.customer}
        LEFT JOIN (${deliveredSql(t, range)}) AS o ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id
        LEFT JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) AS paid FROM ${t.history}
          WHERE ${between('h_c_w_id', range)} GROUP BY h_c_w_id, h_c_d_id, h_c_id) AS h
          ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id
        WHERE ${between('c_w_id', range)} AND NOT (c_balance <=> COALESCE(delivered, 0) - COALESCE(paid, 0))
        ORDER BY c_w_id, c_d_id, c_id LIMIT 1`,
    keys: CUSTOMER,
    found: ([balance, delivered, paid]) => `c_balance is ${balance}, delivered was ${delivered}, paid ${paid}`,
  },
  {
    number: 11,
    is: `Right after loading, a district has ${FIRST_NEW_ORDER - 1} orders more than open ones.`,
    readsHistory: false,
    sql: (t, range) =>
      `SELECT * FROM (SELECT d_w_id, d_id,
          (SELECT COUNT(*) FROM ${t.orders} WHERE o_w_id = d_w_id AND o_d_id = d_id) AS orders_there,
          (SELECT COUNT(*) FROM ${t.new_order} WHERE no_w_id = d_w_id AND no_d_id = d_id) AS open_there
          FROM ${t.district} WHERE ${between('d_w_id', range)}) AS districts
        WHERE orders_there - open_there <> ${FIRST_NEW_ORDER - 1} ORDER BY d_w_id, d_id LIMIT 1`,
    keys: DISTRICT,
    found: ([orders, open]) => `${orders} orders, of which ${open} are open`,
  },
  {
    number: 12,
    is: 'c_balance + c_ytd_payment is the sum of the delivered ol_amount of the customer.',
    readsHistory: false,
    sql: (t, range) =>
      `SELECT c_w_id, c_d_id, c_id, c_balance, c_ytd_payment, COALESCE(delivered, 0) FROM ${t.customer}
        LEFT JOIN (${deliveredSql(t, range)}) AS o ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id
        WHERE ${between('c_w_id', range)} AND NOT (c_balance + c_ytd_payment <=> COALESCE(delivered, 0))
        ORDER BY c_w_id, c_d_id, c_id LIMIT 1`,
    keys: CUSTOMER,
    found: ([balance, paid, delivered]) => `c_balance is ${balance}, c_ytd_payment ${paid}, delivered was ${delivered}`,
  },
];

/** What each customer was delivered. */
function deliveredSql(t: Tables, range: WarehouseRange): string {
  return `SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS delivered FROM ${t.orders}
          JOIN ${t.order_line} ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
          WHERE ${between('o_w_id', range)} AND ol_delivery_d IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id`;
}

/** The condition that holds right after loading only. */
export const AFTER_LOAD_CONDITION = 11;

/** Gives a row where orders have been made or delivered since the load. */
export function usedSql(t: Tables): readonly string[] {
  return [
    `SELECT d_w_id FROM ${t.district} WHERE d_next_o_id > ${NEXT_ORDER} LIMIT 1`,
    `SELECT o_w_id FROM ${t.orders} WHERE o_id >= ${FIRST_NEW_ORDER} AND o_carrier_id IS NOT NULL LIMIT 1`,
  ];
}
