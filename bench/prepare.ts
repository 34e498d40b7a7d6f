/** `npm run bench:prepare`: how long sqldyno and sysbench take to make the same tables on one server, in turn. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { monotonicMs } from '../src/base/clock.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { MAIN, optionsOf } from './grid.ts';
import { cells, compare, interleave } from './pairs.ts';
import { machineLine } from './process-cost.ts';

/** As in the bars: one table of a million rows, and the same rows over four tables. */
const CASES = [
  { tables: 1, rows: 1_000_000, threads: 1 },
  { tables: 1, rows: 1_000_000, threads: 4 },
  { tables: 4, rows: 250_000, threads: 4 },
];

/** Seconds from start to end of the program; the tables are dropped afterwards, outside the time. */
async function timePrepare(
  bench: BenchServer,
  command: readonly string[],
  tables: number,
): Promise<{ readonly seconds: number }> {
  const beganMs = monotonicMs();
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = (monotonicMs() - beganMs) / 1000;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with exit code ${code}.`);
  const names = Array.from({ length: tables }, (_, index) => `sbtest.sbtest${index + 1}`);
  await bench.observer.execute(`DROP TABLE ${names.join(', ')}`);
  return { seconds };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { pairs: { type: 'string', default: '5' } } });
  const store = mkdtempSync(join(tmpdir(), 'sqldyno-bench-'));
  try {
    await using bench = await startBenchServer();
    const sysbench = execFileSync('sysbench', ['--version'], { encoding: 'utf8' }).trim();
    console.log(`${machineLine()}; ${bench.server.flavor} ${bench.server.version}; ${sysbench}\n`);
    console.log(`| tables x rows, threads | seconds, sqldyno / sysbench | ratio, ${values.pairs} pairs |`);
    console.log('| --- | --- | --- |');
    for (const { tables, rows, threads } of CASES) {
      const options = [...optionsOf({ tables, rows }, bench.socket, bench.account), `--threads=${threads}`];
      const ours = [process.execPath, MAIN, 'oltp_read_write', ...options, `--store=${store}`, 'prepare'];
      const theirs = ['sysbench', 'oltp_read_write', ...options, 'prepare'];
      const pairs = await interleave(
        Number(values.pairs),
        () => timePrepare(bench, ours, tables),
        () => timePrepare(bench, theirs, tables),
      );
      const seconds = cells(
        compare(pairs, (run) => run.seconds),
        1,
      );
      console.log(`| ${tables} x ${rows}, ${threads} | ${seconds} |`);
    }
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

await main();
