/**
 * `npm run bench:observation`: what watching costs. The same load with `--observe=on` and `--observe=off`, in pairs in
 * turn on one server. Rates are those of the records, which the cross-check has compared with the server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatBytes } from '../src/base/units.ts';
import type { RunRecord } from '../src/model/run.ts';
import { comparePaired } from '../src/stats/paired.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { MAIN } from './grid.ts';
import { compare, interleave, median } from './pairs.ts';
import { machineLine } from './process-cost.ts';

const DEFAULTS = { pairs: '10', window: '20', connections: '1,16,64', workloads: 'oltp_point_select,oltp_read_write' };
const HELP = `npm run bench:observation -- [options]

  --pairs=${DEFAULTS.pairs} (even, so that either goes first as often)  --window=${DEFAULTS.window} (seconds)
  --connections=${DEFAULTS.connections}  --workloads=${DEFAULTS.workloads}
  --interval=1 (seconds between looks)`;
const WARMUP_S = 3;
const TABLES = ['--tables=4', '--table-size=100000'];
/** The bar: less than 1 % of the throughput. */
const MARGIN_SHARE = 0.01;

async function sqldyno(words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`sqldyno ${words[0]} ${words.at(-1)} ended with exit code ${code}.`);
}

function targetOf({ socket, account }: BenchServer): string[] {
  return [
    ...socket.options,
    `--mysql-user=${account.user}`,
    `--mysql-password=${account.password}`,
    '--mysql-db=sbtest',
    ...TABLES,
  ];
}

interface Settings {
  readonly pairs: number;
  readonly windowS: number;
  readonly intervalS: string;
  readonly common: readonly string[];
  readonly json: string;
}

/** One row: a workload at a number of connections. */
async function row(workload: string, threads: string, settings: Settings): Promise<string> {
  const { pairs: count, windowS, intervalS, common, json } = settings;
  const measure = async (observe: 'on' | 'off'): Promise<RunRecord> => {
    const load = [`--threads=${threads}`, `--time=${windowS}`, `--warmup-time=${WARMUP_S}`];
    const watching = [`--observe=${observe}`, `--observe-interval=${intervalS}`];
    await sqldyno([workload, ...common, ...load, ...watching, `--json=${json}`, 'run']);
    const run = JSON.parse(readFileSync(json, 'utf8')) as RunRecord;
    if (run.crossCheck.is !== 'done' || !run.crossCheck.ok) throw new Error('The cross-check failed.');
    return run;
  };
  const pairs = await interleave(
    count,
    () => measure('on'),
    () => measure('off'),
  );
  const rate = (run: RunRecord) => run.rates.transactionsPerS;
  const { ours, theirs, ratio, ratioMin, ratioMax } = compare(pairs, rate);
  const { effect, interval, because } = comparePaired({
    baseline: pairs.map(({ theirs: off }) => rate(off)),
    variant: pairs.map(({ ours: on }) => rate(on)),
    better: 'higher',
    marginShare: MARGIN_SHARE,
  });
  const costs = pairs.flatMap(({ ours: { observation } }) => (observation === undefined ? [] : [observation.cost]));
  const cost = [
    `${median(costs.map(({ clientCpuS }) => clientCpuS)).toFixed(2)} s`,
    `${median(costs.map(({ serverStatements }) => serverStatements)).toFixed(0)}`,
    formatBytes(median(costs.map(({ serverBytes }) => serverBytes))),
  ];
  const range = `${ratioMin.toFixed(3)}–${ratioMax.toFixed(3)}`;
  const mean = `${percent(effect)} (${percent(interval.low)} to ${percent(interval.high)})`;
  const cells = [
    workload,
    threads,
    `${ours.toFixed(0)} / ${theirs.toFixed(0)}`,
    `**${ratio.toFixed(3)}** (${range})`,
    mean,
    cost.join(', '),
  ];
  return `| ${cells.join(' | ')} |\n${because}`;
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${(share * 100).toFixed(2)} %` : 'unbounded';
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pairs: { type: 'string', default: DEFAULTS.pairs },
      window: { type: 'string', default: DEFAULTS.window },
      connections: { type: 'string', default: DEFAULTS.connections },
      workloads: { type: 'string', default: DEFAULTS.workloads },
      interval: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const store = mkdtempSync(join(tmpdir(), 'sqldyno-bench-'));
  try {
    await using bench = await startBenchServer();
    console.log(`${machineLine()}; ${bench.server.flavor} ${bench.server.version}; a look each ${values.interval} s\n`);
    const settings: Settings = {
      pairs: Number(values.pairs),
      windowS: Number(values.window),
      intervalS: values.interval,
      common: [...targetOf(bench), `--store=${store}`],
      json: join(store, 'run.json'),
    };
    const workloads = values.workloads.split(',');
    await sqldyno([workloads[0] ?? '', ...settings.common, '--threads=2', 'prepare']);
    const rows: string[] = [];
    for (const workload of workloads) {
      for (const threads of values.connections.split(',')) rows.push(await row(workload, threads, settings));
    }
    console.log(
      '| workload | connections | transactions/s, on / off | ratio | mean of pairs | cost by its own account |',
    );
    console.log('| --- | --- | --- | --- | --- | --- |');
    const lines = rows.map((each) => each.split('\n'));
    for (const [cells] of lines) console.log(cells);
    console.log();
    for (const [, because] of lines) console.log(because);
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

await main();
