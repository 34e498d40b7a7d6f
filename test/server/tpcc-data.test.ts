/** The data of tpcc on a real server: what prepare makes, how it goes on when it was cut off, and what check finds. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultsOf } from '../../src/base/options.ts';
import { createRandom } from '../../src/base/random.ts';
import { connect } from '../../src/wire/connection.ts';
import { ServerError, WireError } from '../../src/wire/errors.ts';
import type { Connection, ConnectOptions } from '../../src/wire/types.ts';
import { checkTpcc } from '../../src/workload/tpcc/check.ts';
import { inspectTpcc } from '../../src/workload/tpcc/check-ready.ts';
import { cleanupTpcc } from '../../src/workload/tpcc/cleanup.ts';
import { readConstants } from '../../src/workload/tpcc/journal.ts';
import { prepareTpcc } from '../../src/workload/tpcc/load.ts';
import { drawConstants } from '../../src/workload/tpcc/nurand.ts';
import { TPCC_OPTIONS, type TpccOptions, type TpccSchema } from '../../src/workload/tpcc/options.ts';
import { prewarmTpcc } from '../../src/workload/tpcc/prewarm.ts';
import { columnsOf, TABLES, type TableName, tableSet } from '../../src/workload/tpcc/tables.ts';
import type { CheckResult, MaintenanceContext, SessionConnection } from '../../src/workload/workload.ts';
import { startCli } from '../support/cli.ts';
import { startTestBench, type TestBench } from '../support/lab.ts';
import { execute, query } from '../support/maintenance.ts';
import { scratchDirectories } from '../support/scratch.ts';
import { testKeys } from '../support/sessions.ts';

const scratch = scratchDirectories();
let bench: TestBench;
/** Loaded once; each test leaves it as it was. */
let whole: ConnectOptions;
let reference: Record<string, string>;

beforeAll(async () => {
  bench = await startTestBench(['--innodb-buffer-pool-size=512M', '--max-allowed-packet=16M']);
  whole = { ...bench.target, database: 'whole' };
  await execute(bench.target, 'CREATE DATABASE whole');
  await prepare(whole, { threads: 1 });
  reference = await stateOf(whole);
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => execute(bench.target, 'DROP DATABASE sbtest', 'CREATE DATABASE sbtest'));

interface Settings {
  readonly options?: Partial<TpccOptions>;
  readonly threads?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
  readonly connect?: () => Promise<Connection>;
  readonly onAdvance?: (done: number) => void;
}

function optionsOf(settings: Settings): TpccOptions {
  return { ...defaultsOf(TPCC_OPTIONS), ...settings.options };
}

function contextOf(target: ConnectOptions, settings: Settings, notes: string[] = []): MaintenanceContext<TpccSchema> {
  return {
    connect: settings.connect ?? (() => connect(target)),
    options: optionsOf(settings),
    threads: settings.threads ?? 4,
    seed: settings.seed ?? 1,
    keys: testKeys(),
    signal: settings.signal ?? new AbortController().signal,
    progress: { note: (line) => notes.push(line), advance: (_activity, done) => settings.onAdvance?.(done) },
  };
}

async function prepare(target: ConnectOptions, settings: Settings = {}): Promise<string[]> {
  const notes: string[] = [];
  await prepareTpcc(contextOf(target, settings, notes));
  return notes;
}

function check(target: ConnectOptions, settings: Settings = {}): Promise<CheckResult[]> {
  return checkTpcc(contextOf(target, { threads: 2, ...settings }));
}

function failedOf(results: readonly CheckResult[]): number[] {
  return results.filter(({ ok }) => !ok).map(({ is }) => Number(/^Condition (\d+)/.exec(is)?.[1]));
}

/** What can be compared of a whole set: rows, columns and keys of every table. */
async function stateOf(
  target: ConnectOptions,
  profile: TpccOptions['profile'] = 'spec',
): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  const set = tableSet(profile, 1);
  for (const table of [...Object.values(set.tables), set.metadata]) {
    const [checksum] = await query(target, `CHECKSUM TABLE ${table}`);
    const [created] = await query(target, `SHOW CREATE TABLE ${table}`);
    state[table] = `${checksum?.[1]} ${created?.[1]}`;
  }
  return state;
}

async function tablesOf(target: ConnectOptions): Promise<string[]> {
  return (await query(target, 'SHOW TABLES')).map(([name]) => String(name));
}

describe('prepare', () => {
  test('loads the rows of clause 4.3.3, and leaves no journal', async () => {
    const counts: Record<string, number> = {};
    for (const table of TABLES) counts[table] = Number((await query(whole, `SELECT COUNT(*) FROM ${table}`))[0]?.[0]);
    const { order_line: lines, ...fixed } = counts;
    expect(fixed).toEqual({
      warehouse: 1,
      district: 10,
      customer: 30_000,
      history: 30_000,
      item: 100_000,
      stock: 100_000,
      orders: 30_000,
      new_order: 9_000,
    });
    expect(lines).toBeGreaterThan(298_000);
    expect(lines).toBeLessThan(302_000);
    expect((await tablesOf(whole)).sort()).toEqual([...TABLES, 'sqldyno_tpcc'].sort());
  });

  test('loads the same with eight connections', async () => {
    await prepare(bench.target, { threads: 8 });
    expect(await stateOf(bench.target)).toEqual(reference);
  });

  test('loads the same by INSERTs, where files are refused and packets are small', async () => {
    await withGlobals({ local_infile: 0, max_allowed_packet: 65_536 }, async () => {
      const notes = await prepare(bench.target, { threads: 2 });
      expect(notes.join('\n')).toMatch(/INSERTs.*LOAD DATA LOCAL is refused/);
      expect(await stateOf(bench.target)).toEqual(reference);
    });
  });

  test('keeps constants that a run reads, whatever seed the run has', async () => {
    const { lastNameLoad, lastNameRun, ...others } = drawConstants(1, new Set());
    const kept = await constantsOf(whole, 99, { profile: 'spec', deviations: [] });
    expect(kept).toEqual({ lastNameLoad, lastNameRun, ...others });
  });

  test('with --profile=sysbench-tpcc makes the tables of that tool, and checks hold', async () => {
    const options = { profile: 'sysbench-tpcc', force_pk: true } as const;
    await prepare(bench.target, { options });
    const state = await stateOf(bench.target, 'sysbench-tpcc');
    expect(state['order_line1']).toMatch(/KEY `fkey_order_line_21` \(`ol_supply_w_id`,`ol_i_id`\)/);
    expect(state['stock1']).toMatch(/CONSTRAINT `fkey_stock_2_1` FOREIGN KEY \(`s_i_id`\) REFERENCES `item1`/);
    expect(state['customer1']).toMatch(/KEY `idx_customer1` \(`c_w_id`,`c_d_id`,`c_last`,`c_first`\)/);
    expect(state['history1']).toMatch(/PRIMARY KEY \(`id`\)/);
    expect(failedOf(await check(bench.target, { options }))).toEqual([]);

    // As that tool itself leaves them: without what is kept here.
    await execute(bench.target, 'DROP TABLE sqldyno_tpcc1');
    const notes = await prepare(bench.target, { options, seed: 3 });
    expect(notes).toEqual([
      'warehouse1 and its tables are there already, with 1 warehouse, of another program: left as they are',
    ]);
    expect(await tablesOf(bench.target)).toHaveLength(9);
    const on = new Set(['nurand_c_redrawn'] as const);
    expect(await constantsOf(bench.target, 3, { ...options, deviations: [] })).toEqual(drawConstants(3, on));
    expect(await inspect(bench.target, { options })).toEqual([]);
  });
});

/** Asks as a session of a run does. */
async function constantsOf(
  target: ConnectOptions,
  seed: number,
  options: Pick<TpccOptions, 'profile' | 'deviations'>,
): Promise<unknown> {
  await using connection = await connect(target);
  const session: SessionConnection = {
    statement: async (name, kind, sql) => ({
      name,
      kind,
      run: () => connection.execute(sql),
      rows: async () => (await connection.read(sql)).rows,
    }),
  };
  return await readConstants(session, options, seed);
}

async function inspect(target: ConnectOptions, settings: Settings) {
  await using connection = await connect(target);
  return await inspectTpcc(connection, optionsOf(settings));
}

async function withGlobals(values: Readonly<Record<string, number>>, body: () => Promise<void>): Promise<void> {
  const before = await query(
    bench.target,
    `SELECT ${Object.keys(values)
      .map((name) => `@@GLOBAL.${name}`)
      .join(', ')}`,
  );
  const set = (name: string, value: unknown) => execute(bench.target, `SET GLOBAL ${name} = ${value}`);
  for (const [name, value] of Object.entries(values)) await set(name, value);
  try {
    await body();
  } finally {
    for (const [index, name] of Object.keys(values).entries()) await set(name, before[0]?.[index]);
  }
}

describe('a prepare that is cut off', () => {
  test('by kill -9 of the program goes on, and ends with the same data', async () => {
    const words = ['tpcc', `--mysql-socket=${bench.server.socketPath}`, '--mysql-user=root', '--mysql-db=sbtest'];
    const store = scratch();
    const killed = startCli([...words, '--rand-seed=1', '--threads=2', 'prepare'], { store });
    await until(async () => (await journalRows()) >= 7);
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await inspect(bench.target, {})).toMatchObject([{ id: 'table-half-loaded', severity: 'stop' }]);
    const again = await startCli([...words, '--rand-seed=8', '--threads=2', 'prepare'], { store }).ended;
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout + again.stderr).toContain('--rand-seed=1');
    expect(await stateOf(bench.target)).toEqual(reference);
    expect(await startCli([...words, 'check'], { store }).ended).toMatchObject({ code: 0 });
  });

  test('by the death of all its connections, time and again, ends with the same data', async () => {
    const random = createRandom(5);
    const places: readonly Deadly[] = [
      (_sql, begun) => begun === 4,
      (_sql, begun) => begun === random.integer(20, 60),
      (sql) => sql.startsWith('LOAD DATA') && random.integer(1, 30) === 1,
      (sql) => sql === 'COMMIT' && random.integer(1, 10) === 1,
      (sql) => /^ALTER TABLE .* ADD KEY/.test(sql),
      (sql) => sql.includes('ADD CONSTRAINT fkey_stock_1'),
      (sql) => sql.startsWith('DROP TABLE sqldyno_tpcc_journal'),
    ];
    for (const isDeadly of places) {
      const cut = prepare(bench.target, { threads: 3, connect: mortalConnections(isDeadly) });
      await expect(cut).rejects.toMatchObject({ hint: expect.stringContaining('the same command goes on') });
    }
    await prepare(bench.target);
    expect(await stateOf(bench.target)).toEqual(reference);
    expect(await tablesOf(bench.target)).toHaveLength(10);
  });

  test('by Ctrl-C says how to go on, and refuses to be mixed with other data', async () => {
    await prepareUntil(2, {});
    await expect(prepare(bench.target, { options: { scale: 2 } })).rejects.toMatchObject({
      message: expect.stringContaining('half loaded with 1 warehouses, not 2'),
      hint: expect.stringContaining('--scale=1'),
    });
    await expect(prepare(bench.target, { options: { profile: 'hammerdb' } })).rejects.toThrow(/--profile=spec/);
    await expect(prepare(bench.target, { options: { deviations: ['load_without_original'] } })).rejects.toThrow(
      /other deviations of the data: none/,
    );
    await execute(bench.target, 'SET foreign_key_checks = 0', 'DROP TABLE stock');
    await expect(prepare(bench.target)).rejects.toThrow(/stock is not there, though sqldyno_tpcc says/);
  });

  test('in an engine without transactions does the pieces again that it had in hand', async () => {
    const options = { mysql_storage_engine: 'MyISAM', use_fk: false };
    // All ten pieces of items, the warehouse, and the first of stock, of customers and of orders.
    await prepareUntil(14, { options });
    // As though the end had come between the rows and the line of the journal, or among the rows.
    await execute(
      bench.target,
      'DELETE FROM sqldyno_tpcc_journal WHERE chunk IN (3, 10, 11, 12, 13)',
      'DELETE FROM order_line WHERE ol_d_id = 1 AND ol_o_id > 500',
      'DELETE FROM item WHERE i_id = 30007',
    );
    await prepareUntil(5, { options });
    for (const [table, where] of [
      ['item', 'TRUE'],
      ['warehouse', 'TRUE'],
      ['district', 'TRUE'],
      ['stock', 's_i_id <= 10000'],
      ['customer', 'c_d_id = 1'],
      ['history', 'h_d_id = 1'],
      ['orders', 'o_d_id = 1'],
      ['new_order', 'no_d_id = 1'],
      ['order_line', 'ol_d_id = 1'],
    ] as const) {
      expect(await sumOf(bench.target, table, where), table).toEqual(await sumOf(whole, table, where));
    }
  });

  /** Interrupts it after so many pieces. */
  async function prepareUntil(pieces: number, settings: Settings): Promise<void> {
    const controller = new AbortController();
    let advances = 0;
    // The first tells what was there before.
    const onAdvance = () => {
      if (++advances === pieces + 1) controller.abort();
    };
    const half = prepare(bench.target, { ...settings, threads: 1, signal: controller.signal, onAdvance });
    await expect(half).rejects.toMatchObject({ exitCode: 130, hint: expect.stringContaining('same command again') });
  }

  /** All values of these rows, in one number. */
  async function sumOf(target: ConnectOptions, table: TableName, where: string): Promise<unknown> {
    const values = columnsOf(table).map((column) => `COALESCE(${column}, 'none')`);
    return query(target, `SELECT COUNT(*), SUM(CRC32(CONCAT_WS('|', ${values}))) FROM ${table} WHERE ${where}`);
  }

  async function journalRows(): Promise<number> {
    try {
      return Number((await query(bench.target, 'SELECT COUNT(*) FROM sqldyno_tpcc_journal'))[0]?.[0]);
    } catch (error) {
      if (error instanceof ServerError) return 0;
      throw error;
    }
  }

  /** Whether the connections die with this statement, of so many. */
  type Deadly = (sql: string, begun: number) => boolean;

  /** Connections that are all cut together while a statement is on its way. */
  function mortalConnections(isDeadly: Deadly): () => Promise<Connection> {
    const open: Connection[] = [];
    let begun = 0;
    let isOver = false;
    return async () => {
      const connection = await connect(bench.target);
      open.push(connection);
      const send = connection.execute.bind(connection);
      connection.execute = (...statement) => {
        isOver ||= isDeadly(String(statement[0]), ++begun);
        if (isOver) setImmediate(() => open.map((one) => one.destroy(new WireError('closed', 'killed'))));
        return send(...statement);
      };
      return connection;
    };
  }
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('tables that are there already', () => {
  test('are kept where they match, and get keys that are missing', async () => {
    expect(await prepare(whole, { seed: 9 })).toEqual([
      'warehouse and its tables are there already, with 1 warehouse: kept as they are',
      'warehouse: with --rand-seed=1, with which they were made; for others: cleanup, then prepare',
    ]);
    await execute(
      whole,
      'ALTER TABLE customer DROP KEY idx_customer',
      'ALTER TABLE history DROP FOREIGN KEY fkey_history_2',
    );
    await prepare(whole);
    expect(await stateOf(whole)).toEqual(reference);
  });

  test.each([
    { options: { scale: 4 }, error: /loaded with 1 warehouses, not 4/ },
    { options: { profile: 'go-tpc' }, error: /loaded with --profile=spec/ },
    { options: { deviations: ['load_bad_credit_half'] }, error: /other deviations/ },
    { options: { mysql_storage_engine: 'rocksdbx' }, error: /no storage engine 'rocksdbx'/ },
  ] as const)('are not mixed with $options', async ({ options, error }) => {
    await expect(prepare(whole, { options })).rejects.toThrow(error);
    expect(await stateOf(whole)).toEqual(reference);
  });

  test('are not run on where a ROLLBACK would undo nothing', async () => {
    const keys = ['fkey_history_1', 'fkey_history_2'].map((key) => `ALTER TABLE history DROP FOREIGN KEY ${key}`);
    await execute(whole, ...keys, 'ALTER TABLE history ENGINE = MyISAM');
    expect(await inspect(whole, {})).toEqual([
      {
        id: 'no-transactions',
        severity: 'stop',
        is: 'history is in an engine without transactions (MyISAM): nothing would be rolled back.',
        remedy: expect.stringMatching(/^ALTER TABLE `history` ENGINE = InnoDB;/),
      },
    ]);
    await execute(whole, 'ALTER TABLE history ENGINE = InnoDB');
    await prepare(whole);
    expect(await inspect(whole, {})).toEqual([]);
    expect(await stateOf(whole)).toEqual(reference);
  });

  test('of another program are left alone', async () => {
    await execute(bench.target, 'CREATE TABLE orders (id INT PRIMARY KEY, customer INT)');
    await expect(prepare(bench.target)).rejects.toThrow(/orders has no column o_id.*Nothing was changed/);
    await expect(cleanupTpcc(contextOf(bench.target, {}))).rejects.toThrow(/Nothing was dropped/);
    expect(await tablesOf(bench.target)).toEqual(['orders']);
  });

  test('and hold rows of another program in part are refused', async () => {
    await execute(
      bench.target,
      'CREATE TABLE item LIKE whole.item',
      'INSERT INTO item SELECT * FROM whole.item LIMIT 5',
    );
    await expect(prepare(bench.target)).rejects.toThrow(/item has rows already, of another program: there is no /);
    expect(await tablesOf(bench.target)).toEqual(['item']);
  });

  test('are told apart before a run', async () => {
    expect(await inspect(whole, {})).toEqual([]);
    expect(await inspect(whole, { options: { scale: 2 } })).toMatchObject([{ id: 'too-few-rows', severity: 'stop' }]);
    expect(await inspect(whole, { options: { profile: 'hammerdb' } })).toMatchObject([
      { id: 'data-of-other-profile', severity: 'warning' },
    ]);
  });
});

describe('check', () => {
  test('finds all twelve conditions right after loading', async () => {
    const results = await check(whole);
    expect(results).toHaveLength(12);
    expect(results.filter(({ ok, skipped }) => !ok || skipped)).toEqual([]);
  });

  const LINE = 'ol_w_id = 1 AND ol_d_id = 5 AND ol_o_id = 7 AND ol_number = 1';
  const PAYMENT = 'h_c_w_id = 1 AND h_c_d_id = 8 AND h_c_id = 5';

  test.each([
    {
      plants: 'UPDATE warehouse SET w_ytd = w_ytd + 1',
      mends: 'UPDATE warehouse SET w_ytd = w_ytd - 1',
      fails: [1, 8],
      because: ['warehouse 1: w_ytd is 300001.00, the districts have 300000.00'],
    },
    {
      plants: 'UPDATE district SET d_next_o_id = 3000 WHERE d_id = 3',
      mends: 'UPDATE district SET d_next_o_id = 3001 WHERE d_id = 3',
      fails: [2],
      because: ['warehouse 1, district 3: d_next_o_id - 1 is 2999, the highest o_id is 3000, the highest no_o_id 3000'],
    },
    {
      plants: 'DELETE FROM new_order WHERE no_d_id = 4 AND no_o_id = 2500',
      mends: 'INSERT INTO new_order VALUES (2500, 4, 1)',
      fails: [3, 5, 11],
      because: ['warehouse 1, district 4: no_o_id goes from 2101 to 3000, in 899 rows'],
    },
    {
      plants: `UPDATE order_line SET ol_number = 16, ol_o_id = 8 WHERE ${LINE}`,
      mends: 'UPDATE order_line SET ol_number = 1, ol_o_id = 7 WHERE ol_d_id = 5 AND ol_o_id = 8 AND ol_number = 16',
      fails: [6],
      because: [/warehouse 1, district 5, order 7: o_ol_cnt is \d+, there are \d+ lines/],
    },
    {
      plants: 'UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_d_id = 5 AND o_id = 7',
      mends: 'UPDATE orders SET o_ol_cnt = o_ol_cnt - 1 WHERE o_d_id = 5 AND o_id = 7',
      fails: [4, 6],
      because: [/warehouse 1, district 5: o_ol_cnt adds up to \d+, there are \d+ lines/],
    },
    {
      plants: 'UPDATE orders SET o_carrier_id = 20, o_carrier_id = NULL WHERE o_d_id = 6 AND o_id = 9',
      mends: 'UPDATE orders SET o_carrier_id = @@carrier WHERE o_d_id = 6 AND o_id = 9',
      fails: [5, 7],
      because: ['warehouse 1, district 6, order 9: o_carrier_id is NULL, no row in new_order'],
    },
    {
      plants: 'UPDATE order_line SET ol_delivery_d = NULL WHERE ol_d_id = 7 AND ol_o_id = 11 AND ol_number = 2',
      mends: "UPDATE order_line SET ol_delivery_d = '2026-01-01' WHERE ol_d_id = 7 AND ol_o_id = 11 AND ol_number = 2",
      fails: [7],
      because: [/warehouse 1, district 7, order 11, line 2: o_carrier_id is \d+, ol_delivery_d NULL/],
    },
    {
      plants: `UPDATE history SET h_amount = 11 WHERE ${PAYMENT}`,
      mends: `UPDATE history SET h_amount = 10 WHERE ${PAYMENT}`,
      fails: [8, 9, 10],
      because: ['warehouse 1: w_ytd is 300000.00, h_amount adds up to 300001.00'],
    },
    {
      plants: `UPDATE history SET h_d_id = 9 WHERE ${PAYMENT}`,
      mends: `UPDATE history SET h_d_id = 8 WHERE ${PAYMENT}`,
      fails: [9],
      because: ['warehouse 1, district 8: d_ytd is 30000.00, h_amount adds up to 29990.00'],
    },
    {
      plants: `UPDATE history SET h_c_id = 6 WHERE ${PAYMENT} LIMIT 1`,
      mends: 'UPDATE history SET h_c_id = 5 WHERE h_c_w_id = 1 AND h_c_d_id = 8 AND h_c_id = 6 LIMIT 1',
      fails: [10],
      because: ['warehouse 1, district 8, customer 5: c_balance is -10.00, delivered was 0.00, paid 0.00'],
    },
    {
      plants: "INSERT INTO orders VALUES (0, 10, 1, 5, '2026-01-01', 3, 0, 1)",
      mends: 'DELETE FROM orders WHERE o_id = 0',
      fails: [11],
      because: ['warehouse 1, district 10: 3001 orders, of which 900 are open'],
    },
    {
      plants: 'UPDATE customer SET c_ytd_payment = 11 WHERE c_d_id = 2 AND c_id = 44',
      mends: 'UPDATE customer SET c_ytd_payment = 10 WHERE c_d_id = 2 AND c_id = 44',
      fails: [12],
      because: ['warehouse 1, district 2, customer 44: c_balance is -10.00, c_ytd_payment 11.00, delivered was 0.00'],
    },
  ])('finds $fails after: $plants', async ({ plants, mends, fails, because }) => {
    const [carrier] = await query(whole, 'SELECT o_carrier_id FROM orders WHERE o_d_id = 6 AND o_id = 9');
    await execute(whole, plants);
    try {
      const results = await check(whole);
      expect(failedOf(results)).toEqual(fails);
      const first = results.find(({ ok }) => !ok);
      for (const text of because) expect(first?.because).toMatch(text);
    } finally {
      await execute(whole, mends.replace('@@carrier', String(carrier?.[0])));
    }
  });

  test('leaves out what holds right after loading only, once orders have come', async () => {
    await execute(
      whole,
      'UPDATE district SET d_next_o_id = 3002 WHERE d_id = 1',
      "INSERT INTO orders VALUES (3001, 1, 1, 5, '2026-01-01', NULL, 0, 1)",
      'INSERT INTO new_order VALUES (3001, 1, 1)',
    );
    try {
      const results = await check(whole);
      expect(failedOf(results)).toEqual([]);
      expect(results.filter(({ skipped }) => skipped).map(({ is }) => is)).toEqual([
        expect.stringMatching(/^Condition 11:/),
      ]);
    } finally {
      await execute(
        whole,
        'DELETE FROM new_order WHERE no_o_id = 3001',
        'DELETE FROM orders WHERE o_id = 3001',
        'UPDATE district SET d_next_o_id = 3001 WHERE d_id = 1',
      );
    }
  });

  test('holds for a district without open orders', async () => {
    await execute(
      whole,
      'CREATE TABLE kept AS SELECT * FROM new_order WHERE no_d_id = 1',
      'DELETE FROM new_order WHERE no_d_id = 1',
    );
    try {
      // Condition 5 misses the open orders; 2 and 3 have nothing to say of none.
      expect(failedOf(await check(whole))).toEqual([5, 11]);
    } finally {
      await execute(whole, 'INSERT INTO new_order SELECT * FROM kept', 'DROP TABLE kept');
    }
  });

  test('says what is known of a profile, and fails all the same', async () => {
    const results = await withPlanted('UPDATE customer SET c_balance = 10 WHERE c_d_id = 2 AND c_id = 44', () =>
      check(whole, { options: { profile: 'hammerdb' } }),
    );
    expect(failedOf(results)).toEqual([10, 12]);
    expect(results[9]?.because).toMatch(/payment_added_to_balance.*breaks this condition/);
  });

  test('has nothing to say of empty tables', async () => {
    for (const table of TABLES) await execute(bench.target, `CREATE TABLE ${table} LIKE whole.${table}`);
    await expect(check(bench.target)).rejects.toThrow(/warehouse is empty/);
  });

  async function withPlanted<T>(plants: string, body: () => Promise<T>): Promise<T> {
    await execute(whole, plants);
    try {
      return await body();
    } finally {
      await execute(whole, 'UPDATE customer SET c_balance = -10 WHERE c_d_id = 2 AND c_id = 44');
    }
  }

  test('has left everything as it was', async () => {
    expect(await stateOf(whole)).toEqual(reference);
  });
});

test('prewarm reads every row and every index', async () => {
  const notes: string[] = [];
  await prewarmTpcc(contextOf(whole, {}, notes));
  const rows = await query(whole, `SELECT ${TABLES.map((table) => `(SELECT COUNT(*) FROM ${table})`).join(' + ')}`);
  expect(notes).toEqual([`9 tables read, ${Number(rows[0]?.[0]).toLocaleString('en')} rows with their indexes`]);
  await expect(prewarmTpcc(contextOf(bench.target, {}))).rejects.toThrow(/warehouse is not there/);
});

test('cleanup drops its tables, tells of others, and finds nothing where nothing is', async () => {
  const notes: string[] = [];
  for (const table of TABLES) {
    await execute(
      bench.target,
      `CREATE TABLE ${table} LIKE whole.${table}`,
      `CREATE TABLE ${table}2 LIKE whole.${table}`,
    );
  }
  await execute(bench.target, 'CREATE TABLE mine (id INT)');
  await cleanupTpcc(contextOf(bench.target, {}, notes));
  expect(notes).toEqual([
    'warehouse and its tables: dropping them',
    'There are more table sets, up to warehouse2: to drop them, give --tables=2',
  ]);
  await cleanupTpcc(contextOf(bench.target, { options: { tables: 2 } }));
  expect(await tablesOf(bench.target)).toEqual(['mine']);
  notes.length = 0;
  await cleanupTpcc(contextOf(bench.target, {}, notes));
  expect(notes).toEqual(['Nothing to drop: there is no warehouse']);
});
