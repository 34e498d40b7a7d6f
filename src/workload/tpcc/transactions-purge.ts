/**
 * Purge, with `--enable-purge`: ten small transactions that delete an old order and ten rows of history each, so that
 * a long run does not fill the disk.
 */

import { FIRST_NEW_ORDER } from './rows.ts';
import { openStatements, type StatementForms, type Statements } from './statements.ts';
import type { Frame, Run, TransactionParts } from './transactions-frame.ts';

export const PURGE_PARTS = 10;
const HISTORY_ROWS = 10;

const perPart = (): number => PURGE_PARTS;

export const PURGE = {
  purge_oldest: {
    kind: 'read',
    times: perPart,
    sql: ({ new_order }) => `SELECT MIN(no_o_id) FROM ${new_order} WHERE no_w_id = ? AND no_d_id = ?`,
  },
  purge_order: {
    kind: 'read',
    times: perPart,
    sql: ({ orders }) =>
      `SELECT MIN(o_id) FROM ${orders} WHERE o_w_id = ? AND o_d_id = ? AND o_id >= ? AND o_id < ? ` +
      'GROUP BY o_c_id HAVING COUNT(*) > 1 LIMIT 1',
  },
  purge_lines: {
    kind: 'write',
    times: perPart,
    sql: ({ order_line }) => `DELETE FROM ${order_line} WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?`,
  },
  purge_delete_order: {
    kind: 'write',
    times: perPart,
    sql: ({ orders }) => `DELETE FROM ${orders} WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?`,
  },
  purge_history: {
    kind: 'write',
    times: perPart,
    sql: ({ history }) => `DELETE FROM ${history} WHERE h_w_id = ? AND h_d_id = ? LIMIT ${HISTORY_ROWS}`,
  },
} as const satisfies StatementForms;

type PurgeStatements = Statements<typeof PURGE>;

export async function openPurge(parts: TransactionParts): Promise<Run> {
  const { inputs, frame } = parts;
  const bySet = await openStatements(PURGE, parts);
  return async (event) => {
    for (let part = 0; part < PURGE_PARTS; part++) {
      inputs.goHome(event);
      await purgeDistrict(bySet[inputs.set]!, [inputs.warehouse, inputs.district()], frame);
    }
    return undefined;
  };
}

async function purgeDistrict(
  statements: PurgeStatements,
  district: readonly [warehouse: number, district: number],
  frame: Frame,
): Promise<void> {
  await frame.begin();
  const [oldest] = await statements.purge_oldest.rows(district);
  if (oldest?.[0] != null) {
    const [order] = await statements.purge_order.rows([...district, FIRST_NEW_ORDER, Number(oldest[0])]);
    if (order !== undefined) {
      const key = [...district, Number(order[0])];
      await statements.purge_lines.run(key);
      await statements.purge_delete_order.run(key);
      await statements.purge_history.run(district);
    }
  }
  await frame.commit();
}
