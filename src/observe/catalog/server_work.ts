/** What the server does: statements by kind, threads, connections. */
import { defineProbe } from '../probe.ts';
import { NOT_READ, quotient, statusChange } from '../status-change.ts';

const KINDS = ['select', 'insert', 'update', 'delete', 'commit', 'rollback', 'begin'];

export default defineProbe({
  summary: 'Statements by kind, threads that run, connections made and refused.',
  source: 'server',
  between(earlier, later, elapsedS) {
    const status = statusChange(earlier, later);
    if (status === undefined) return NOT_READ;
    const perS = (...names: string[]) => ({ value: quotient(status.change(...names), elapsedS), unit: '1/s' });
    const kinds = Object.fromEntries(KINDS.map((kind) => [`${kind}_per_s`, perS(`Com_${kind}`)]));
    return status.readings({
      questions_per_s: perS('Questions'),
      ...kinds,
      ddl_per_s: {
        value: quotient(sumOfDdl(status.change), elapsedS),
        unit: '1/s',
      },
      threads_running: { value: status.now('Threads_running'), unit: 'count' },
      threads_connected: { value: status.now('Threads_connected'), unit: 'count' },
      connections_per_s: perS('Connections'),
      threads_created_per_s: perS('Threads_created'),
      aborted_connects_per_s: perS('Aborted_connects'),
      connection_errors_max_per_s: perS('Connection_errors_max_connections'),
      prepared_statements: { value: status.now('Prepared_stmt_count'), unit: 'count' },
      bytes_sent_per_s: { ...perS('Bytes_sent'), unit: 'bytes/s' },
      bytes_received_per_s: { ...perS('Bytes_received'), unit: 'bytes/s' },
      // MariaDB with userstat=ON; otherwise it stays 0, which says nothing.
      cpu_s_per_s: { value: positive(quotient(status.change('Cpu_time'), elapsedS)), unit: 's/s' },
    });
  },
});

const DDL = ['alter_table', 'create_table', 'drop_table', 'create_index', 'drop_index', 'truncate', 'optimize'];

function sumOfDdl(change: (name: string) => number | undefined): number | undefined {
  const changes = DDL.map((verb) => change(`Com_${verb}`)).filter((each) => each !== undefined);
  return changes.length === 0 ? undefined : changes.reduce((sum, each) => sum + each, 0);
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
