/** The statements of a new order: one for each line, or with a switch one for all lines. */
import type { Switches } from './profiles.ts';
import { anyOf, DISTRICTS, lockOf, once, type StatementForms, WHERE_DISTRICT } from './statements.ts';
import { LINES_MEAN, ROLLBACK_ONE_IN } from './transactions-order.ts';

const TEXTS = Array.from({ length: DISTRICTS }, (_, district) => `s_dist_${String(district + 1).padStart(2, '0')}`);
/** Lines whose stock is taken: all, but for the last of an order that is rolled back. */
const LINES_DONE = LINES_MEAN - 1 / ROLLBACK_ONE_IN;

const perLine = (on: Switches): number => (on.has('new_order_in_batches') ? 0 : LINES_DONE);

function textColumns(on: Switches): string {
  return on.has('stock_reads_one_text') ? `ELT(?, ${TEXTS.join(', ')})` : TEXTS.join(', ');
}

function stockChange(on: Switches): string {
  const counters = ', s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + ?';
  return `SET s_quantity = ?${on.has('stock_counters_not_kept') ? '' : counters}`;
}

function insertLines(table: string, count: number): string {
  const columns = 'ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info';
  const values = Array.from({ length: count }, () => '(?, ?, ?, ?, ?, ?, ?, ? * 0.01, ?)');
  return `INSERT INTO ${table} (${columns}) VALUES ${values.join(', ')}`;
}

export const NEW_ORDER = {
  new_order_customer: {
    kind: 'read',
    times: once,
    sql: ({ customer, warehouse }) =>
      `SELECT c_discount, c_last, c_credit, w_tax FROM ${customer}, ${warehouse} ` +
      'WHERE w_id = ? AND c_w_id = w_id AND c_d_id = ? AND c_id = ?',
  },
  new_order_district: {
    kind: 'read',
    times: once,
    sql: ({ district }) => `SELECT d_next_o_id, d_tax FROM ${district} ${WHERE_DISTRICT} FOR UPDATE`,
  },
  new_order_number: {
    kind: 'write',
    times: once,
    sql: ({ district }) => `UPDATE ${district} SET d_next_o_id = d_next_o_id + 1 ${WHERE_DISTRICT}`,
  },
  new_order_order: {
    kind: 'write',
    times: once,
    sql: ({ orders }) =>
      `INSERT INTO ${orders} (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) ` +
      'VALUES (?, ?, ?, ?, NOW(), ?, ?)',
  },
  new_order_undelivered: {
    kind: 'write',
    times: once,
    sql: ({ new_order }) => `INSERT INTO ${new_order} (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)`,
  },
  new_order_item: {
    kind: 'read',
    times: (on) => (on.has('new_order_in_batches') ? 0 : LINES_MEAN),
    sql: ({ item }) => `SELECT i_price, i_name, i_data FROM ${item} WHERE i_id = ?`,
  },
  new_order_stock: {
    kind: 'read',
    times: perLine,
    sql: ({ stock }, on) =>
      `SELECT s_quantity, s_data, ${textColumns(on)} FROM ${stock} WHERE s_w_id = ? AND s_i_id = ?${lockOf(on)}`,
  },
  new_order_stock_change: {
    kind: 'write',
    times: () => LINES_DONE,
    sql: ({ stock }, on) => `UPDATE ${stock} ${stockChange(on)} WHERE s_w_id = ? AND s_i_id = ?`,
  },
  new_order_line: {
    kind: 'write',
    times: perLine,
    sql: ({ order_line }) => insertLines(order_line, 1),
  },
} as const satisfies StatementForms;

const inBatches = (on: Switches): number => (on.has('new_order_in_batches') ? 1 : 0);

/** For an order of so many lines, with `new_order_in_batches`. */
export function batchForms(lines: number) {
  return {
    new_order_items: {
      kind: 'read',
      times: inBatches,
      sql: ({ item }) =>
        `SELECT i_id, i_price, i_name, i_data FROM ${item} WHERE i_id IN (${Array(lines).fill('?').join(', ')})`,
    },
    new_order_stocks: {
      kind: 'read',
      times: inBatches,
      sql: ({ stock }, on) =>
        `SELECT s_w_id, s_i_id, s_quantity, s_data, ${TEXTS.join(', ')} FROM ${stock} ` +
        `WHERE ${anyOf(['s_w_id', 's_i_id'], lines)}${lockOf(on)}`,
    },
    new_order_lines: {
      kind: 'write',
      times: inBatches,
      sql: ({ order_line }) => insertLines(order_line, lines),
    },
  } as const satisfies StatementForms;
}
