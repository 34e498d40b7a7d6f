/** Stock level: how many items of the last twenty orders of a district are nearly sold out. */
import { once, openStatements, type StatementForms, WHERE_DISTRICT } from './statements.ts';
import type { Run, TransactionParts } from './transactions-frame.ts';

const THRESHOLD_MIN = 10;
const THRESHOLD_MAX = 20;
const ORDERS_BACK = 20;

export const STOCK_LEVEL = {
  stock_level_district: {
    kind: 'read',
    times: once,
    sql: ({ district }) => `SELECT d_next_o_id FROM ${district} ${WHERE_DISTRICT}`,
  },
  stock_level_count: {
    kind: 'read',
    times: once,
    sql: ({ order_line, stock }) =>
      `SELECT COUNT(DISTINCT s_i_id) FROM ${order_line}, ${stock} WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? ` +
      'AND ol_o_id >= ? AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?',
  },
} as const satisfies StatementForms;

export async function openStockLevel(parts: TransactionParts): Promise<Run> {
  const { inputs, frame } = parts;
  const bySet = await openStatements(STOCK_LEVEL, parts);
  return async (event) => {
    inputs.goHome(event);
    const { warehouse, set } = inputs;
    const district = inputs.stockLevelDistrict(event);
    const threshold = inputs.random.integer(THRESHOLD_MIN, THRESHOLD_MAX);
    const statements = bySet[set]!;
    await frame.beginReading();
    const [row] = await statements.stock_level_district.rows([warehouse, district]);
    if (row === undefined) return frame.notFound(`district ${district} of warehouse ${warehouse}`);
    const next = Number(row[0]);
    await statements.stock_level_count.run([warehouse, district, next, next - ORDERS_BACK, warehouse, threshold]);
    return frame.commit();
  };
}
