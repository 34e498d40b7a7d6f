/** What tables of the target's database look like: for prepare, cleanup and the checks before a run. */
import type { Connection } from '../wire/types.ts';
import { asText, isMySqlFrom, quoteText, readRows } from './sql.ts';
import type { TableNeed } from './workload.ts';

export interface TableInfo {
  readonly name: string;
  readonly isView: boolean;
  readonly engine: string;
  readonly comment: string;
  /** The server's estimate: InnoDB may be far off. */
  readonly rowsEstimate: number;
  /** Column types as the server writes them: `int(11) unsigned`. */
  readonly columns: ReadonlyMap<string, string>;
  /** Index name -> its first column. */
  readonly indexes: ReadonlyMap<string, string>;
}

/** Names in one IN list: the query stays far below any server's packet limit. */
const NAMES_PER_QUERY = 500;

/** The tables among `names` that exist in the connection's default database, by name. */
export async function readTables(connection: Connection, names: readonly string[]): Promise<Map<string, TableInfo>> {
  // MySQL 8 keeps table statistics for a day unless told otherwise.
  if (isMySqlFrom(connection.server, 8)) await connection.execute('SET SESSION information_schema_stats_expiry = 0');
  const tables = new Map<string, TableInfo>();
  for (let from = 0; from < names.length; from += NAMES_PER_QUERY) {
    await readSomeTables(connection, names.slice(from, from + NAMES_PER_QUERY), tables);
  }
  return tables;
}

async function readSomeTables(connection: Connection, names: readonly string[], into: Map<string, TableInfo>) {
  const where = `TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${names.map(quoteText).join(', ')})`;
  const found = await readRows(
    connection,
    `SELECT TABLE_NAME, TABLE_TYPE, ENGINE, TABLE_COMMENT, TABLE_ROWS FROM information_schema.TABLES WHERE ${where}`,
  );
  if (found.length === 0) return;
  const columns = await readRows(
    connection,
    `SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE ${where} ORDER BY ORDINAL_POSITION`,
  );
  const indexes = await readRows(
    connection,
    `SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE ${where} AND SEQ_IN_INDEX = 1`,
  );
  const columnsByTable = pairsByTable(columns);
  const indexesByTable = pairsByTable(indexes);
  for (const [table, type, engine, comment, rows] of found) {
    const name = asText(table);
    into.set(name, {
      name,
      isView: asText(type) === 'VIEW',
      engine: asText(engine),
      comment: asText(comment),
      rowsEstimate: Number(rows ?? 0),
      columns: columnsByTable.get(name) ?? new Map(),
      indexes: indexesByTable.get(name) ?? new Map(),
    });
  }
}

function pairsByTable(rows: Awaited<ReturnType<typeof readRows>>): Map<string, Map<string, string>> {
  const byTable = new Map<string, Map<string, string>>();
  for (const [table, key, value] of rows) {
    const name = asText(table);
    const pairs = byTable.get(name) ?? new Map<string, string>();
    byTable.set(name, pairs.set(asText(key), asText(value)));
  }
  return byTable;
}

/** What is wrong with the table's shape, as the end of a sentence, or undefined. */
export function misfitOf(
  info: TableInfo,
  wanted: TableNeed['columns'],
  { otherColumns }: { readonly otherColumns: 'allowed' | 'refused' } = { otherColumns: 'allowed' },
): string | undefined {
  if (info.isView) return 'is a view';
  for (const [column, type] of Object.entries(wanted)) {
    const actual = info.columns.get(column);
    if (actual === undefined) return `has no column ${column}`;
    if (!isTypeAsGood(actual, type)) return `has ${column} as ${actual} where ${type} is wanted`;
  }
  if (otherColumns === 'refused') {
    const other = [...info.columns.keys()].find((column) => wanted[column] === undefined);
    if (other !== undefined) return `has a column ${other} more`;
  }
  return undefined;
}

const INTEGER_TYPES = ['int', 'bigint'];
const TEXT_TYPES = ['char', 'varchar'];

/** Wider will do: older versions of sysbench made `int(10) unsigned`, and forks use BIGINT and VARCHAR. */
function isTypeAsGood(actual: string, wanted: string): boolean {
  const [actualBase, actualLength] = splitType(actual);
  const [wantedBase, wantedLength] = splitType(wanted);
  if (INTEGER_TYPES.includes(wantedBase)) {
    return INTEGER_TYPES.indexOf(actualBase) >= INTEGER_TYPES.indexOf(wantedBase);
  }
  if (TEXT_TYPES.includes(wantedBase)) {
    return TEXT_TYPES.includes(actualBase) && (actualLength ?? 0) >= (wantedLength ?? 0);
  }
  return actualBase === wantedBase;
}

function splitType(type: string): [base: string, length: number | undefined] {
  const match = /^(\w+)(?:\((\d+)\))?/.exec(type.toLowerCase());
  return [match?.[1] ?? type, match?.[2] === undefined ? undefined : Number(match[2])];
}
