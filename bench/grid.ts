/** The grid that both benches walk: workload x transport x connections, each by interleaved pairs of runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Connection } from '../src/wire/types.ts';
import { BARS } from './bars.ts';
import { type Contender, measure, runTimeS, type Window } from './contender.ts';
import { cells, compare, interleave, type Pair } from './pairs.ts';

export interface Account {
  readonly user: string;
  readonly password: string;
}
/** A transport as either program's own options say it. */
export interface Transport {
  readonly name: 'socket' | 'tcp';
  readonly options: readonly string[];
}
export interface Grid {
  readonly workloads: readonly string[];
  readonly connections: readonly number[];
  readonly transports: readonly string[];
  readonly pairs: number;
  readonly windowS: number;
  readonly tables: number;
  readonly rows: number;
}

export const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));

function help({ workloads, transports }: { workloads: string; transports: string }): string {
  return `  --connections=1,8,64,256,1024  --workloads=${workloads}  --transports=${transports}
  --pairs=5  --window=4 (seconds)  --tables=4  --rows=100000`;
}

/** Reads the command line of a bench; undefined where help was asked for and printed. */
export function gridFromArguments(
  title: string,
  defaults: { readonly workloads: string; readonly transports: string },
): Grid | undefined {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '1,8,64,256,1024' },
      workloads: { type: 'string', default: defaults.workloads },
      transports: { type: 'string', default: defaults.transports },
      pairs: { type: 'string', default: '5' },
      window: { type: 'string', default: '4' },
      tables: { type: 'string', default: '4' },
      rows: { type: 'string', default: '100000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(`${title}\n${help(defaults)}`);
    return undefined;
  }
  return {
    connections: values.connections.split(',').map(Number),
    workloads: values.workloads.split(','),
    transports: values.transports.split(','),
    pairs: Number(values.pairs),
    windowS: Number(values.window),
    tables: Number(values.tables),
    rows: Number(values.rows),
  };
}

/** Where the tables are and how large, in options that both programs take. */
export function optionsOf(
  { tables, rows }: Pick<Grid, 'tables' | 'rows'>,
  transport: Transport,
  { user, password }: Account,
): string[] {
  return [
    ...transport.options,
    `--mysql-user=${user}`,
    `--mysql-password=${password}`,
    '--mysql-db=sbtest',
    `--tables=${tables}`,
    `--table-size=${rows}`,
  ];
}

function contenders(cell: Cell, account: Account, store: string): { ours: Contender; theirs: Contender } {
  const options = [
    ...optionsOf(cell.grid, cell.transport, account),
    `--threads=${cell.connections}`,
    `--time=${runTimeS(cell.grid.windowS, cell.connections)}`,
    '--rand-type=uniform',
  ];
  return {
    ours: { command: process.execPath, arguments: [MAIN, cell.workload, ...options, `--store=${store}`, 'run'] },
    theirs: { command: 'sysbench', arguments: [cell.workload, ...options, 'run'] },
  };
}

interface Cell {
  readonly grid: Grid;
  readonly workload: string;
  readonly transport: Transport;
  readonly connections: number;
}

function report(cell: Cell, pairs: readonly Pair<Window>[]): void {
  const cpu = compare(pairs, (window) => window.cpuUsPerStatement);
  const rate = compare(pairs, (window) => window.statementsPerS);
  const columns = [
    String(cell.connections),
    cells(cpu, 1),
    cells(rate, 0),
    cells(
      compare(pairs, (window) => window.p95Ms),
      2,
    ),
    cells(
      compare(pairs, (window) => window.memoryPeakMb),
      0,
    ),
    verdict(cell, cpu.ratio, rate.ratio),
  ];
  console.log(`| ${columns.join(' | ')} |`);
}

function verdict(cell: Cell, cpuRatio: number, rateRatio: number): string {
  const bar = BARS.find((candidate) => candidate.connections === cell.connections);
  if (bar === undefined || cell.workload !== 'oltp_point_select' || cell.transport.name !== 'socket') return '';
  const cpu = cpuRatio <= bar.cpuRatioMax ? 'reached' : 'missed';
  const rate = rateRatio >= bar.rateRatioMin ? 'reached' : 'missed';
  return `CPU ≤ ${bar.cpuRatioMax} ${cpu}, rate ≥ ${bar.rateRatioMin} ${rate}`;
}

/** Walks the grid and prints one Markdown table for each workload and transport. */
export async function walk(
  grid: Grid,
  transports: readonly Transport[],
  account: Account,
  observer: Connection,
): Promise<void> {
  const store = mkdtempSync(join(tmpdir(), 'sqldyno-bench-'));
  try {
    for (const workload of grid.workloads) {
      for (const transport of transports.filter(({ name }) => grid.transports.includes(name))) {
        console.log(`\n### ${workload}, ${transport.name}: sqldyno / sysbench, ${grid.pairs} interleaved pairs\n`);
        console.log(
          '| connections | client CPU µs per statement | ratio | statements/s | ratio | p95 ms | ratio | peak MB | ratio | bar |',
        );
        console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
        for (const connections of grid.connections) {
          const cell = { grid, workload, transport, connections };
          const { ours, theirs } = contenders(cell, account, store);
          const options = { threads: connections, windowS: grid.windowS };
          const run = (contender: Contender) => measure(contender, observer, options);
          report(
            cell,
            await interleave(
              grid.pairs,
              () => run(ours),
              () => run(theirs),
            ),
          );
        }
      }
    }
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}
