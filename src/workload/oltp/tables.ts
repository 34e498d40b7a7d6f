/** The tables of the OLTP family: names, columns and keys as sysbench makes them, so that either serves the other. */
import type { TableNeed } from '../workload.ts';
import type { TableOptions } from './options.ts';

/** Ten groups of eleven digits: 119 characters. */
export const C_TEMPLATE = Array.from({ length: 10 }, () => '#'.repeat(11)).join('-');
/** Five groups of eleven digits: 59 characters. */
export const PAD_TEMPLATE = Array.from({ length: 5 }, () => '#'.repeat(11)).join('-');

export const TABLE_COLUMNS = { id: 'int', k: 'int', c: 'char(120)', pad: 'char(60)' } as const;

export function tableName(number: number): string {
  return `sbtest${number}`;
}

export function tableNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => tableName(index + 1));
}

/** The index on `k` of table `number`. */
export function secondaryIndexName(number: number): string {
  return `k_${number}`;
}

export function tableNeeds(tables: number, rowsMin: number): TableNeed[] {
  return tableNames(tables).map((name) => ({ name, columns: TABLE_COLUMNS, rowsMin }));
}

/** `comment` comes before the user's own options: a partition clause must be last. */
export function createTableSql(number: number, options: TableOptions, comment: string): string {
  const autoIncrement = options.auto_inc ? ' AUTO_INCREMENT' : '';
  const key = options.secondary ? 'KEY xid (id)' : 'PRIMARY KEY (id)';
  const lines = [
    `CREATE TABLE ${tableName(number)} (`,
    `  id INTEGER NOT NULL${autoIncrement},`,
    `  k INTEGER DEFAULT '0' NOT NULL,`,
    `  c CHAR(120) DEFAULT '' NOT NULL,`,
    `  pad CHAR(60) DEFAULT '' NOT NULL,`,
    `  ${key}`,
    `) ENGINE = ${options.mysql_storage_engine} COMMENT = '${comment}' ${options.create_table_options}`,
  ];
  return lines.join('\n').trimEnd();
}
