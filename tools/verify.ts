/**
 * All checks and all tests, read-only, ending with a line `N passed, N failed`. Each check counts as one.
 * Run as `npm test`, or without the tests that start servers as `npm run check`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { add, type Counts, countsOf, lineOf, skippedOf, type VitestReport } from './verify/counts.ts';

interface Check {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

const CHECKS: readonly Check[] = [
  { name: 'types (tsc)', program: 'tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'types of the page (tsc)', program: 'tsc', args: ['-p', 'src/web/client/tsconfig.json'] },
  // Warnings are guides for whoever edits the file; they are shown by `npx biome check`.
  { name: 'format and lint (biome)', program: 'biome', args: ['check', '--diagnostic-level=error'] },
  {
    name: 'forgotten promises (oxlint)',
    program: 'oxlint',
    args: ['--type-aware', '--deny-warnings', 'src', 'test', 'tools', 'bench'],
  },
  { name: 'dead files, exports, dependencies (knip)', program: 'knip', args: [] },
  { name: 'package (publint)', program: 'publint', args: ['--strict'] },
];

/** Whoever waits for the result must get one, and a sentence, also from a test that hangs. */
const TESTS_LIMIT_MS = 17 * 60_000;
const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

async function main(): Promise<void> {
  let counts = NOTHING;
  for (const check of CHECKS) counts = add(counts, await runCheck(check));
  counts = add(counts, await runTests(process.argv.includes('--without-server')));
  console.log(lineOf(counts));
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

async function runCheck(check: Check): Promise<Counts> {
  const startMs = Date.now();
  const { exitCode, output } = await capture(join('node_modules', '.bin', check.program), check.args);
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
  console.log(`${exitCode === 0 ? 'ok    ' : 'FAILED'} ${check.name} ${seconds} s`);
  if (exitCode === 0) return { ...NOTHING, passed: 1 };
  console.log(output);
  return { ...NOTHING, failed: 1 };
}

async function runTests(withoutServer: boolean): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'sqldyno-verify-'));
  const reportPath = join(folder, 'vitest.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
    const projects = withoutServer ? ['--project=quick', '--project=exhaustive'] : [];
    const exitCode = await inForeground(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...projects]);
    const report = readReport(reportPath);
    const skipped = skippedOf(report);
    for (const name of skipped) console.log(`skipped: ${name}`);
    return countsOf(report, exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path: string): VitestReport {
  if (!existsSync(path)) return { testResults: [] };
  return JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
}

function capture(program: string, args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => resolve({ exitCode: 1, output: error.message }));
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

/** In a process group of its own: a worker in an endless loop ends with it, and with nothing less. */
function inForeground(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    // A log is read without colours, though CI=true would give them.
    const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true, env });
    const endGroup = (signal: NodeJS.Signals) => {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    };
    const limit = setTimeout(() => {
      console.log(`The tests were stopped: they took longer than ${TESTS_LIMIT_MS / 60_000} minutes.`);
      endGroup('SIGKILL');
    }, TESTS_LIMIT_MS);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => endGroup(signal));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve(code ?? 1);
    });
  });
}

await main();
