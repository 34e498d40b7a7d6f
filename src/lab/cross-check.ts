/**
 * What was sent, against what the server counted. Only counters that must be equal are compared, and they must be
 * equal exactly.
 *
 * Which counters move was found out with MariaDB 10.11, one packet at a time; (M) marks where the MySQL 8 manual
 * ("Server Status Variables", "Caching of Prepared Statements and Stored Programs") says otherwise:
 *
 *   COM_QUERY                    Questions, Queries, Com_<verb>; bytes both ways
 *     that does not parse        Questions, Queries only
 *     refused while running      as if it had succeeded: duplicate key 1062, lock wait 1205, deadlock 1213, no table
 *                                1146, read-only transaction 1792, time limit 1969, kill 1317
 *     ROLLBACK of the engine     Com_rollback, as any other
 *     START TRANSACTION          Com_begin
 *     INSERT … SELECT            Com_insert_select; multi-table UPDATE and DELETE likewise have their own
 *     answered by query cache    Com_select and Qcache_hits; (M) 5.7: Qcache_hits alone
 *   COM_STMT_PREPARE             Com_stmt_prepare, Queries, not Questions; also when refused, such as by 1295
 *   COM_STMT_EXECUTE             Com_stmt_execute, Com_<verb>, Questions, Queries; also when refused
 *     after the table changed    Com_stmt_reprepare, and Com_stmt_prepare, Com_stmt_execute, Com_<verb> once more
 *   COM_STMT_CLOSE               Com_stmt_close, Queries, not Questions; not raised by a disconnect
 *   connect                      Connections; the handshake's bytes both ways
 *   COM_QUIT                     Questions, Queries, 5 bytes
 *   COM_PING                     Com_admin_commands only
 *   COM_RESET_CONNECTION         Com_admin_commands, Questions, Queries
 *   COM_INIT_DB                  Com_change_db, Questions, Queries
 *   SHOW GLOBAL STATUS           Com_show_status, Questions, Queries, all in its own answer already; its request is
 *                                in Bytes_received, its answer not yet in Bytes_sent
 *
 * (M) BEGIN, COMMIT and ROLLBACK cannot all be prepared there: refused with 1295, then sent as text.
 */
import type { SentCounts } from '../load/plan.ts';
import type { CrossCheckRow } from '../model/run.ts';
import type { CounterChange } from '../observe/counters.ts';
import type { ServerFlavor } from '../wire/types.ts';

export interface Comparison {
  readonly sent: SentCounts;
  readonly change: CounterChange;
  readonly flavor: ServerFlavor;
  readonly during: 'set-up' | 'load';
  /** Each connection opened replaces one that was left with COM_QUIT: `--reconnect=N`. */
  readonly isRenewing: boolean;
}

const VERBS_COUNTED = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback'] as const;

/** Throws a `MissingCounter` where the server keeps other books. */
export function crossCheckRows(comparison: Comparison): CrossCheckRow[] {
  const { sent, change, flavor, during, isRenewing } = comparison;
  const again = reprepared(change);
  const quits = during === 'load' && isRenewing ? sent.connects : 0;
  const rows: CrossCheckRow[] = [
    { counter: 'Questions', client: sent.queries + sent.executes + quits, server: change.of('Questions') },
    { counter: 'Connections', client: sent.connects, server: change.of('Connections') },
    { counter: 'Com_stmt_prepare', client: sent.prepares, server: change.of('Com_stmt_prepare') - again },
    { counter: 'Com_stmt_execute', client: sent.executes, server: change.of('Com_stmt_execute') - again },
    { counter: 'Com_stmt_close', client: 0, server: change.of('Com_stmt_close') },
    ...verbRows(comparison, again),
  ];
  // That MySQL counts every byte of its handshakes, of which it has many kinds, has not been verified.
  if (during === 'load' || flavor === 'mariadb') {
    rows.push({ counter: 'Bytes_received', client: sent.bytesSent, server: change.of('Bytes_received') });
    rows.push({ counter: 'Bytes_sent', client: sent.bytesReceived, server: change.of('Bytes_sent') });
  }
  const telling = rows.filter(({ counter, client, server }) => counter === 'Questions' || client !== 0 || server !== 0);
  return during === 'load' ? telling : telling.map((row) => ({ ...row, during }));
}

/** Statements that the server prepared once more on its own, because a table had changed. */
export function reprepared(change: CounterChange): number {
  return change.has('Com_stmt_reprepare') ? change.of('Com_stmt_reprepare') : 0;
}

/** What was prepared again is counted twice under a verb that nobody tells us: then only the sum can be compared. */
function verbRows({ sent, change, flavor }: Comparison, again: number): CrossCheckRow[] {
  const rows = VERBS_COUNTED.map((verb) => {
    const counters = verb === 'select' && flavor === 'mysql' && change.has('Qcache_hits') ? ['Qcache_hits'] : [];
    return {
      counter: [`Com_${verb}`, ...counters].join(' + '),
      client: sent.byVerb[verb] ?? 0,
      server: change.of(`Com_${verb}`, ...counters),
    };
  });
  if (again === 0) return rows;
  const client = rows.reduce((sum, row) => sum + row.client, 0);
  const server = rows.reduce((sum, row) => sum + row.server, 0) - again;
  return [{ counter: rows.map(({ counter }) => counter).join(' + '), client, server }];
}

export function allEqual(rows: readonly CrossCheckRow[]): boolean {
  return rows.every(({ client, server }) => client === server);
}

/**
 * True where only verbs were counted more often than sent, while questions and bytes agree: the server itself ran the
 * rest, for stored procedures, functions or triggers. Statements inside of them raise Com_<verb>, and not Questions.
 */
export function isOnlyMoreVerbs(rows: readonly CrossCheckRow[]): boolean {
  const differing = rows.filter(({ client, server }) => client !== server);
  return differing.every(
    ({ counter, client, server }) => server > client && VERBS_COUNTED.some((verb) => counter.startsWith(`Com_${verb}`)),
  );
}

/** On a server with other users the least that can be asked: that it counted whatever we sent. */
export function noneMissing(rows: readonly CrossCheckRow[]): boolean {
  return rows.every(({ client, server }) => client <= server);
}
