/** What oltp_insert needs beyond tables of the right shape: ids that will be free. */

import { formatCount } from '../../base/units.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, readNumber, readRows } from '../sql.ts';
import type { TargetProblem } from '../workload.ts';
import { ID_MAX, type TableOptions } from './options.ts';
import { tableNames } from './tables.ts';
import { WINDOW_IDS } from './unique-ids.ts';

export function inspectIds(connection: Connection, options: TableOptions): Promise<TargetProblem[]> {
  return options.auto_inc ? inspectAutoIncrement(connection, options) : inspectRoom(connection, options);
}

async function inspectAutoIncrement(connection: Connection, options: TableOptions): Promise<TargetProblem[]> {
  const problems: TargetProblem[] = [];
  const [mode] = await readRows(connection, 'SELECT @@SESSION.sql_mode');
  if (asText(mode?.[0]).includes('NO_AUTO_VALUE_ON_ZERO')) {
    problems.push({
      id: 'no-auto-value-on-zero',
      severity: 'stop',
      is: "The server's sql_mode has NO_AUTO_VALUE_ON_ZERO: it would take the id 0 as it is, once and not again.",
      remedy: 'Take it out of sql_mode, or use --auto-inc=off with tables prepared that way.',
    });
  }
  const rows = await readRows(
    connection,
    'SELECT TABLE_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ' +
      "AND COLUMN_NAME = 'id' AND EXTRA LIKE '%auto_increment%'",
  );
  const numbered = new Set(rows.map(([name]) => asText(name)));
  const plain = tableNames(options.tables).find((name) => !numbered.has(name));
  if (plain !== undefined) {
    problems.push({
      id: 'no-auto-increment',
      severity: 'stop',
      is: `${plain} does not number its rows: its id is not AUTO_INCREMENT.`,
      remedy: 'Give --auto-inc=off, with which it was prepared; or cleanup, and prepare with --auto-inc=on.',
    });
  }
  return problems;
}

async function inspectRoom(connection: Connection, options: TableOptions): Promise<TargetProblem[]> {
  const problems: TargetProblem[] = [];
  for (const table of tableNames(options.tables)) {
    const highest = await readNumber(connection, `SELECT MAX(id) FROM ${table}`);
    if (highest + WINDOW_IDS <= ID_MAX) continue;
    problems.push({
      id: 'no-ids-left',
      severity: 'stop',
      is: `${table} has ids up to ${formatCount(highest)}, which leaves too few below ${formatCount(ID_MAX)}.`,
      remedy: 'Start with empty tables: cleanup, then prepare; or use --auto-inc=on.',
    });
  }
  return problems;
}
