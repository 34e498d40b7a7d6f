import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RUN_FORMAT, type RunRecord } from '../model/run.ts';
import { storeDirectory } from './location.ts';
import { newRunId, RUN_ID } from './run-id.ts';
import { openStore } from './store.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sqldyno-test-store-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
});

const LATENCY = { count: 0, minUs: 0, meanUs: 0, maxUs: 0, sumUs: 0, histogram: '' };

function sampleRun(id: string, changes: Partial<RunRecord> = {}): RunRecord {
  const totals = {
    elapsedS: 1,
    transactions: { committed: 5, byName: { all: 5 } },
    statements: { read: 5, write: 0, other: 0, wasted: 0, writesWithoutEffect: 0, byName: {} },
    rowsRead: 5,
    bytes: { sent: 1, received: 2 },
    errors: [],
    retries: 0,
    rollbacks: 0,
    reconnects: 0,
    dropped: 0,
    unfinished: 0,
    perSession: { transactions: [5], latencyS: [0.5] },
  };
  const interval = {
    startS: 0,
    endS: 1,
    isWarmup: false,
    sessionsActive: 1,
    transactions: 5,
    statements: { read: 5, write: 0, other: 0 },
    errors: 0,
    retries: 0,
    reconnects: 0,
    latency: LATENCY,
  };
  return {
    format: RUN_FORMAT,
    id,
    startedAt: '2026-11-30T16:35:12.000Z',
    endedAt: '2026-11-30T16:35:13.000Z',
    ending: { kind: 'time' },
    tags: ['a'],
    seed: 1,
    sqldyno: { version: '0.1.0' },
    command: ['sqldyno', 'oltp_point_select', 'run'],
    workload: { name: 'oltp_point_select', options: { tables: 1 } },
    load: {
      mode: 'closed',
      threads: 1,
      workers: 1,
      timeS: 1,
      events: 0,
      warmupS: 0,
      percentiles: [95],
      randType: 'special',
      rand: {},
      errorPolicy: { ignore: 'all', attemptsMax: 20, lostConnection: 'stop', reconnectEveryEvents: 0 },
      preparedStatements: true,
    },
    target: {
      flavor: 'mariadb',
      version: '10.11.6-MariaDB',
      address: '/tmp/s',
      user: 'root',
      database: 'sbtest',
      tls: null,
      isPrivate: true,
      variables: { version: '10.11.6-MariaDB' },
    },
    totals,
    rates: { transactionsPerS: 5, statementsPerS: 5 },
    latency: { transactions: { all: { service: LATENCY } }, statements: {} },
    intervals: [interval, { ...interval, startS: 1, endS: 2 }],
    checkpoints: [],
    client: {
      cpuS: 0.1,
      cpuUsPerStatement: 20,
      eventLoopUtilizationMax: 0.5,
      eventLoopDelayP99Ms: 1,
      memoryPeakBytes: 1,
      workers: 1,
      node: 'v20',
    },
    host: { cores: 2 },
    crossCheck: { is: 'impossible', because: 'a sample' },
    findings: [],
    ...changes,
  };
}

describe('a store', () => {
  test('gives back what was saved', async () => {
    const store = openStore(directory);
    const run = sampleRun('20261130-163512-oltp_point_select-k3f9');
    await store.save(run);
    expect(await store.load(run.id)).toEqual(run);
  });

  test('keeps a run as one directory of two files, intervals line by line', async () => {
    const run = sampleRun('20261130-163512-oltp_point_select-k3f9');
    const path = await openStore(directory).save(run);
    expect((await readdir(path)).sort()).toEqual(['intervals.ndjson', 'run.json']);
    expect((await readFile(join(path, 'intervals.ndjson'), 'utf8')).split('\n')).toHaveLength(3);
    expect(await readdir(join(directory, 'runs'))).toEqual([run.id]);
  });

  test('lists by start, and says which runs prove nothing', async () => {
    const store = openStore(directory);
    const finding = { id: 'x', severity: 'invalid', is: 'x', because: 'x', remedy: 'x' } as const;
    await store.save(sampleRun('20261130-163512-b-2222', { findings: [finding] }));
    await store.save(sampleRun('20261129-100000-a-3333', { startedAt: '2026-11-29T10:00:00.000Z' }));
    const { runs, skipped } = await store.list();
    expect(runs.map(({ id, isValid }) => [id, isValid])).toEqual([
      ['20261129-100000-a-3333', true],
      ['20261130-163512-b-2222', false],
    ]);
    expect(skipped).toEqual([]);
  });

  test('is empty where nothing has been saved', async () => {
    expect(await openStore(join(directory, 'none')).list()).toEqual({ runs: [], skipped: [] });
    await expect(openStore(join(directory, 'none')).load('latest')).rejects.toThrow(/no run in/);
  });

  test('names what it skips, and goes on', async () => {
    const store = openStore(directory);
    const kept = sampleRun('20261130-163512-kept-2222');
    const cut = await store.save(sampleRun('20261130-163513-cut-2222'));
    await store.save(kept);
    await truncate(join(cut, 'run.json'), 100);
    const runs = join(directory, 'runs');
    await mkdir(join(runs, 'foreign'));
    await writeFile(join(runs, 'notes.txt'), 'mine');
    await mkdir(join(runs, 'newer'));
    await writeFile(join(runs, 'newer', 'run.json'), '{"format":"sqldyno.run/9"}');
    const list = await store.list();
    expect(list.runs.map(({ id }) => id)).toEqual([kept.id]);
    expect(list.skipped.map(({ path }) => path)).toEqual(
      ['20261130-163513-cut-2222', 'foreign', 'newer', 'notes.txt'].map((name) => join(runs, name)),
    );
    expect(list.skipped[2]?.because).toContain('sqldyno.run/9');
    await expect(store.remove('foreign')).rejects.toThrow(/is no run/);
    await expect(store.load('20261130-163513')).rejects.toMatchObject({ name: 'UserError' });
  });

  test.each([
    { reference: 'latest', because: 'the newest by start, not by name' },
    { reference: '20261130-163512-oltp_point_select-k3f9', because: 'the whole id' },
    { reference: '20261130', because: 'a beginning that fits one' },
    { reference: 'k3f9', because: 'the end is the shortest that is unique' },
  ])('finds $reference: $because', async ({ reference }) => {
    const store = openStore(directory);
    await store.save(sampleRun('20261129-163512-oltp_point_select-aaaa', { startedAt: '2026-11-29T16:35:12.000Z' }));
    await store.save(sampleRun('20261130-163512-oltp_point_select-k3f9'));
    expect((await store.load(reference)).id).toBe('20261130-163512-oltp_point_select-k3f9');
  });

  test('asks for more of an id that could be several, and helps with a wrong one', async () => {
    const store = openStore(directory);
    await store.save(sampleRun('20261130-163512-a-2222'));
    await store.save(sampleRun('20261130-163513-b-3333'));
    await expect(store.load('20261130')).rejects.toMatchObject({
      hint: expect.stringContaining('20261130-163513-b-3333'),
    });
    await expect(store.load('20261130-163512-a-2223')).rejects.toMatchObject({
      hint: 'Did you mean 20261130-163512-a-2222?',
    });
  });

  test('opens a run that lies anywhere else, and never deletes by path', async () => {
    const store = openStore(directory);
    const run = sampleRun('20261130-163512-a-2222');
    const path = await store.save(run);
    const elsewhere = join(directory, 'mailed');
    await cp(path, elsewhere, { recursive: true });
    expect((await openStore(join(directory, 'another')).load(elsewhere)).id).toBe(run.id);
    expect((await store.load(join(elsewhere, 'run.json'))).id).toBe(run.id);
    await expect(store.remove(elsewhere)).rejects.toThrow(/no run/);
    expect(await store.remove('2222')).toBe(run.id);
    expect(await readdir(join(directory, 'runs'))).toEqual([]);
  });

  test('leaves nothing half-written where saving fails', async () => {
    const store = openStore(directory);
    const run = sampleRun('20261130-163512-a-2222');
    await store.save(run);
    await expect(store.save(run)).rejects.toThrow();
    expect(await readdir(join(directory, 'runs'))).toEqual([run.id]);
  });

  test('lists what is asked for, and tells what it passes over whatever that is', async () => {
    const store = openStore(directory);
    await store.save(sampleRun('20261129-100000-a-3333', { startedAt: '2026-11-29T10:00:00.000Z' }));
    await store.save(sampleRun('20261130-163512-b-2222', { tags: ['night'] }));
    await mkdir(join(directory, 'runs', 'foreign'));
    const { runs, skipped } = await store.list({ since: '2026-11-30', tags: ['night'] });
    expect(runs.map(({ id }) => id)).toEqual(['20261130-163512-b-2222']);
    expect(skipped).toHaveLength(1);
  });

  test('says beforehand that it cannot be written', async () => {
    await writeFile(join(directory, 'file'), '');
    await expect(openStore(join(directory, 'file')).ensureWritable()).rejects.toMatchObject({
      name: 'UserError',
      hint: expect.stringContaining('--store'),
    });
    await openStore(join(directory, 'new')).ensureWritable();
    expect(await readdir(join(directory, 'new', 'runs'))).toEqual([]);
  });
});

describe('tags', () => {
  const ID = '20261130-163512-a-2222';

  test.each([
    { change: { add: ['b', 'c'], remove: [] }, tags: ['a', 'b', 'c'], because: 'new ones go behind' },
    { change: { add: ['a'], remove: [] }, tags: ['a'], because: 'none is there twice' },
    { change: { add: ['b'], remove: ['a', 'x'] }, tags: ['b'], because: 'one that is not there may be removed' },
    { change: { add: [], remove: ['a'] }, tags: [], because: 'the last may go' },
  ])('$change gives $tags: $because', async ({ change, tags }) => {
    const store = openStore(directory);
    const run = sampleRun(ID);
    const path = await store.save(run);
    expect(await store.tag('2222', change)).toEqual({ id: ID, tags });
    expect(await store.load(ID)).toEqual({ ...run, tags });
    expect((await store.list({ tags })).runs.map((found) => found.tags)).toEqual([tags]);
    expect((await readdir(path)).sort()).toEqual(['intervals.ndjson', 'run.json']);
  });

  test('of a run that cannot be read stay as they are', async () => {
    const store = openStore(directory);
    const path = await store.save(sampleRun(ID));
    await truncate(join(path, 'run.json'), 100);
    await expect(store.tag(ID, { add: ['b'], remove: [] })).rejects.toMatchObject({ name: 'UserError' });
  });
});

describe('a run id', () => {
  test('reads as time, workload and a suffix', () => {
    expect(newRunId(Date.UTC(2026, 10, 30, 16, 35, 12, 999), 'oltp_read_write')).toMatch(
      /^20261130-163512-oltp_read_write-[a-z0-9]{4}$/,
    );
  });

  test('is a plain name whatever the workload is called, and sorts by time', () => {
    const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(moment, moment, fc.string(), (oneMs, otherMs, name) => {
        const ids = [newRunId(oneMs, name), newRunId(otherMs, name)] as const;
        const seconds = [Math.floor(oneMs / 1000), Math.floor(otherMs / 1000)] as const;
        return (
          ids.every((id) => RUN_ID.test(id)) &&
          (seconds[0] === seconds[1] || ids[0] < ids[1] === seconds[0] < seconds[1])
        );
      }),
    );
  });
});

test.each([
  { named: '/a', store: '/b', data: '/c', is: '/a', because: '--store wins' },
  { named: undefined, store: '/b', data: '/c', is: '/b', because: 'then SQLDYNO_STORE' },
  { named: undefined, store: '', data: '/c', is: '/c/sqldyno', because: 'then XDG_DATA_HOME' },
  {
    named: undefined,
    store: '',
    data: 'relative',
    is: '/home/x/.local/share/sqldyno',
    because: 'which must be absolute',
  },
  { named: undefined, store: '', data: '', is: '/home/x/.local/share/sqldyno', because: 'then its default' },
])('the store is $is: $because', ({ named, store, data, is }) => {
  vi.stubEnv('SQLDYNO_STORE', store);
  vi.stubEnv('XDG_DATA_HOME', data);
  vi.stubEnv('HOME', '/home/x');
  expect(storeDirectory(named)).toBe(is);
});
