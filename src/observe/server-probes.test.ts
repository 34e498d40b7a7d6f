/** What the probes make of a server's status, by both vendors' names; and that docs/probes.md tells all of it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { entryNames, loadEntry } from '../base/catalog.ts';
import type { Moment, Probe, ProbeFacts, Reading } from './probe.ts';

const CATALOG = new URL('catalog/', import.meta.url);
const PAGE = readFileSync(new URL('../../docs/probes.md', import.meta.url), 'utf8');
const ELAPSED_S = 10;

/** Every counter goes from 1,000 to 1,500; gauges stand as they are given. */
const COUNTERS = [
  ...'select insert update delete begin commit rollback alter_table'.split(' ').map((kind) => `Com_${kind}`),
  ...'Questions Connections Threads_created Aborted_connects Connection_errors_max_connections'.split(' '),
  ...'Bytes_sent Bytes_received Cpu_time Binlog_commits Binlog_group_commits Binlog_bytes_written'.split(' '),
  ...'Binlog_cache_disk_use Created_tmp_tables Created_tmp_disk_tables Opened_tables Table_locks_waited'.split(' '),
  ...'Table_open_cache_misses Table_open_cache_overflows Sort_merge_passes Select_full_join'.split(' '),
  ...'Handler_read_rnd_next Handler_read_key wsrep_flow_control_paused_ns wsrep_local_cert_failures'.split(' '),
  ...'wsrep_flow_control_sent wsrep_replicated_bytes wsrep_local_bf_aborts'.split(' '),
  ...'buffer_pool_reads buffer_pool_read_requests buffer_pool_read_ahead pages_read pages_written'
    .split(' ')
    .map((name) => `Innodb_${name}`),
  ...'buffer_pool_pages_lru_flushed buffer_pool_wait_free lsn_current os_log_written log_write_requests'
    .split(' ')
    .map((name) => `Innodb_${name}`),
  ...'log_writes log_waits os_log_fsyncs data_fsyncs row_lock_waits row_lock_time deadlocks'
    .split(' ')
    .map((name) => `Innodb_${name}`),
];
const GAUGES: Readonly<Record<string, number>> = {
  Threads_running: 5,
  Threads_connected: 9,
  Prepared_stmt_count: 44,
  Innodb_page_size: 16_384,
  Innodb_buffer_pool_pages_total: 8_192,
  Innodb_buffer_pool_pages_data: 6_000,
  Innodb_buffer_pool_pages_free: 2_000,
  Innodb_buffer_pool_pages_dirty: 600,
  Innodb_checkpoint_age: 40,
  Innodb_checkpoint_max_age: 80,
  Innodb_data_pending_reads: 6,
  Innodb_row_lock_current_waits: 3,
  Innodb_history_list_length: 77,
  wsrep_cluster_size: 3,
  wsrep_local_recv_queue: 2,
  wsrep_local_send_queue: 1,
  wsrep_local_state: 4,
};
const REPLICA = { sources: 1, isReceiving: true, isApplying: false, secondsBehind: 4 };
const FACTS: ProbeFacts = { variables: new Map([['log_bin', 'ON']]), flavor: 'mariadb' };

function moment(atMs: number, counter: number, changes: Readonly<Record<string, number | undefined>> = {}): Moment {
  const all = { ...Object.fromEntries(COUNTERS.map((name) => [name, counter])), ...GAUGES, ...changes };
  const status = Object.entries(all).filter((entry): entry is [string, number] => entry[1] !== undefined);
  const metrics = new Map([['buffer_flush_sync_total_pages', counter]]);
  return { atMs, server: { status: new Map(status), metrics, replica: REPLICA } };
}

const MOMENTS = [moment(0, 1_000), moment(ELAPSED_S * 1_000, 1_500)] as const;

async function readingsOf(name: string, moments = MOMENTS, facts = FACTS): Promise<Record<string, Reading> | string> {
  const probe = (await loadEntry(CATALOG, name)) as Probe;
  return probe.between(moments[0], moments[1], ELAPSED_S, facts);
}

async function serverProbes(): Promise<string[]> {
  const names: string[] = [];
  for (const name of entryNames(CATALOG)) {
    if (((await loadEntry(CATALOG, name)) as Probe).source === 'server') names.push(name);
  }
  return names;
}

test('the page tells every figure of the server with its unit, and no other', async () => {
  const given: string[] = [];
  const probes = await serverProbes();
  for (const probe of probes) {
    const readings = await readingsOf(probe);
    for (const [name, { unit }] of Object.entries(readings)) given.push(`${probe}.${name} in ${unit}`);
  }
  const rows = [...PAGE.matchAll(/^\| `([\w.]+)` \| (\S+) \|/gm)].map((match) => `${match[1]} in ${match[2]}`);
  const told = rows.filter((row) => probes.includes(row.split('.')[0] ?? ''));
  expect(told.sort()).toEqual(given.sort());
});

describe('the arithmetic', () => {
  test('counters become rates, pages become bytes', async () => {
    const pool = (await readingsOf('buffer_pool')) as Record<string, Reading>;
    expect(pool['misses_per_s']).toEqual({ value: 50, unit: '1/s' });
    expect(pool['total_bytes']!.value).toBe(128 * 2 ** 20);
    expect(pool['dirty_ratio']!.value).toBe(0.1);
  });

  test('lock time becomes sessions that wait', async () => {
    const locks = (await readingsOf('row_locks')) as Record<string, Reading>;
    // 500 ms in 10 s: on average a twentieth of a session.
    expect(locks['waiting']!.value).toBeCloseTo(0.05, 9);
    expect(locks['mean_wait_ms']!.value).toBe(1);
  });

  test.each([
    { by: 'MariaDB’s counters', changes: {}, variables: {}, age: 0.5 },
    {
      by: 'MySQL’s log positions',
      changes: {
        Innodb_checkpoint_age: undefined,
        Innodb_checkpoint_max_age: undefined,
        Innodb_redo_log_current_lsn: 900,
        Innodb_redo_log_checkpoint_lsn: 700,
        Innodb_redo_log_capacity_resized: 1_000,
      },
      variables: {},
      age: 0.2,
    },
    {
      by: 'the size of the files, where the server tells no capacity',
      changes: { Innodb_checkpoint_max_age: undefined },
      variables: { innodb_log_file_size: '50', innodb_log_files_in_group: '2' },
      age: 0.4,
    },
  ])('the age of the checkpoint, by $by', async ({ changes, variables, age }) => {
    const moments = [moment(0, 1_000, changes), moment(10_000, 1_500, changes)] as const;
    const facts = { ...FACTS, variables: new Map(Object.entries(variables)) };
    const redo = (await readingsOf('redo_log', moments, facts)) as Record<string, Reading>;
    expect(redo['checkpoint_age_ratio']!.value).toBeCloseTo(age, 9);
  });
});

describe('a member of a cluster, and a replica', () => {
  test('nanoseconds in which it was held back become a share of the time', async () => {
    const moments = [
      moment(0, 0, { wsrep_flow_control_paused_ns: 0 }),
      moment(10_000, 1, { wsrep_flow_control_paused_ns: 2.5e9 }),
    ] as const;
    const cluster = (await readingsOf('replication', moments)) as Record<string, Reading>;
    expect(cluster['flow_control_paused']!.value).toBe(0.25);
    expect(cluster['cluster_is_synced']!.value).toBe(1);
  });

  test.each([0, 1, 2, 3])('state %i of wsrep is not synced', async (state) => {
    const moments = [moment(0, 0), moment(10_000, 1, { wsrep_local_state: state })] as const;
    const cluster = (await readingsOf('replication', moments)) as Record<string, Reading>;
    expect(cluster['cluster_is_synced']!.value).toBe(0);
  });

  test('a server that is a replica only has no figures of a cluster', async () => {
    const status = new Map([['wsrep_cluster_size', 0]]);
    const replica = { sources: 1, isReceiving: false, isApplying: true };
    const alone = [0, 1].map((atMs) => ({ atMs, server: { status, replica } }));
    expect(await readingsOf('replication', [alone[0]!, alone[1]!])).toEqual({
      is_receiving: { value: 0, unit: 'flag' },
      is_applying: { value: 1, unit: 'flag' },
    });
  });
});

describe('what is not there', () => {
  test('a server that was not read is said to be so, by every probe', async () => {
    for (const name of await serverProbes()) {
      expect(await readingsOf(name, [{ atMs: 0 }, { atMs: 1 }])).toMatch(/^The server .*\.$/);
    }
  });

  test('counters that a server does not have are left out', async () => {
    const empty = { status: new Map([['Questions', 1]]) };
    const moments = [
      { atMs: 0, server: empty },
      { atMs: 1, server: empty },
    ] as const;
    expect(await readingsOf('server_work', moments)).toEqual({ questions_per_s: { value: 0, unit: '1/s' } });
    expect(await readingsOf('row_locks', moments)).toEqual({});
  });

  test('without a binary log, a replica or a cluster there is a sentence', async () => {
    const variables = new Map([['log_bin', 'OFF']]);
    expect(await readingsOf('binlog', MOMENTS, { ...FACTS, variables })).toMatch(/no binary log/);
    const alone = [0, 1].map((atMs) => ({ atMs, server: { status: new Map([['wsrep_cluster_size', 0]]) } }));
    expect(await readingsOf('replication', [alone[0]!, alone[1]!])).toMatch(/no replica/);
  });
});
