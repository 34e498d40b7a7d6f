/** The search on a real server: what bounds it, what it keeps, how it ends; whatever the speed of the machine. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchResult } from '../../src/model/search.ts';
import { searchSchema } from '../../src/model/search-schema.ts';
import { openStore } from '../../src/store/store.ts';
import { runCli, startCli } from '../support/cli.ts';
import { startTestBench, type TestBench } from '../support/lab.ts';

/** Two connections do 100 of these a second and not one more, however fast the machine is. */
const NAP_S = 0.02;
const CONNECTIONS = 2;
const CAPACITY_PER_S = CONNECTIONS / NAP_S;

let bench: TestBench;
let scratch: string;
let store: string;
let nap: string;

beforeAll(async () => {
  bench = await startTestBench();
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-search-'));
  store = join(scratch, 'store');
  nap = join(scratch, 'nap.sql');
  writeFileSync(nap, `SELECT SLEEP(${NAP_S});\n`);
});

afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

function lineOf(...args: readonly string[]): string[] {
  const target = [`--mysql-socket=${bench.server.socketPath}`, '--mysql-user=root', '--mysql-db=sbtest'];
  return ['search', nap, ...target, `--threads=${CONNECTIONS}`, '--warmup-time=0', ...args];
}

async function search(...args: readonly string[]): Promise<SearchResult> {
  const { code, stdout, stderr } = await runCli(lineOf('--json', ...args), { store });
  expect(code, stderr).toBe(0);
  const result = JSON.parse(stdout) as SearchResult;
  expect(searchSchema.parse(result)).toEqual(result);
  return result;
}

test('nothing passes beyond what the connections can do, and every run is kept', async () => {
  const result = await search('--limit=p99<30s', '--time=1.5', '--repeats=1', '--precision=50%', '--rate-min=1');
  expect(result.ending.kind).toMatch(/^(?:found|none passed)$/);
  // By then what is due and cannot be done is far more than chance.
  expect(result.failedPerS).toBeLessThan(CAPACITY_PER_S * 2);
  expect(result.passedPerS ?? 0).toBeLessThan(CAPACITY_PER_S * 1.3);
  const runs = openStore(store);
  const estimate = await runs.load(result.estimate!.run);
  expect(estimate).toMatchObject({ load: { mode: 'closed', threads: CONNECTIONS } });
  expect(estimate.rates.transactionsPerS).toBeLessThanOrEqual(CAPACITY_PER_S * 1.05);
  for (const { run, ratePerS, achievedPerS } of result.trials) {
    const record = await runs.load(run);
    expect(record).toMatchObject({
      load: { mode: 'open', ratePerS, timeS: 1.5 },
      crossCheck: { is: 'done', ok: true },
    });
    expect(record.tags).toEqual(['search', result.id, `rate-${ratePerS}`]);
    expect(achievedPerS).toBeCloseTo(record.totals.transactions.committed / record.totals.elapsedS, 6);
  }
  const kept = join(store, 'searches', `${result.id}.json`);
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(result);
});

test('a limit that no nap can keep is kept at no rate', async () => {
  const result = await search('--limit=p50<19ms', '--time=1', '--repeats=2', '--rate-min=10', '--rate-max=20');
  expect(result).toMatchObject({ ending: { kind: 'none passed' }, failedPerS: 10 });
  expect(result).not.toHaveProperty('estimate');
  expect(result.trials.every(({ outcome }) => outcome === 'failed')).toBe(true);
});

describe('ends early', () => {
  test('by Ctrl-C: what was measured is reported and kept', async () => {
    const line = lineOf('--limit=p99<30s', '--time=1', '--repeats=15', '--rate-min=5', '--rate-max=10');
    const cli = startCli(line, { store });
    await cli.shows(/7\.071\/s\s+(?:passed|failed)/);
    cli.child.kill('SIGINT');
    const { code, stdout, stderr } = await cli.ended;
    expect(code, stderr).toBe(130);
    expect(stdout).toMatch(/^It ended early: /m);
    const id = /search-nap-\w{4}/.exec(stdout.replaceAll(/\n\s+/g, ''))?.[0];
    const { runs } = await openStore(store).list();
    expect(runs.filter(({ tags }) => tags.some((tag) => tag.endsWith(id ?? 'none'))).length).toBeGreaterThan(0);
  });

  test('where nothing can be run, nothing is kept', async () => {
    const missing = ['search', 'oltp_read_only', ...lineOf().slice(2), '--limit=p99<1s', '--time=1'];
    const other = join(scratch, 'other');
    const { code, stderr } = await runCli(missing, { store: other });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/sbtest1/);
    expect(existsSync(join(other, 'searches'))).toBe(false);
  });
});
