/** How large tables are, by the server's statistics and by the sizes of their files where it shows them. */
import { ServerError } from '../wire/errors.ts';
import type { Connection } from '../wire/types.ts';
import { asText, isMySqlFrom, quoteText, type Row, readRows } from '../workload/sql.ts';
import type { TableLook } from './collected.ts';

/** More names than this are not listed: all tables of the database are read then, and those that are meant picked. */
const NAMES_MAX = 500;
/** A server with very many tables opens each of them to answer. */
const QUERY_MS_MAX = 1_000;
const SYSTEM_SCHEMAS = ['mysql', 'sys', 'performance_schema', 'information_schema'];

/** Of these tables of the connection's database; without names of all of its, without a database of all there are. */
export async function readTableLooks(
  connection: Connection,
  names: readonly string[] | undefined,
): Promise<readonly TableLook[]> {
  if (names?.length === 0) return [];
  // MySQL 8 keeps statistics of tables for a day unless told otherwise.
  if (isMySqlFrom(connection.server, 8)) await connection.execute('SET SESSION information_schema_stats_expiry = 0');
  const [current] = await readRows(connection, 'SELECT DATABASE()');
  const isInDatabase = asText(current?.[0]) !== '';
  const schemas = isInDatabase
    ? 'TABLE_SCHEMA = DATABASE()'
    : `TABLE_SCHEMA NOT IN (${SYSTEM_SCHEMAS.map(quoteText).join(', ')})`;
  const listed =
    names === undefined || names.length > NAMES_MAX ? '' : ` AND TABLE_NAME IN (${names.map(quoteText).join(', ')})`;
  const rows = await readRows(
    connection,
    limited(
      connection,
      `TABLE_NAME, TABLE_ROWS, DATA_LENGTH + INDEX_LENGTH FROM information_schema.TABLES WHERE ${schemas} AND TABLE_TYPE = 'BASE TABLE'${listed}`,
    ),
  );
  const fileBytes = isInDatabase ? await readFileBytes(connection) : new Map<string, number>();
  const wanted = names === undefined ? undefined : new Set(names);
  return rows
    .map(([name, estimate, bytes]) => ({
      name: asText(name),
      rowsEstimate: Number(estimate ?? 0),
      // The statistics may be of a time when the table was empty, and the file be longer than what is in it.
      bytes: Math.max(Number(bytes ?? 0), fileBytes.get(asText(name)) ?? 0),
    }))
    .filter(({ name }) => wanted === undefined || wanted.has(name));
}

/** Views of InnoDB's own, for users with the PROCESS privilege. Their names differ, and no version tells which. */
const TABLESPACES = ['INNODB_SYS_TABLESPACES', 'INNODB_TABLESPACES'];

async function readFileBytes(connection: Connection): Promise<ReadonlyMap<string, number>> {
  for (const view of TABLESPACES) {
    try {
      const sql = `NAME, FILE_SIZE FROM information_schema.${view} WHERE SUBSTRING_INDEX(NAME, '/', 1) = DATABASE()`;
      return sizesOf(await readRows(connection, limited(connection, sql)));
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
    }
  }
  return new Map();
}

/** Partitions are files of their own: `sbtest/sbtest1#P#p0`. */
function sizesOf(rows: readonly Row[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const [path, size] of rows) {
    const table = asText(path).split('/')[1]?.split('#')[0] ?? '';
    sizes.set(table, (sizes.get(table) ?? 0) + Number(size ?? 0));
  }
  return sizes;
}

/** The server itself gives up after a while: a query that nobody waits for any more would still burden it. */
function limited({ server }: Connection, query: string): string {
  return server.flavor === 'mariadb'
    ? `SET STATEMENT max_statement_time = ${QUERY_MS_MAX / 1000} FOR SELECT ${query}`
    : `SELECT /*+ MAX_EXECUTION_TIME(${QUERY_MS_MAX}) */ ${query}`;
}
