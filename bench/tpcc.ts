/**
 * `npm run bench:tpcc`: the tpcc workload flat out, with prepared statements and the same statements as text, in turn
 * on the same data. Rates and the client's CPU are those of the records, which the cross-check has compared with the
 * server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RunRecord } from '../src/model/run.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { MAIN } from './grid.ts';
import { cells, compare, interleave } from './pairs.ts';
import { machineLine } from './process-cost.ts';

const CONNECTIONS = [1, 16, 64];
const WARMUP_S = 2;

interface Figures {
  readonly transactionsPerS: number;
  readonly cpuUsPerStatement: number;
}

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
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pairs: { type: 'string', default: '5' },
      window: { type: 'string', default: '8' },
      scale: { type: 'string', default: '4' },
    },
  });
  const store = mkdtempSync(join(tmpdir(), 'sqldyno-bench-'));
  const json = join(store, 'run.json');
  try {
    await using bench = await startBenchServer();
    console.log(`${machineLine()}; ${bench.server.flavor} ${bench.server.version}; ${values.scale} warehouses\n`);
    const common = [...targetOf(bench), `--scale=${values.scale}`, `--store=${store}`];
    await sqldyno(['tpcc', ...common, '--threads=2', 'prepare']);
    const measure = async (threads: number, psMode: string): Promise<Figures> => {
      const load = [`--threads=${threads}`, `--time=${values.window}`, `--warmup-time=${WARMUP_S}`];
      await sqldyno(['tpcc', ...common, ...load, `--db-ps-mode=${psMode}`, `--json=${json}`, 'run']);
      const run = JSON.parse(readFileSync(json, 'utf8')) as RunRecord;
      if (run.crossCheck.is !== 'done' || !run.crossCheck.ok) throw new Error('The cross-check failed.');
      return {
        transactionsPerS: run.rates.transactionsPerS,
        cpuUsPerStatement: run.client.cpuUsPerStatement,
      };
    };
    console.log('| connections | transactions/s, prepared / text | ratio | client CPU us/statement | ratio |');
    console.log('| --- | --- | --- | --- | --- |');
    for (const threads of CONNECTIONS) {
      const pairs = await interleave(
        Number(values.pairs),
        () => measure(threads, 'auto'),
        () => measure(threads, 'disable'),
      );
      const rate = compare(pairs, (figures) => figures.transactionsPerS);
      const cost = compare(pairs, (figures) => figures.cpuUsPerStatement);
      console.log(`| ${threads} | ${cells(rate, 0)} | ${cells(cost, 1)} |`);
    }
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

await main();
