/** prepare on a real server: the same data however it is loaded, cut off and taken up again; and what it refuses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRandom } from '../../src/base/random.ts';
import { createDatabase } from '../../src/lab/maintenance.ts';
import { startPrivateServer, stopPrivateServer } from '../../src/lab/server.ts';
import { connect } from '../../src/wire/connection.ts';
import type { Connection, ConnectOptions } from '../../src/wire/types.ts';
import { startTestBench, type TestBench } from '../support/lab.ts';
import { execute, type MaintenanceSettings, maintainTest, query, tableState } from '../support/maintenance.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startTestBench();
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => execute(bench.target, 'DROP DATABASE sbtest', 'CREATE DATABASE sbtest'));

/** Several chunks, the last one short. */
const ROWS = 43_210;
const OPTIONS = { table_size: ROWS };

function prepare(settings: MaintenanceSettings = {}, name = 'oltp_read_write'): Promise<string[]> {
  return maintainTest(bench.target, 'prepare', name, { ...settings, options: { ...OPTIONS, ...settings.options } });
}

async function reference(settings: MaintenanceSettings = {}): Promise<Record<string, string>> {
  await prepare(settings);
  const state = await tableState(bench.target, 'sbtest1');
  await execute(bench.target, 'DROP TABLE sbtest1');
  return state;
}

describe('data', () => {
  test('are complete, indexed, and show no trace of the load', async () => {
    const notes = await prepare();
    const { created, rows } = await tableState(bench.target, 'sbtest1');
    expect(rows).toBe(`${ROWS} ${ROWS} 1 ${ROWS}`);
    expect(created).toMatch(/KEY `k_1` \(`k`\)/);
    expect(created).not.toMatch(/COMMENT/);
    expect(created).toContain(`AUTO_INCREMENT=${ROWS + 1}`);
    expect(notes[0]).toMatch(/sbtest1: creating it, loading 43,210 rows/);
    expect(
      await query(bench.target, "SELECT COUNT(*) FROM sbtest1 WHERE c REGEXP '^[0-9]{11}(-[0-9]{11}){9}$'"),
    ).toEqual([[ROWS]]);
    expect(await query(bench.target, `SELECT COUNT(*) FROM sbtest1 WHERE k NOT BETWEEN 1 AND ${ROWS}`)).toEqual([[0]]);
  });

  test('are the same for one connection and for four', async () => {
    expect(await reference({ threads: 4 })).toEqual(await reference({ threads: 1 }));
  });

  test.each([
    { name: 'max_prepared_stmt_count', value: 0, because: 'no statement can be prepared' },
    { name: 'max_allowed_packet', value: 16_384, because: 'packets are small' },
  ])('are the same where $because', async ({ name, value }) => {
    const one = await reference();
    const [before] = await query(bench.target, `SELECT @@GLOBAL.${name}`);
    await execute(bench.target, `SET GLOBAL ${name} = ${value}`);
    try {
      expect(await reference({ threads: 3 })).toEqual(one);
    } finally {
      await execute(bench.target, `SET GLOBAL ${name} = ${before?.[0]}`);
    }
  });

  test.each(['utf8mb4', 'utf16'])('are digits in %s too', async (characterSet) => {
    const all = (columns: string) =>
      query(bench.target, `SELECT SHA2(GROUP_CONCAT(${columns} ORDER BY id), 256) FROM sbtest1`);
    const columns = 'id, k, CONVERT(c USING latin1), CONVERT(pad USING latin1)';
    const options = { table_size: 1_500, create_table_options: 'CHARACTER SET latin1' };
    await prepare({ options });
    const latin = await all(columns);
    await execute(bench.target, 'DROP TABLE sbtest1');
    await prepare({ options: { ...options, create_table_options: `CHARACTER SET ${characterSet}` } });
    expect(await all(columns)).toEqual(latin);
    const digits = "SELECT COUNT(*) FROM sbtest1 WHERE c REGEXP '^[0-9]{11}(-[0-9]{11}){9}$'";
    expect(await query(bench.target, digits)).toEqual([[1_500]]);
  });

  test('differ by seed, by table and by --rand-type', async () => {
    const one = await reference();
    expect((await reference({ seed: 2 }))['checksum']).not.toBe(one['checksum']);
    expect((await reference({ randType: 'special' }))['checksum']).not.toBe(one['checksum']);
    await prepare({ options: { tables: 2 } });
    const [first, second] = [await tableState(bench.target, 'sbtest1'), await tableState(bench.target, 'sbtest2')];
    expect(first).toEqual(one);
    expect(second['checksum']).not.toBe(one['checksum']);
  });

  test.each([
    { options: { auto_inc: false }, created: /`id` int(?:\(11\))? NOT NULL,/ },
    { options: { secondary: true }, created: /KEY `xid` \(`id`\)/ },
    { options: { mysql_storage_engine: 'MyISAM' }, created: /ENGINE=MyISAM/ },
    { options: { create_table_options: "ROW_FORMAT=COMPRESSED COMMENT='mine'" }, created: /COMMENT='mine'/ },
    { options: { create_table_options: 'PARTITION BY HASH (id) PARTITIONS 4' }, created: /PARTITION BY HASH/ },
  ])('are whole with $options', async ({ options, created }) => {
    await prepare({ options, threads: 3 });
    const state = await tableState(bench.target, 'sbtest1');
    expect(state['created']).toMatch(created);
    expect(state['created']).not.toContain('sqldyno');
    expect(state['rows']).toBe(`${ROWS} ${ROWS} 1 ${ROWS}`);
  });

  test('have no second index where none is wanted', async () => {
    await prepare({ options: { create_secondary: false } });
    expect((await tableState(bench.target, 'sbtest1'))['created']).not.toContain('k_1');
  });

  test('of oltp_insert without AUTO_INCREMENT are empty tables', async () => {
    await prepare({ options: { auto_inc: false } }, 'oltp_insert');
    const state = await tableState(bench.target, 'sbtest1');
    expect(state['rows']).toMatch(/^0 0 /);
    expect(state['created']).toContain('k_1');
  });
});

describe('a prepare that is cut off', () => {
  const SEEDS = [1, 2, 3];

  test.each(SEEDS)('by Ctrl-C at a random point, time and again, ends with the same table (%d)', async (seed) => {
    const whole = await reference({ threads: 1 });
    const random = createRandom(seed);
    let cuts = 0;
    for (let attempt = 0; attempt < 50; attempt++) {
      const controller = new AbortController();
      const chunks = random.integer(1, 2);
      let advances = 0;
      const onAdvance = () => {
        if (++advances >= chunks + 1) controller.abort();
      };
      try {
        await prepare({ threads: random.integer(1, 3), signal: controller.signal, onAdvance });
        break;
      } catch (error) {
        expect(error).toMatchObject({ exitCode: 130, hint: expect.stringContaining('same command again') });
        cuts++;
      }
    }
    expect(cuts).toBeGreaterThan(0);
    expect(await tableState(bench.target, 'sbtest1')).toEqual(whole);
  });

  test.each(SEEDS)('by the death of all its connections ends with the same table (%d)', async (seed) => {
    const whole = await reference({ threads: 1 });
    const random = createRandom(seed, 1);
    let cuts = 0;
    for (let attempt = 0; ; attempt++) {
      // A whole load sends CREATE, for each of five chunks BEGIN and COMMIT, and in the end ALTER.
      const killsAt = attempt < 5 ? random.integer(1, 11) : Number.POSITIVE_INFINITY;
      try {
        await prepare({ threads: random.integer(1, 3), connect: mortalConnections(bench.target, killsAt) });
        break;
      } catch {
        cuts++;
      }
    }
    expect(cuts).toBeGreaterThan(0);
    expect(await tableState(bench.target, 'sbtest1')).toEqual(whole);
  });

  test('by the death of the server goes on when it is back', async () => {
    const whole = await reference();
    const directory = mkdtempSync(join(tmpdir(), 'sqldyno-test-crash-'));
    const start = () => startPrivateServer({ directory, keep: true, name: 'crash' });
    try {
      let server = await start();
      const target = { ...server.target, database: 'sbtest' };
      await createDatabase(target);
      const { pid } = server;
      const kill = (done: number) => {
        if (done > 0) process.kill(pid, 'SIGKILL');
      };
      await expect(
        maintainTest(target, 'prepare', 'oltp_read_write', { options: OPTIONS, threads: 1, onAdvance: kill }),
      ).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining('same command') });
      server = await start();
      const back = { ...server.target, database: 'sbtest' };
      await maintainTest(back, 'prepare', 'oltp_read_write', { options: OPTIONS });
      expect(await tableState(back, 'sbtest1')).toEqual(whole);
      await server.stop();
    } finally {
      await stopPrivateServer('crash', { directory, remove: true }).catch(() => {});
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test('goes on with the seed with which it was begun, and says so', async () => {
    const whole = await reference({ seed: 5 });
    await cutAfterFirstChunk({ seed: 5 });
    const notes = await prepare({ seed: 6 });
    expect(notes.join('\n')).toContain('--rand-seed=5');
    expect(await tableState(bench.target, 'sbtest1')).toEqual(whole);
  });

  test('is not mixed with another size or another --rand-type', async () => {
    await cutAfterFirstChunk();
    await expect(prepare({ options: { table_size: 50_000 } })).rejects.toMatchObject({
      message: expect.stringContaining('half loaded'),
      hint: expect.stringContaining(`--table-size=${ROWS}`),
    });
    await expect(prepare({ randType: 'special' })).rejects.toThrow(/another --rand-type/);
  });

  test('while the index is built is taken up there', async () => {
    const whole = await reference();
    const controller = new AbortController();
    // The last chunk is in: what comes next is the index.
    const onAdvance = (done: number, total: number) => {
      if (done === total) setImmediate(() => controller.abort());
    };
    await expect(prepare({ threads: 1, signal: controller.signal, onAdvance })).rejects.toMatchObject({
      exitCode: 130,
    });
    await prepare();
    expect(await tableState(bench.target, 'sbtest1')).toEqual(whole);
  });

  test('in an engine without transactions leaves no part of a chunk behind', async () => {
    const options = { mysql_storage_engine: 'MyISAM' };
    const whole = await reference({ options });
    await cutAfterFirstChunk({ options });
    await execute(bench.target, 'DELETE FROM sbtest1 WHERE id BETWEEN 5 AND 77');
    await prepare({ options });
    expect(await tableState(bench.target, 'sbtest1')).toEqual(whole);
  });

  async function cutAfterFirstChunk(settings: MaintenanceSettings = {}): Promise<void> {
    const controller = new AbortController();
    const onAdvance = (done: number) => {
      if (done > 0) controller.abort();
    };
    await expect(prepare({ ...settings, threads: 1, signal: controller.signal, onAdvance })).rejects.toThrow(
      /10,000 of/,
    );
  }
});

/** Connections that are all cut together, once so many statements have been begun. */
function mortalConnections(target: ConnectOptions, killsAt: number): () => Promise<Connection> {
  const open: Connection[] = [];
  let begun = 0;
  return async () => {
    const connection = await connect(target);
    open.push(connection);
    const execute = connection.execute.bind(connection);
    connection.execute = (...statement) => {
      if (++begun === killsAt) setImmediate(() => open.map((one) => one.destroy(new Error('killed'))));
      return execute(...statement);
    };
    return connection;
  };
}

describe('tables that are there already', () => {
  test('are kept where they match', async () => {
    await prepare();
    const before = await tableState(bench.target, 'sbtest1');
    const notes = await prepare({ seed: 9, options: { tables: 2 } });
    expect(notes[0]).toBe('sbtest1 is there already, with 43,210 rows: kept as it is');
    expect(await tableState(bench.target, 'sbtest1')).toEqual(before);
    expect((await tableState(bench.target, 'sbtest2'))['rows']).toBe(`${ROWS} ${ROWS} 1 ${ROWS}`);
  });

  test('get the index that is missing', async () => {
    const whole = await reference();
    await prepare({ options: { create_secondary: false } });
    await prepare();
    expect(await tableState(bench.target, 'sbtest1')).toEqual(whole);
  });

  test('are filled where they are empty, and keep what was done to them', async () => {
    await execute(
      bench.target,
      `CREATE TABLE sbtest1 (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL DEFAULT 0,
        c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', KEY mine (k)) COMMENT = 'by hand'`,
    );
    await prepare();
    const state = await tableState(bench.target, 'sbtest1');
    expect(state['created']).toMatch(/KEY `mine` \(`k`\)/);
    expect(state['created']).not.toContain('k_1');
    expect(state['created']).toContain("COMMENT='by hand'");
    expect(state['rows']).toBe(`${ROWS} ${ROWS} 1 ${ROWS}`);
  });

  test.each([
    { what: 'of another size', sql: [], options: { table_size: 20_000 }, error: /43,210 rows.*20,000 rows were asked/ },
    { what: 'with gaps', sql: ['DELETE FROM sbtest1 WHERE id = 7'], options: {}, error: /43,209 rows/ },
    {
      what: 'of another shape',
      sql: ['ALTER TABLE sbtest1 DROP pad'],
      options: {},
      error: /no column pad.*Nothing was/,
    },
  ])('$what are refused, and nothing is changed', async ({ sql, options, error }) => {
    await prepare();
    await execute(bench.target, ...sql);
    const before = await tableState(bench.target, 'sbtest1');
    await expect(prepare({ options: { ...options, tables: 2 } })).rejects.toThrow(error);
    expect(await tableState(bench.target, 'sbtest1')).toEqual(before);
    expect(await query(bench.target, "SHOW TABLES LIKE 'sbtest2'")).toEqual([]);
  });

  test('an engine that the server does not have is refused', async () => {
    const options = { mysql_storage_engine: 'rocksdbx' };
    await expect(prepare({ options })).rejects.toMatchObject({ hint: expect.stringMatching(/InnoDB/) });
  });

  test('a user without the rights is told which to ask for', async () => {
    await execute(
      bench.target,
      "CREATE OR REPLACE USER poor@localhost IDENTIFIED BY 'x'",
      'GRANT SELECT ON sbtest.* TO poor@localhost',
    );
    const poor = { ...bench.target, user: 'poor', password: 'x' };
    await expect(maintainTest(poor, 'prepare', 'oltp_read_write')).rejects.toMatchObject({
      hint: expect.stringContaining('GRANT'),
    });
  });

  test('two prepares at once do not mix', async () => {
    const whole = await reference();
    const results = await Promise.allSettled([prepare(), prepare()]);
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await tableState(bench.target, 'sbtest1')).toEqual(whole);
  });
});

describe('prewarm', () => {
  test('reads all tables', async () => {
    await prepare({ options: { tables: 2 } });
    const notes = await maintainTest(bench.target, 'prewarm', 'oltp_read_write', {
      options: { ...OPTIONS, tables: 2 },
    });
    expect(notes).toEqual(['2 tables read, 86,420 rows with their indexes']);
  });

  test('tells what is missing', async () => {
    await expect(maintainTest(bench.target, 'prewarm', 'oltp_read_write')).rejects.toThrow(/sbtest1 is not there/);
  });
});

describe('cleanup', () => {
  const cleanup = (options: Record<string, unknown> = {}, name = 'oltp_read_write', threads = 2) =>
    maintainTest(bench.target, 'cleanup', name, { options, threads });

  test('drops its tables, and tells of others', async () => {
    await prepare({ options: { tables: 3, table_size: 10 } });
    expect(await cleanup({ tables: 2 })).toEqual([
      'sbtest1: dropping it',
      'sbtest2: dropping it',
      'There are more tables, up to sbtest3: to drop them, give --tables=3',
    ]);
    expect(await query(bench.target, 'SHOW TABLES')).toEqual([['sbtest3']]);
  });

  test('finds nothing where nothing is', async () => {
    expect(await cleanup()).toEqual(['Nothing to drop: there is no sbtest1']);
  });

  test('drops what was half loaded', async () => {
    const controller = new AbortController();
    await prepare({ signal: controller.signal, onAdvance: () => controller.abort() }).catch(() => {});
    await cleanup();
    expect(await query(bench.target, 'SHOW TABLES')).toEqual([]);
  });

  test.each(['oltp_read_write', 'bulk_insert'])('of %s leaves the tables of others alone', async (name) => {
    await execute(bench.target, 'CREATE TABLE sbtest1 (id INT PRIMARY KEY, k INT, mine TEXT)');
    await expect(cleanup({}, name)).rejects.toThrow(/Nothing was dropped/);
    expect(await query(bench.target, 'SHOW TABLES')).toEqual([['sbtest1']]);
  });

  test('of bulk_insert drops a table for each thread', async () => {
    await maintainTest(bench.target, 'prepare', 'bulk_insert', { threads: 3 });
    expect(await query(bench.target, 'SHOW TABLES')).toHaveLength(3);
    expect(await cleanup({}, 'bulk_insert', 3)).toHaveLength(3);
    expect(await query(bench.target, 'SHOW TABLES')).toEqual([]);
  });
});
