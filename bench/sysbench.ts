/**
 * `npm run bench:sysbench`: sqldyno beside sysbench on one private server, interleaved.
 * With --floor also the C program of floor.c, built on the spot with `cc`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { type Grid, gridFromArguments, optionsOf, walk } from './grid.ts';
import { median } from './pairs.ts';
import { machineLine } from './process-cost.ts';

const TITLE = 'bench:sysbench: sqldyno beside sysbench on a private server. --floor adds the C program.';

function prepareTables(grid: Grid, { account, socket }: BenchServer): void {
  execFileSync('sysbench', ['oltp_read_write', ...optionsOf(grid, socket, account), '--threads=2', 'prepare']);
}

/** The floor's own figures: it measures itself, by the same system calls. */
function runFloor(grid: Grid, socketPath: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'sqldyno-floor-'));
  try {
    const program = join(directory, 'floor');
    execFileSync('cc', ['-O2', '-o', program, fileURLToPath(new URL('../../bench/floor.c', import.meta.url))]);
    console.log(`\n### The floor (floor.c), point select, socket: medians of ${grid.pairs}\n`);
    console.log('| connections | client CPU µs per statement | statements/s |');
    console.log('| --- | --- | --- |');
    for (const connections of grid.connections) {
      const settings = [String(connections), String(grid.windowS), String(grid.tables), String(grid.rows)];
      const runs = Array.from({ length: grid.pairs }, () => {
        const line = execFileSync(program, [socketPath, 'floor', ...settings], { encoding: 'utf8' });
        const [, rate, cpuUs] = /^(\d+) statements\/s, client CPU ([\d.]+)/.exec(line) ?? [];
        return { rate: Number(rate), cpuUs: Number(cpuUs) };
      });
      const [cpuUs, rate] = [median(runs.map((run) => run.cpuUs)), median(runs.map((run) => run.rate))];
      console.log(`| ${connections} | ${cpuUs.toFixed(1)} | ${rate.toFixed(0)} |`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const withFloor = process.argv.includes('--floor');
  process.argv = process.argv.filter((argument) => argument !== '--floor');
  const grid = gridFromArguments(TITLE, { workloads: 'oltp_point_select,oltp_read_write', transports: 'socket,tcp' });
  if (grid === undefined) return;
  await using bench = await startBenchServer();
  const { server, observer, account, socket, tcp } = bench;
  prepareTables(grid, bench);
  const sysbench = execFileSync('sysbench', ['--version'], { encoding: 'utf8' }).trim();
  console.log(`${machineLine()}; ${server.flavor} ${server.version}; ${sysbench}`);
  if (withFloor) runFloor(grid, server.socketPath);
  await walk(grid, [socket, tcp], account, observer);
}

await main();
