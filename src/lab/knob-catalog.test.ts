/** Which knob is turned for which verdict, and where none can be. */
import { describe, expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import { entryNames } from '../base/catalog.ts';
import { loadWorkload } from '../workload/find.ts';
import type { Knob, KnobCase } from './knob.ts';
import { chooseKnob, PROBED_VERDICTS } from './knob-catalog.ts';
import { planOfRecord } from './probe-plan.ts';

const GIB = 2 ** 30;
const TCP = { host: 'db1', port: 3307, user: 'ben', password: '', database: 'sbtest', sslMode: 'DISABLED' } as const;

const DEFAULTS = {
  innodb_flush_log_at_trx_commit: '1',
  sync_binlog: '1',
  log_bin: 'OFF',
  innodb_buffer_pool_size: String(GIB),
  innodb_log_file_size: String(100 * 2 ** 20),
  innodb_log_buffer_size: String(16 * 2 ** 20),
  innodb_io_capacity_max: '2000',
};

async function caseOf(changed: Partial<KnobCase> = {}, variables: Readonly<Record<string, string>> = {}) {
  const record = closedRun();
  const found = await loadWorkload('oltp_read_write');
  const plan = planOfRecord(record, found, { targets: [TCP], timeS: 8 });
  const it: KnobCase = {
    record,
    plan: { ...plan, threads: 16, workers: 1 },
    flavor: 'mysql',
    variables: new Map(Object.entries({ ...DEFAULTS, ...variables })),
    isPrivate: true,
    socket: { because: 'The server is on another machine.' },
    cores: 4,
    memoryBytes: 8 * GIB,
    ...changed,
  };
  return it;
}

function knobOf(id: string, it: KnobCase, role: 'bottleneck' | 'contributes' = 'bottleneck'): Knob {
  const choice = chooseKnob(id, role, it);
  if (choice.is === 'by hand') throw new Error(choice.because);
  return choice.knob;
}

function changesOf({ turn }: Knob) {
  return turn.is === 'settings' ? turn.changes.map(({ name, before, asked }) => [name, before, asked]) : [];
}

test('every verdict of the diagnosis has its knob, or a sentence for doing it by hand', async () => {
  expect(PROBED_VERDICTS).toEqual(entryNames(new URL('../diagnosis/catalog/', import.meta.url)));
  for (const id of PROBED_VERDICTS) {
    const choice = chooseKnob(id, 'bottleneck', await caseOf());
    if (choice.is === 'by hand') expect([choice.because, choice.how].join(' ')).toMatch(/^[A-Z].*\. [A-Z].*\.$/);
    else expect(choice.knob.expectations.length).toBeGreaterThan(0);
  }
});

describe('settings', () => {
  test.each([
    {
      what: 'the log, where there is no binary log',
      id: 'commit',
      variables: {},
      changes: [['innodb_flush_log_at_trx_commit', 1, 2]],
    },
    {
      what: 'the log and the binary log',
      id: 'commit',
      variables: { log_bin: 'ON' },
      changes: [
        ['innodb_flush_log_at_trx_commit', 1, 2],
        ['sync_binlog', 1, 0],
      ],
    },
    {
      what: 'the binary log alone, where the log is not flushed',
      id: 'commit',
      variables: { log_bin: 'ON', innodb_flush_log_at_trx_commit: '2', sync_binlog: '1000' },
      changes: [['sync_binlog', 1000, 0]],
    },
    {
      what: 'half as much again of the pool',
      id: 'read-io',
      variables: {},
      changes: [['innodb_buffer_pool_size', GIB, 1.5 * GIB]],
    },
    {
      what: 'twice the redo log of MariaDB and old MySQL',
      id: 'redo-pressure',
      variables: {},
      changes: [['innodb_log_file_size', 100 * 2 ** 20, 200 * 2 ** 20]],
    },
    {
      what: 'twice the redo log of newer MySQL, which has the old name too',
      id: 'redo-pressure',
      variables: { innodb_redo_log_capacity: '104857600' },
      changes: [['innodb_redo_log_capacity', 104_857_600, 209_715_200]],
    },
    {
      what: 'twice the buffer',
      id: 'log-buffer',
      variables: {},
      changes: [['innodb_log_buffer_size', 2 ** 24, 2 ** 25]],
    },
    { what: 'twice the flushing', id: 'free-pages', variables: {}, changes: [['innodb_io_capacity_max', 2000, 4000]] },
  ])('$id: $what', async ({ id, variables, changes }) => {
    expect(changesOf(knobOf(id, await caseOf({}, variables)))).toEqual(changes);
  });

  test('a commit that is not flushed is labelled, on MariaDB with how it differs from the file', async () => {
    const mysql = knobOf('commit', await caseOf());
    expect(mysql.b).toContain('(not durable)');
    expect(mysql.notes.join(' ')).toMatch(/not durable/);
    expect(mysql.notes.join(' ')).not.toMatch(/configuration file/);
    expect(knobOf('commit', await caseOf({ flavor: 'mariadb' })).notes.join(' ')).toMatch(/configuration file/);
  });

  test('that reads set the pace foretells more than that they fall', async () => {
    const sides = (role: 'bottleneck' | 'contributes', it: KnobCase) =>
      knobOf('read-io', it, role).expectations.map(({ side, bound }) => [side, bound]);
    const it = await caseOf();
    expect(sides('contributes', it)).toEqual([['at most', 0.8]]);
    expect(sides('bottleneck', it)).toEqual([
      ['at most', 0.8],
      ['at least', 1.05],
    ]);
  });

  test('a larger pool is given time to fill, and no two runs the same rows', async () => {
    const it = await caseOf();
    const missing = (perS: number) => ({
      ...it,
      record: { ...it.record, series: { buffer_pool: { atS: [], values: {}, measured: { misses_per_s: perS } } } },
    });
    expect(knobOf('read-io', it)).toMatchObject({ seeds: 'different', warmupS: 2 });
    // 512 MiB are 32,768 pages; half as long again at 4,000 a second.
    expect(knobOf('read-io', missing(4_000)).warmupS).toBe(13);
    expect(knobOf('read-io', missing(10)).warmupS).toBe(60);
    expect(knobOf('commit', it)).toMatchObject({ seeds: 'same', warmupS: 2 });
  });
});

describe('the load', () => {
  test('half the threads, and no more workers than threads', async () => {
    const it = await caseOf();
    const knob = knobOf('server-cpu', { ...it, plan: { ...it.plan, threads: 3, workers: 2 } });
    expect(knob.turn).toEqual({ is: 'load', plan: { threads: 1, workers: 1 } });
    expect(knob.expectations).toMatchObject([{ side: 'at least', bound: 0.95 }]);
  });

  test('the socket in place of the network, with everything else of the target', async () => {
    const knob = knobOf('network-latency', await caseOf({ socket: { path: '/run/db.sock' } }));
    expect(knob.turn).toMatchObject({ plan: { targets: [{ ...TCP, socketPath: '/run/db.sock' }] } });
    expect(knob.a).toBe('over TCP, db1:3307');
  });

  test('twice the workers, as far as processors and threads go', async () => {
    const it = await caseOf();
    expect(knobOf('client', it).turn).toEqual({ is: 'load', plan: { workers: 2 } });
    expect(knobOf('client', { ...it, plan: { ...it.plan, workers: 3 } }).turn).toMatchObject({ plan: { workers: 4 } });
  });

  test('connections that stay open', async () => {
    const it = await caseOf();
    const knob = knobOf('connection-storm', {
      ...it,
      plan: { ...it.plan, errors: { ...it.plan.errors, reconnectEveryEvents: 5 } },
    });
    expect(knob.turn).toMatchObject({ plan: { errors: { reconnectEveryEvents: 0 } } });
  });

  test.each([
    { threads: 16, size: 1, asked: 1_600, because: 'sixteen threads on ten rows would meet deadlocks instead' },
    { threads: 16, size: 5_000, asked: 50_000, because: 'ten times is enough' },
  ])('ten times the rows, and at least a hundred a thread: $size becomes $asked', async ({ threads, size, asked }) => {
    const it = await caseOf();
    const workload = { name: 'oltp_read_write', options: { tables: 1, table_size: size, skip_trx: false } };
    const knob = knobOf('row-contention', {
      ...it,
      record: { ...it.record, workload },
      plan: { ...it.plan, threads },
    });
    expect(knob.turn).toEqual({ is: 'data', options: { ...workload.options, table_size: asked } });
  });
});

describe('what cannot be turned is said, with what to do', () => {
  test.each<{ id: string; what: string; changed: (it: KnobCase) => Partial<KnobCase>; says: RegExp }>([
    {
      id: 'commit',
      what: 'no commit is flushed',
      changed: () => ({ variables: new Map([['innodb_flush_log_at_trx_commit', '0']]) }),
      says: /No commit waits/,
    },
    { id: 'read-io', what: 'the host has no memory for it', changed: () => ({ memoryBytes: GIB }), says: /too much/ },
    { id: 'redo-pressure', what: 'nothing is told', changed: () => ({ variables: new Map() }), says: /does not tell/ },
    {
      id: 'server-cpu',
      what: 'one thread',
      changed: ({ plan }) => ({ plan: { ...plan, threads: 1 } }),
      says: /cannot be halved/,
    },
    { id: 'network-latency', what: 'the server is far', changed: () => ({}), says: /another machine/ },
    {
      id: 'network-latency',
      what: 'there is no network',
      changed: ({ plan }) => ({ plan: { ...plan, targets: [{ ...TCP, socketPath: '/x' }] } }),
      says: /no network/,
    },
    { id: 'client', what: 'no processor is to spare', changed: () => ({ cores: 1 }), says: /none is to spare/ },
    { id: 'connection-storm', what: 'connections are kept', changed: () => ({}), says: /stay open/ },
    { id: 'row-contention', what: 'the server is not private', changed: () => ({ isPrivate: false }), says: /private/ },
    {
      id: 'row-contention',
      what: 'the data would be huge',
      changed: ({ record }) => ({
        record: { ...record, workload: { name: 'tpcc', options: { scale: 20, tables: 1 } } },
      }),
      says: /200 warehouses take too long/,
    },
  ])('$id: $what', async ({ id, changed, says }) => {
    const it = await caseOf();
    const choice = chooseKnob(id, 'bottleneck', { ...it, ...changed(it) });
    expect(choice).toMatchObject({ is: 'by hand', because: expect.stringMatching(says) });
  });
});
