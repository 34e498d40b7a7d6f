/**
 * `npm run bench:tpcc-load`: how long loading the tables of tpcc takes, against the method of sysbench-tpcc:
 * indexes and foreign keys first, then INSERTs of up to 512 KiB that commit by themselves, one connection for each
 * warehouse. Both load the same rows into the same tables of one server, in turn, so that only the method differs.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { monotonicMs } from '../src/base/clock.ts';
import { defaultsOf } from '../src/base/options.ts';
import { type PrivateServer, startPrivateServer } from '../src/lab/server.ts';
import { connect } from '../src/wire/connection.ts';
import type { Connection, ConnectOptions } from '../src/wire/types.ts';
import { eachInParallel } from '../src/workload/parallel.ts';
import { deviationsOf } from '../src/workload/tpcc/deviations.ts';
import { prepareTpcc } from '../src/workload/tpcc/load.ts';
import { insertRows } from '../src/workload/tpcc/load-rows.ts';
import { drawConstants } from '../src/workload/tpcc/nurand.ts';
import { TPCC_OPTIONS, type TpccOptions } from '../src/workload/tpcc/options.ts';
import {
  createRowSource,
  DISTRICTS,
  openRows,
  type RowSource,
  type RowStream,
  type Stretch,
} from '../src/workload/tpcc/rows.ts';
import {
  columnsOf,
  createTableSql,
  foreignKeyPlans,
  indexPlans,
  TABLES,
  type TableName,
  tableSet,
} from '../src/workload/tpcc/tables.ts';
import type { MaintenanceContext } from '../src/workload/workload.ts';
import { cells, compare, interleave } from './pairs.ts';
import { machineLine } from './process-cost.ts';

const SEED = 1;
const SET = tableSet('sysbench-tpcc', 1);
/** What sysbench collects before it sends: 512 KiB. */
const INSERT_BYTES = 512 * 1024;
/** For so long that tool waits between making its tables and filling them. It is told apart: a wait is no method. */
const WAIT_S = 30;
/** In the order in which that tool fills the tables of a warehouse. new_orders comes from orders, then order_line. */
const OF_WAREHOUSE: readonly TableName[] = ['warehouse', 'district', 'customer', 'history', 'orders', 'stock'];

interface Cost {
  readonly seconds: number;
  readonly serverCpuS: number;
  readonly clientCpuS: number;
}

interface Case {
  readonly target: ConnectOptions;
  readonly options: TpccOptions;
  readonly threads: number;
}

type Context = MaintenanceContext<typeof TPCC_OPTIONS>;

function contextOf({ target, options, threads }: Case): Context {
  return {
    connect: () => connect(target),
    options,
    threads,
    seed: SEED,
    keys: { draw: (random, from, to) => random.integer(from, to) },
    signal: new AbortController().signal,
    progress: { note: () => {}, advance: () => {} },
  };
}

async function loadAsDocumented(load: Case): Promise<void> {
  const { options } = load;
  const context = contextOf(load);
  const deviations = deviationsOf(options);
  const constants = drawConstants(SEED, deviations);
  const source = createRowSource({ seed: SEED, set: SET, constants, deviations, hasHistoryId: options.force_pk });
  await using first = await context.connect();
  await first.execute('SET SESSION foreign_key_checks = 0');
  for (const table of TABLES) await first.execute(createTableSql(SET, table, options));
  await insertAll(first, source, [{ table: 'item', warehouse: 0 }]);
  for (const table of TABLES) {
    const keys = indexPlans(SET, table, options).map(({ name, columns }) => `ADD KEY ${name} (${columns.join(', ')})`);
    for (const sql of [...keys, ...foreignKeyPlans(SET, table, options).map((plan) => plan.sql)]) {
      await first.execute(`ALTER TABLE ${SET.tables[table]} ${sql}`);
    }
  }
  const warehouses = Array.from({ length: options.scale }, (_, index) => index + 1);
  await eachInParallel(context, first, warehouses, async (connection, warehouse) => {
    await connection.execute('SET SESSION foreign_key_checks = 0');
    for (const table of OF_WAREHOUSE) await insertAll(connection, source, stretchesOf(table, warehouse));
    const { orders, new_order: open } = SET.tables;
    await connection.execute(
      `INSERT INTO ${open} (no_o_id, no_d_id, no_w_id) SELECT o_id, o_d_id, o_w_id FROM ${orders}
        WHERE o_id > 2100 AND o_w_id = ${warehouse}`,
    );
    await insertAll(connection, source, stretchesOf('order_line', warehouse));
  });
}

/** All rows of a table for one warehouse. */
function stretchesOf(table: TableName, warehouse: number): Stretch[] {
  if (table === 'warehouse' || table === 'district' || table === 'stock') return [{ table, warehouse }];
  return Array.from({ length: DISTRICTS }, (_, index) => ({ table, warehouse, district: index + 1 }));
}

async function insertAll(connection: Connection, source: RowSource, stretches: readonly Stretch[]): Promise<void> {
  const [first] = stretches;
  if (first === undefined) return;
  const target = { table: SET.tables[first.table], columns: columnsOf(first.table) };
  await insertRows(connection, target, { rows: joined(source, stretches), bytesMax: INSERT_BYTES });
}

/** One stretch after another, so that a statement may reach over the end of one. */
function joined(source: RowSource, stretches: readonly Stretch[]): RowStream {
  const waiting = stretches.values();
  let current: RowStream = () => false;
  return (writer) => {
    for (;;) {
      if (current(writer)) return true;
      const next = waiting.next();
      if (next.done === true) return false;
      current = openRows(source, next.value);
    }
  };
}

/** Of the kernel, for /proc: the same on every Linux. */
const TICKS_PER_S = 100;

/** CPU time of the process so far, that of threads which have ended included (proc(5): utime and stime of `stat`). */
function cpuS(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_PER_S;
}

async function timed(server: PrivateServer, load: Case, method: (load: Case) => Promise<void>): Promise<Cost> {
  await using observer = await connect(server.target);
  await observer.execute('CREATE DATABASE tpcc_load');
  const beganMs = monotonicMs();
  const serverBegan = cpuS(server.pid);
  const clientBegan = process.cpuUsage();
  await method(load);
  const seconds = (monotonicMs() - beganMs) / 1000;
  const client = process.cpuUsage(clientBegan);
  const serverCpuS = cpuS(server.pid) - serverBegan;
  const [rows] = (await observer.read(`SELECT COUNT(*) FROM tpcc_load.${SET.tables.order_line}`)).rows;
  if (Number(rows?.[0]) < load.options.scale * 299_000)
    throw new Error('Order lines are missing: nothing was measured.');
  await observer.execute('DROP DATABASE tpcc_load');
  return { seconds, serverCpuS, clientCpuS: (client.user + client.system) / 1e6 };
}

/** The first never waits for a disk; the second is a server as its makers ship it, with less memory than the data. */
const SERVERS = [
  { name: '1 GiB buffer pool, redo flushed once a second', arguments: ['1G', '2'] },
  { name: '128 MiB buffer pool, redo flushed at every commit', arguments: ['128M', '1'] },
].map(({ name, arguments: [pool, flush] }) => ({
  name,
  extraArguments: [`--innodb-buffer-pool-size=${pool}`, `--innodb-flush-log-at-trx-commit=${flush}`],
}));

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pairs: { type: 'string', default: '3' },
      scale: { type: 'string', default: '4' },
      threads: { type: 'string', default: '4' },
    },
  });
  const options = { ...defaultsOf(TPCC_OPTIONS), profile: 'sysbench-tpcc', scale: Number(values.scale) } as const;
  console.log(`${machineLine()}; ${values.scale} warehouses, ${values.threads} threads`);
  for (const { name, extraArguments } of SERVERS) {
    await using server = await startPrivateServer({ extraArguments });
    const load = { target: { ...server.target, database: 'tpcc_load' }, options, threads: Number(values.threads) };
    const pairs = await interleave(
      Number(values.pairs),
      () => timed(server, load, (one) => prepareTpcc(contextOf(one))),
      () => timed(server, load, loadAsDocumented),
    );
    console.log(
      `\n| ${server.flavor} ${server.version}, ${name} | sqldyno / documented | ratio, ${values.pairs} pairs |`,
    );
    console.log('| --- | --- | --- |');
    const line = (what: string, figure: (cost: Cost) => number) => `| ${what} | ${cells(compare(pairs, figure), 1)} |`;
    console.log(line('seconds', (cost) => cost.seconds));
    const withWait = pairs.map(({ ours, theirs }) => {
      return { ours, theirs: { ...theirs, seconds: theirs.seconds + WAIT_S } };
    });
    console.log(
      `| with its wait | ${cells(
        compare(withWait, (cost) => cost.seconds),
        1,
      )} |`,
    );
    console.log(line('CPU of the server, s', (cost) => cost.serverCpuS));
    console.log(line('CPU of the client, s', (cost) => cost.clientCpuS));
  }
}

await main();
