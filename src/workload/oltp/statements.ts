/** The statements of the OLTP family, in the groups in which a transaction sends them. */

import type { Random } from '../../base/random.ts';
import { fillTemplate } from '../../base/random-text.ts';
import type { SqlParameter } from '../../wire/types.ts';
import type { KeyDistribution, StatementKind } from '../workload.ts';
import type { OltpOptions } from './options.ts';
import { C_TEMPLATE, PAD_TEMPLATE } from './tables.ts';

export interface StatementForm {
  readonly kind: StatementKind;
  readonly sql: (table: string) => string;
}

/** By the names under which the report shows them. */
export const STATEMENTS = {
  point_select: { kind: 'read', sql: (table) => `SELECT c FROM ${table} WHERE id=?` },
  simple_range: { kind: 'read', sql: (table) => `SELECT c FROM ${table} WHERE id BETWEEN ? AND ?` },
  sum_range: { kind: 'read', sql: (table) => `SELECT SUM(k) FROM ${table} WHERE id BETWEEN ? AND ?` },
  order_range: { kind: 'read', sql: (table) => `SELECT c FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY c` },
  distinct_range: {
    kind: 'read',
    sql: (table) => `SELECT DISTINCT c FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY c`,
  },
  index_update: { kind: 'write', sql: (table) => `UPDATE ${table} SET k=k+1 WHERE id=?` },
  non_index_update: { kind: 'write', sql: (table) => `UPDATE ${table} SET c=? WHERE id=?` },
  delete: { kind: 'write', sql: (table) => `DELETE FROM ${table} WHERE id=?` },
  insert: { kind: 'write', sql: (table) => `INSERT INTO ${table} (id, k, c, pad) VALUES (?, ?, ?, ?)` },
} as const satisfies Readonly<Record<string, StatementForm>>;
export type StatementName = keyof typeof STATEMENTS;

/** What the parameters are drawn from; one for each session. */
export interface Draws {
  readonly random: Random;
  readonly keys: KeyDistribution;
  readonly tableSize: number;
  readonly rangeSize: number;
}

/** Writes new parameters over the old ones: an array for each statement of the group. */
type Drawer = (draws: Draws, parameters: readonly SqlParameter[][]) => void;

/** Statements sent to one table, one after another, `count` times; the table is drawn once, the keys each time. */
export interface Group {
  readonly statements: readonly StatementName[];
  readonly count: (options: OltpOptions) => number;
  /** Left out altogether, not even prepared, with `--range-selects=off`. */
  readonly isRange: boolean;
  readonly draw: Drawer;
}

export const GROUPS = {
  point_selects: {
    statements: ['point_select'],
    count: (options) => options.point_selects,
    isRange: false,
    draw: drawId,
  },
  simple_ranges: {
    statements: ['simple_range'],
    count: (options) => options.simple_ranges,
    isRange: true,
    draw: drawRange,
  },
  sum_ranges: { statements: ['sum_range'], count: (options) => options.sum_ranges, isRange: true, draw: drawRange },
  order_ranges: {
    statements: ['order_range'],
    count: (options) => options.order_ranges,
    isRange: true,
    draw: drawRange,
  },
  distinct_ranges: {
    statements: ['distinct_range'],
    count: (options) => options.distinct_ranges,
    isRange: true,
    draw: drawRange,
  },
  index_updates: {
    statements: ['index_update'],
    count: (options) => options.index_updates,
    isRange: false,
    draw: drawId,
  },
  non_index_updates: {
    statements: ['non_index_update'],
    count: (options) => options.non_index_updates,
    isRange: false,
    draw: drawTextAndId,
  },
  delete_inserts: {
    statements: ['delete', 'insert'],
    count: (options) => options.delete_inserts,
    isRange: false,
    draw: drawDeleteAndInsert,
  },
  /** One read or one delete, whatever the options say. */
  one_point_select: { statements: ['point_select'], count: () => 1, isRange: false, draw: drawId },
  one_delete: { statements: ['delete'], count: () => 1, isRange: false, draw: drawId },
} as const satisfies Readonly<Record<string, Group>>;
export type GroupName = keyof typeof GROUPS;

/** The four range reads, in the order in which they are sent. */
export const RANGE_GROUPS = ['simple_ranges', 'sum_ranges', 'order_ranges', 'distinct_ranges'] as const;
/** The writes, in the order in which they are sent. */
export const WRITE_GROUPS = ['index_updates', 'non_index_updates', 'delete_inserts'] as const;

/** Hot. */
function drawId(draws: Draws, parameters: readonly SqlParameter[][]): void {
  parameters[0]![0] = draws.keys.draw(draws.random, 1, draws.tableSize);
}

/** Hot. The upper end may lie above the last id: ranges near the end are short, as in sysbench. */
function drawRange(draws: Draws, parameters: readonly SqlParameter[][]): void {
  const range = parameters[0]!;
  const from = draws.keys.draw(draws.random, 1, draws.tableSize);
  range[0] = from;
  range[1] = from + draws.rangeSize - 1;
}

/** Hot. */
function drawTextAndId(draws: Draws, parameters: readonly SqlParameter[][]): void {
  const update = parameters[0]!;
  update[0] = fillTemplate(draws.random, C_TEMPLATE);
  update[1] = draws.keys.draw(draws.random, 1, draws.tableSize);
}

/** Hot. The row that is deleted comes back with the same id and everything else new. */
function drawDeleteAndInsert(draws: Draws, parameters: readonly SqlParameter[][]): void {
  const insert = parameters[1]!;
  const id = draws.keys.draw(draws.random, 1, draws.tableSize);
  parameters[0]![0] = id;
  insert[0] = id;
  insert[1] = draws.keys.draw(draws.random, 1, draws.tableSize);
  insert[2] = fillTemplate(draws.random, C_TEMPLATE);
  insert[3] = fillTemplate(draws.random, PAD_TEMPLATE);
}
