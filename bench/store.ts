/**
 * `npm run bench:store`: how long commands take that look at a store of many runs, from the start of the program to its
 * end. The stores are made for it, of runs of the size that a watched run of ten seconds has.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { monotonicMs } from '../src/base/clock.ts';
import { formatBytes, formatCount } from '../src/base/units.ts';
import type { RunRecord } from '../src/model/run.ts';
import { closedRun } from '../test/fixtures/sample-runs.ts';
import { MAIN } from './grid.ts';
import { median } from './pairs.ts';
import { machineLine } from './process-cost.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2020, 0, 1);
/** Two groups of so many runs are compared. */
const COMPARED = 10;
/** Younger files are read again at each list: docs/data.md. */
const SETTLING_MS = 2_500;

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  /** The index is removed before each. */
  readonly isFirst?: true;
}

const CASES: readonly Case[] = [
  { what: '`runs list`, the index missing', args: ['runs', 'list'], isFirst: true },
  { what: '`runs list`', args: ['runs', 'list'] },
  {
    what: '`runs list --tag --since --valid`',
    args: ['runs', 'list', '--tag=nightly', '--since=2020-02-01', '--valid'],
  },
  { what: '`runs list --json`', args: ['runs', 'list', '--json'] },
  { what: '`runs show latest`', args: ['runs', 'show', 'latest'] },
  { what: `\`compare\` of two tags of ${COMPARED} runs`, args: ['compare', 'before', 'after'] },
  { what: '`history` of a tag on a seventh of them', args: ['history', 'nightly'] },
  { what: '`--version`, for comparison', args: ['--version'] },
];

/** Facts as an observed host and server have them; the fixture has none. */
function environment(): NonNullable<RunRecord['environment']> {
  const facts = (of: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${of}.fact${at}`, `value ${at} of ${of}`]));
  const host = { hostname: 'bench', 'cpu.model': 'Processor', 'cpu.threads': 8, ...facts('host', 75) };
  return { server: facts('server', 15), host, client: host };
}

function runAt(at: number, base: RunRecord): RunRecord {
  const startedAt = new Date(FIRST_MS + at * (DAY_MS / 7)).toISOString();
  const stamp = startedAt.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  // No two alike, and no pattern that a change could be made of.
  const transactionsPerS = 1_000 + ((at * 7_919) % 101) / 10;
  const group = at < COMPARED ? ['before'] : at < 2 * COMPARED ? ['after'] : [];
  return {
    ...base,
    id: `${stamp}-oltp_read_write-${at.toString(36).padStart(4, '0')}`,
    startedAt,
    rates: { ...base.rates, transactionsPerS },
    tags: [...group, ...(at % 7 === 0 ? ['nightly'] : [])],
    seed: at,
  };
}

/** Without waiting for the disk, as only reading is measured. */
function makeStore(store: string, count: number): void {
  const base: RunRecord = { ...closedRun(), environment: environment() };
  for (let at = 0; at < count; at++) {
    const { intervals, series, ...head } = runAt(at, base);
    const directory = join(store, 'runs', head.id);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'run.json'), `${JSON.stringify(head, null, 1)}\n`);
    writeFileSync(join(directory, 'intervals.ndjson'), intervals.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (series !== undefined) writeFileSync(join(directory, 'series.json'), `${JSON.stringify(series)}\n`);
  }
}

function timeS(args: readonly string[], store: string): number {
  const beganMs = monotonicMs();
  const env = { ...process.env, SQLDYNO_STORE: store };
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { env, maxBuffer: 1 << 28 });
  const seconds = (monotonicMs() - beganMs) / 1_000;
  if (status !== 0) throw new Error(`sqldyno ${args.join(' ')} ended with exit code ${status}: ${stderr}`);
  return seconds;
}

function measure({ args, isFirst }: Case, store: string, repeats: number): string {
  const seconds = Array.from({ length: repeats }, () => {
    if (isFirst) rmSync(join(store, 'runs-index.ndjson'), { force: true });
    return timeS(args, store);
  });
  return `**${median(seconds).toFixed(2)}** (${Math.min(...seconds).toFixed(2)}–${Math.max(...seconds).toFixed(2)})`;
}

async function measureStore(count: number, repeats: number): Promise<readonly string[]> {
  const store = mkdtempSync(join(tmpdir(), 'sqldyno-bench-store-'));
  try {
    makeStore(store, count);
    await sleep(SETTLING_MS);
    const cells = CASES.map((each) => measure(each, store, repeats));
    const [first = ''] = readdirSync(join(store, 'runs'));
    const runBytes = statSync(join(store, 'runs', first, 'run.json')).size;
    const indexBytes = statSync(join(store, 'runs-index.ndjson')).size;
    console.log(`${formatCount(count)} runs: run.json ${formatBytes(runBytes)} each, index ${formatBytes(indexBytes)}`);
    return cells;
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '200,10000' }, repeats: { type: 'string', default: '5' } },
  });
  const counts = values.runs.split(',').map(Number);
  console.log(machineLine());
  const columns: (readonly string[])[] = [];
  for (const count of counts) columns.push(await measureStore(count, Number(values.repeats)));
  console.log(
    `\n| seconds, median of ${values.repeats} (range) | ${counts.map((count) => `${formatCount(count)} runs`).join(' | ')} |`,
  );
  console.log(`| --- |${counts.map(() => ' --- |').join('')}`);
  for (const [at, { what }] of CASES.entries())
    console.log(`| ${what} | ${columns.map((cells) => cells[at]).join(' | ')} |`);
}

await main();
