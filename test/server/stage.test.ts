/** What a run of an experiment begins with, on real servers: the same data, the settings asked for, nothing left. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StageWorld } from '../../src/lab/experiment/stage-world.ts';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import type { Variant } from '../../src/model/experiment.ts';
import type { ConnectOptions } from '../../src/wire/types.ts';
import { execute, query } from '../support/maintenance.ts';
import { until } from '../support/processes.ts';
import { scratchDirectories } from '../support/scratch.ts';
import { openTestStage, stageRequest, TABLE_ROWS, type TestExperiment } from '../support/stage.ts';

const scratch = scratchDirectories();
const A: Variant = { name: 'a' };
const B: Variant = { name: 'b' };
const UNLIMITED: StageWorld = { freeBytes: async () => Number.POSITIVE_INFINITY, dropPageCache: async () => true };

type TestStage = Awaited<ReturnType<typeof openTestStage>>;
const open: TestStage[] = [];

async function openStageOf(experiment: TestExperiment, world?: StageWorld): Promise<TestStage> {
  const stage = await openTestStage(experiment, world);
  open.push(stage);
  return stage;
}

afterEach(async () => {
  for (const stage of open.splice(0)) await stage.close();
});

function first(targets: readonly ConnectOptions[]): ConnectOptions {
  const [target] = targets;
  if (target === undefined) throw new Error('no target');
  return target;
}

async function checksum(target: ConnectOptions): Promise<string> {
  const [row] = await query(target, 'CHECKSUM TABLE sbtest1 EXTENDED');
  return String(row?.[1]);
}

async function globalOf(target: ConnectOptions, name: string): Promise<string> {
  const [row] = await query(target, `SELECT @@GLOBAL.${name}`);
  return String(row?.[0]);
}

function namesIn(...path: string[]): string[] {
  return existsSync(join(...path)) ? readdirSync(join(...path)) : [];
}

describe('a private server', () => {
  test('begins each run with the same data and the settings of its variant, and leaves nothing', async () => {
    const storeDirectory = scratch();
    const stage = await openStageOf({
      storeDirectory,
      variants: [
        { name: 'plain', workload: { range_selects: false } },
        {
          name: 'odd',
          settings: {
            'innodb-buffer-pool-size': '67000K',
            innodb_buffer_pool_instances: '4',
            skip_log_bin: '',
            loose_of_another_server: '1',
          },
        },
      ],
    });
    await stage.prepare();
    expect(stage.view.steps.filter((step) => step.startsWith('loading'))).toHaveLength(1);
    expect(stage.view.notes.join('\n')).toMatch(/restored in .* checksums agree/);

    const seen: { sum: string; fingerprint: string }[] = [];
    for (const name of ['plain', 'odd', 'plain']) {
      const { targets, entered } = await stage.enter(name);
      const target = first(targets);
      seen.push({ sum: await checksum(target), fingerprint: entered.data.fingerprint });
      expect(['reflink', 'copy']).toContain(entered.data.how);
      expect(entered.drift).toEqual([]);
      if (name === 'odd') {
        expect(entered.adjusted).toEqual([
          { name: 'innodb-buffer-pool-size', asked: '67000K', effective: expect.stringMatching(/^\d+$/) },
        ]);
        expect(entered.notes.join('\n')).toMatch(/innodb_buffer_pool_instances.*(?:removed|ignored|deprecated)/s);
        expect(entered.notes.join('\n')).toMatch(/loose_of_another_server/);
      } else {
        expect(entered.adjusted).toEqual([]);
        expect(await globalOf(target, 'innodb_buffer_pool_size')).toBe(String(32 * 2 ** 20));
      }
      await execute(target, 'UPDATE sbtest1 SET k = k + 1', 'DELETE FROM sbtest1 WHERE id > 100');
      expect(await checksum(target)).not.toBe(seen[0]?.sum);
      await stage.leave();
    }
    expect(new Set(seen.map(({ sum }) => sum)).size).toBe(1);
    expect(new Set(seen.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    await stage.close();
    expect(namesIn(storeDirectory, 'servers')).toEqual([]);
    expect(namesIn(storeDirectory, 'experiments', 'e1')).toEqual([]);
  });

  test('an option that the server does not know is refused by variant and line, before anything is loaded', async () => {
    const stage = await openStageOf({
      storeDirectory: scratch(),
      variants: [A, { name: 'wrong', settings: { innodb_buffer_pool_sise: '1G' } }],
    });
    await expect(stage.prepare()).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(/'wrong'.*line \d+ of its option file, innodb_buffer_pool_sise = 1G/),
    });
    expect(stage.view.steps).toEqual([]);
  });

  test('takes up data and says what has drifted, when it is opened again', async () => {
    const storeDirectory = scratch();
    const before = await openStageOf({ storeDirectory, variants: [A] });
    await before.prepare();
    const { entered } = await before.enter('a');
    await before.close(true);
    expect(namesIn(storeDirectory, 'servers')).toEqual([]);

    const again = await openStageOf({
      storeDirectory,
      variants: [A],
      settings: { innodb_buffer_pool_size: '48M', innodb_log_file_size: '32M' },
    });
    await again.prepare();
    expect(again.view.steps.join()).not.toContain('loading');
    const later = (await again.enter('a')).entered;
    expect(later.data.fingerprint).toBe(entered.data.fingerprint);
    expect(later.drift).toEqual([expect.stringMatching(/^innodb_buffer_pool_size is 50331648, and was 33554432/)]);
  });

  test('data that has been damaged is made again', async () => {
    const storeDirectory = scratch();
    const before = await openStageOf({ storeDirectory, variants: [A] });
    await before.prepare();
    await before.close(true);
    const data = join(storeDirectory, 'experiments', 'e1', 'data');
    const [key = ''] = namesIn(data).filter((name) => existsSync(join(data, name, 'snapshot.json')));
    const file = join(data, key, 'data', 'ibdata1');
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] = 255 - (bytes.at(-1) ?? 0);
    writeFileSync(file, bytes);

    const again = await openStageOf({ storeDirectory, variants: [A] });
    await again.prepare();
    expect(again.view.notes.join()).toMatch(/ibdata1 has changed/);
    expect(again.view.steps.join()).toContain('loading');
  });

  test('a full disk is told before anything is written', async () => {
    const world = { ...UNLIMITED, freeBytes: async () => 1024 };
    const stage = await openStageOf({ storeDirectory: scratch(), variants: [A] }, world);
    await expect(stage.prepare()).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(/not enough space.*1\.0 KiB are free/),
    });
    expect(stage.view.steps).toEqual([]);
  });

  test('keeps its data in the folder of the variant, beside what is there, and takes it away', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'mine'), '');
    const stage = await openStageOf({
      storeDirectory: scratch(),
      variants: [A, { name: 'elsewhere', dataDirectory: folder, connect: 'tcp' }],
    });
    await stage.prepare();
    expect(stage.view.steps.filter((step) => step.startsWith('loading'))).toHaveLength(1);
    const here = first((await stage.enter('a')).targets);
    const sum = await checksum(here);
    await stage.leave();
    const there = first((await stage.enter('elsewhere')).targets);
    expect(there).toMatchObject({ host: '127.0.0.1' });
    expect(await checksum(there)).toBe(sum);
    expect(await globalOf(there, 'datadir')).toContain(folder);
    await stage.close();
    expect(namesIn(folder)).toEqual(['mine']);
  });

  test('kept data goes on from the run before, prepared data is made anew, and a cold start empties the cache', async () => {
    const storeDirectory = scratch();
    const kept = await openStageOf({
      storeDirectory,
      variants: [A, B],
      start: { data: 'kept', cache: 'warm' },
    });
    await kept.prepare();
    await execute(first((await kept.enter('a')).targets), 'DELETE FROM sbtest1 WHERE id > 10');
    await kept.leave();
    const next = await kept.enter('b');
    expect(next.entered.data.how).toBe('kept');
    expect(await query(first(next.targets), 'SELECT COUNT(*) FROM sbtest1')).toEqual([[10]]);
    await kept.close();

    let emptied = 0;
    const world = { ...UNLIMITED, dropPageCache: async () => ++emptied === 1 };
    const prepared = await openStageOf(
      { storeDirectory, variants: [A], start: { data: 'prepared', cache: 'cold' } },
      world,
    );
    await prepared.prepare();
    for (const notes of [[], [expect.stringMatching(/page cache could not be emptied/)]]) {
      const { targets, entered } = await prepared.enter('a');
      expect(entered.data.how).toBe('prepared');
      expect(entered.notes).toEqual(notes);
      expect(await query(first(targets), 'SELECT COUNT(*) FROM sbtest1')).toEqual([[TABLE_ROWS]]);
      await execute(first(targets), 'DELETE FROM sbtest1');
      await prepared.leave();
    }
  });

  test('global settings are set when it runs, and MariaDB is known to differ there', async () => {
    const stage = await openStageOf({
      storeDirectory: scratch(),
      variants: [{ name: 'a', global: { innodb_flush_log_at_trx_commit: '2', 'innodb-io-capacity': '1K' } }],
    });
    await stage.prepare();
    const { targets, entered } = await stage.enter('a');
    const target = first(targets);
    expect(await globalOf(target, 'innodb_flush_log_at_trx_commit')).toBe('2');
    expect(await globalOf(target, 'innodb_io_capacity')).toBe('1024');
    expect(entered.adjusted).toEqual([]);
    const [version] = await query(target, 'SELECT VERSION()');
    const isTold = entered.notes.some((note) => note.includes('O_DIRECT'));
    expect(isTold).toBe(/mariadb/i.test(String(version?.[0])));
  });
});

const ROCKSDB = '/usr/lib/mysql/plugin/ha_rocksdb.so';

test.skipIf(!existsSync(ROCKSDB))('RocksDB (mariadb-plugin-rocksdb): its tables, beside those of InnoDB', async () => {
  const stage = await openStageOf({
    storeDirectory: scratch(),
    variants: [A, { name: 'rocks', engine: 'RocksDB' }],
  });
  await stage.prepare();
  expect(stage.view.steps.filter((step) => step.startsWith('loading'))).toHaveLength(2);
  const sums: string[] = [];
  for (const { name, engine } of [
    { name: 'a', engine: 'InnoDB' },
    { name: 'rocks', engine: 'ROCKSDB' },
    { name: 'rocks', engine: 'ROCKSDB' },
  ]) {
    const target = first((await stage.enter(name)).targets);
    const sql = "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_NAME = 'sbtest1'";
    expect(await query(target, sql)).toEqual([[engine]]);
    sums.push(await checksum(target));
    await execute(target, 'DELETE FROM sbtest1 WHERE id > 100');
    await stage.leave();
  }
  expect(new Set(sums).size).toBe(1);
});

test('an engine that the server lacks is told', async () => {
  const stage = await openStageOf({
    storeDirectory: scratch(),
    variants: [{ name: 'a', engine: 'NoSuchEngine' }],
  });
  await expect(stage.prepare()).rejects.toMatchObject({
    message: expect.stringMatching(/'a'.*no storage engine NoSuchEngine/),
  });
});

describe('a server that is named', () => {
  let server: PrivateServer;
  let target: ConnectOptions;
  const GLOBAL: Variant = {
    name: 'tuned',
    global: { innodb_io_capacity: '777', init_connect: "SET @a = 'x'" },
  };
  const COMMON = { target: 'mysql://u@h/sbtest', settings: {}, start: { data: 'kept', cache: 'as it is' } } as const;

  beforeAll(async () => {
    server = await startPrivateServer({ directory: scratch(), extraArguments: ['--innodb-buffer-pool-size=32M'] });
    target = { ...server.target, database: 'sbtest' };
  });

  afterAll(async () => {
    await server?.stop();
  });

  async function values() {
    const [capacity, init] = ['innodb_io_capacity', 'init_connect'].map((name) => globalOf(server.target, name));
    return { capacity: await capacity, init: await init };
  }

  test('is loaded once, set, put back, and nothing remembers it', async () => {
    const storeDirectory = scratch();
    const named = { ...COMMON, storeDirectory, server: target, variants: [A, GLOBAL] };
    const refused = await openStageOf(named);
    await expect(refused.prepare()).rejects.toMatchObject({ hint: expect.stringContaining('--allow-settings') });

    const stage = await openStageOf({ ...named, allows: { settings: true } });
    await stage.prepare();
    const before = await values();
    const { entered } = await stage.enter('tuned');
    expect(await values()).toEqual({ capacity: '777', init: "SET @a = 'x'" });
    expect(entered).toMatchObject({ adjusted: [], drift: [], data: { how: 'kept' } });
    expect(namesIn(storeDirectory, 'changed-settings')).toHaveLength(1);
    await stage.leave();
    expect(await values()).toEqual(before);
    expect(namesIn(storeDirectory, 'changed-settings')).toEqual([]);

    // What was put back is no drift.
    expect((await stage.enter('a')).entered.drift).toEqual([]);
    await stage.leave();
    await execute(target, 'SET GLOBAL sort_buffer_size = 1000000');
    const { drift } = (await stage.enter('a')).entered;
    expect(drift).toEqual(expect.arrayContaining([expect.stringMatching(/^sort_buffer_size is 1000000, and was/)]));

    const again = await openStageOf({ ...named, allows: { settings: true } });
    await again.prepare();
    expect(again.view.notes).toContain('The data is there: it is used as it is.');
  });

  test('what does not exist there is refused, and nothing stays changed', async () => {
    const storeDirectory = scratch();
    const stage = await openStageOf({
      ...COMMON,
      storeDirectory,
      server: target,
      allows: { settings: true },
      variants: [{ name: 'a', global: { innodb_io_capacity: '888', no_such_setting: '1' } }],
    });
    const before = await values();
    await expect(stage.prepare()).rejects.toThrow(/'a' sets no_such_setting/);
    expect(await values()).toEqual(before);
    expect(namesIn(storeDirectory, 'changed-settings')).toEqual([]);
  });

  test('data is dropped and loaded before each run where that is asked for', async () => {
    const stage = await openStageOf({
      ...COMMON,
      storeDirectory: scratch(),
      server: target,
      start: { data: 'prepared', cache: 'warm' },
      variants: [A, { name: 'small', workload: { table_size: 50 } }],
    });
    await stage.prepare();
    for (const { name, rows } of [
      { name: 'a', rows: TABLE_ROWS },
      { name: 'small', rows: 50 },
    ]) {
      expect((await stage.enter(name)).entered.data.how).toBe('prepared');
      expect(await query(target, 'SELECT COUNT(*) FROM sbtest1')).toEqual([[rows]]);
      await execute(target, 'DELETE FROM sbtest1 WHERE id > 10');
      await stage.leave();
    }
  });

  test('after kill -9 of the program, the next one puts its settings back', async () => {
    const storeDirectory = scratch();
    const experiment = {
      ...COMMON,
      storeDirectory,
      server: { ...target, database: 'killed' },
      allows: { settings: true },
      variants: [GLOBAL],
    };
    const before = await values();
    await killAfterEntering(experiment, 'tuned');
    expect(await values()).not.toEqual(before);

    const stage = await openStageOf(experiment);
    await stage.prepare();
    expect(stage.view.notes.join()).toMatch(/cut off had changed .* is put back/);
    expect(await values()).toEqual(before);
    expect(namesIn(storeDirectory, 'changed-settings')).toEqual([]);
  });
});

test('after kill -9 of the program, its server is ended, and its data is taken up', async () => {
  const storeDirectory = scratch();
  const experiment = { storeDirectory, variants: [A] };
  await killAfterEntering(experiment, 'a');
  expect(namesIn(storeDirectory, 'servers')).toHaveLength(1);

  const stage = await openStageOf(experiment);
  await stage.prepare();
  expect(namesIn(storeDirectory, 'servers')).toEqual([]);
  expect(stage.view.steps.join()).not.toContain('loading');
  const { targets, entered } = await stage.enter('a');
  expect(await query(first(targets), 'SELECT COUNT(*) FROM sbtest1')).toEqual([[TABLE_ROWS]]);
  expect(entered.drift).toEqual([]);
});

/** In a program of its own, from the compiled files. */
async function killAfterEntering(experiment: TestExperiment, variant: string): Promise<void> {
  const request = await stageRequest(experiment);
  const { variants, openTarget: _, ...plain } = request;
  const folder = scratch();
  mkdirSync(folder, { recursive: true });
  const stageModule = new URL('../../dist/src/lab/experiment/open-stage.js', import.meta.url).href;
  const findModule = new URL('../../dist/src/workload/find.js', import.meta.url).href;
  const data = JSON.stringify({
    request: plain,
    variants: variants.map(({ workload: _workload, ...rest }) => rest),
    server: experiment.server,
  });
  writeFileSync(
    join(folder, 'program.mjs'),
    `import { openStage } from ${JSON.stringify(stageModule)};
import { loadWorkload } from ${JSON.stringify(findModule)};
const { request, variants, server } = ${data};
const { workload } = await loadWorkload(request.plan.workload);
const view = { onStep() {}, onAdvance() {}, onNote() {} };
const { signal } = new AbortController();
const stage = await openStage({
  ...request,
  variants: variants.map((variant) => ({ ...variant, workload })),
  openTarget: async () => ({ connections: [server], isPrivate: false }),
});
await stage.prepare(view, signal);
await stage.enter(${JSON.stringify(variant)}, view, signal);
console.log('entered');
setInterval(() => {}, 1000);
`,
  );
  const child: ChildProcess = spawn(process.execPath, [join(folder, 'program.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await until('the run is entered', () => text.includes('entered') || child.exitCode !== null);
  expect(text).toContain('entered');
  child.kill('SIGKILL');
  await until('the program is gone', () => child.signalCode !== null);
}
