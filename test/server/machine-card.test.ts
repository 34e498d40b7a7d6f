/** `sqldyno machine` and `sqldyno environment` as people run them. No figure is judged: only that it is one. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MachineCard } from '../../src/model/machine-card.ts';
import { machineCardSchema } from '../../src/model/machine-card-schema.ts';
import type { MachineComparison } from '../../src/report/machine-compare.ts';
import { connect } from '../../src/wire/connection.ts';
import { SAMPLE_CARDS } from '../fixtures/sample-cards.ts';
import { type CliOptions, type CliResult, runCli, startCli } from '../support/cli.ts';
import { startTestBench, type TestBench } from '../support/lab.ts';
import { scratchDirectories } from '../support/scratch.ts';

const scratch = scratchDirectories();
const SERVER_CARD = join(scratch(), 'server.json');
writeFileSync(SERVER_CARD, JSON.stringify(SAMPLE_CARDS.server));
const QUICK = 'machine --quick --seconds=0.3';

function cli(line: string, store: string, options: Partial<CliOptions> = {}): Promise<CliResult> {
  return runCli(line.split(' '), { store, ...options });
}

async function cardOf(line: string, store: string, options: Partial<CliOptions> = {}): Promise<MachineCard> {
  const { code, stdout, stderr } = await cli(`${line} --json`, store, options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const card = machineCardSchema.parse(JSON.parse(stdout));
  expect(card.figures.every(({ min, median, max }) => min > 0 && min <= median && median <= max)).toBe(true);
  return card;
}

const OF_ANY_CARD = [
  'cpu.one_thread',
  'cpu.all_threads',
  'memory.read.large.one_thread',
  'memory.read.large.all_threads',
  'memory.write.large.one_thread',
  'memory.write.large.all_threads',
  'commits.overwrite_p50',
  'commits.overwrite_p99',
  'commits.append_p50',
  'commits.append_p99',
  'disk.read.depth1',
  'disk.read.depth16',
  'disk.write.depth1',
  'disk.write.depth16',
];
const OF_THE_WAY = ['connect_p50', 'login_p50', 'round_trip_p50', 'round_trip_p99'].map((name) => `network.${name}`);

function idsOf({ figures }: MachineCard): string[] {
  return figures.map(({ id }) => id);
}

describe('a card', () => {
  test('has every figure three times, is kept, listed and shown, and leaves no file behind', async () => {
    const [store, directory] = [scratch(), scratch()];
    const line = `${QUICK} --file-engine=sqldyno --name=one --file-dir=${directory}`;
    const card = await cardOf(line, store);
    expect({ ids: idsOf(card), missing: card.missing }).toEqual({ ids: OF_ANY_CARD, missing: [] });
    expect(card.figures.every(({ repeats }) => repeats.length === 3)).toBe(true);
    expect(card).toMatchObject({ name: 'one', isQuick: true, disk: { directory, engine: 'sqldyno' } });
    expect(card.facts).toMatchObject({ 'directory.path': directory, 'cpu.threads': expect.any(Number) });
    expect(card.latencies['commits.overwrite']?.count).toBeGreaterThan(0);
    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(join(store, 'machines'))).toEqual([`${card.id}.json`]);
    expect(await cli('machine list', store)).toMatchObject({ code: 0, stdout: expect.stringContaining(card.id) });
    const shown = await cli('machine show one', store);
    expect(shown.stdout).toMatch(/^Card of one$/m);
    expect(shown.stdout).toMatch(/^Durable commits, us, less is better:$/m);
  });

  test('is laid beside another one, which is a file that may come from anywhere', async () => {
    const store = scratch();
    mkdirSync(join(store, 'machines'));
    writeFileSync(join(store, 'machines', 'board.json'), JSON.stringify(SAMPLE_CARDS.board));
    const { code, stdout } = await cli(`machine show board --compare=${SERVER_CARD}`, store);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}A +board, card /m);
    expect(stdout).toMatch(/^ {2}B +server, card /m);
    expect(stdout).toMatch(/^ {2}one thread +1,020 +3,060 +3\.00 {2}B$/m);
  });

  test('that is interrupted shows what it has, is not kept, and leaves nothing', async () => {
    const [store, directory] = [scratch(), scratch()];
    const line = `machine --quick --seconds=600 --file-engine=sqldyno --file-dir=${directory}`;
    const running = startCli(line.split(' '), { store });
    await running.shows(/round 1 of 3/);
    expect(readdirSync(directory)).toHaveLength(1);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('INTERRUPTED: Interrupted by SIGINT.');
    expect(stdout).toContain('was not kept');
    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(join(store, 'machines'))).toEqual([]);
  });

  test('that is interrupted while its file is written leaves nothing either, however often', async () => {
    const [store, directory] = [scratch(), scratch()];
    const running = startCli(`machine --seconds=600 --file-dir=${directory}`.split(' '), { store });
    while (readdirSync(directory).length === 0) await sleep(5);
    for (let count = 0; count < 3; count++) running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(readdirSync(directory)).toEqual([]);
  });

  test.each([
    { line: `${QUICK} --file-dir=/nowhere/at/all`, code: 1, says: /cannot be used \(ENOENT\)/ },
    { line: `${QUICK} --compare=nobody`, code: 1, says: /There is no card in/ },
    { line: `${QUICK} --mysql-host=127.0.0.1 --mysql-port=1`, code: 2, says: /No server answers/ },
    { line: 'machine measure', code: 1, says: /'measure' is no command of machine/ },
  ])('$line ends with $code before anything is measured', async ({ line, code, says }) => {
    const store = scratch();
    const result = await cli(line, store);
    expect(result).toMatchObject({ code, stderr: expect.stringMatching(says) });
    expect(result.stdout).not.toContain('Measuring');
  });
});

describe('by fio', () => {
  test('the figures are what it tells, and so is its version', async () => {
    const [store, here] = [scratch(), scratch()];
    const jobs = join(here, 'jobs');
    mkdirSync(jobs);
    const script = `#!/bin/sh
      if [ "$1" = --version ]; then echo fio-3.33; exit; fi
      job=$(mktemp "${jobs}/XXXXXX"); cat > "$job"
      case $(grep ^rw= "$job") in *write) echo '${fioAnswer('write')}';; *) echo '${fioAnswer('read')}';; esac`;
    writeFileSync(join(here, 'fio'), script);
    chmodSync(join(here, 'fio'), 0o755);
    const environment = { PATH: `${here}${delimiter}${process.env['PATH']}` };
    const line = `${QUICK} --file-engine=fio --compare=${SERVER_CARD} --json`;
    const { code, stdout } = await cli(line, store, { environment });
    expect(code).toBe(0);
    const { card: found, comparison } = JSON.parse(stdout) as { card: unknown; comparison: MachineComparison };
    expect(comparison.other.name).toBe('server');
    const card = machineCardSchema.parse(found);
    expect(card.disk).toMatchObject({ engine: 'fio', engineVersion: '3.33' });
    const ofDisk = card.figures.filter(({ group }) => group === 'disk');
    expect(ofDisk.map(({ repeats }) => repeats)).toEqual(ofDisk.map(() => [8, 8, 8]));
    const texts = readdirSync(jobs).map((name) => readFileSync(join(jobs, name), 'utf8'));
    expect(texts).toHaveLength(4 * 3);
    // Less than a second is told in milliseconds.
    for (const text of texts) expect(text).toMatch(/^runtime=\d+ms$/m);
    const depth = (count: number) => texts.filter((text) => text.split('[thread-').length === count + 1).length;
    const isDirect = card.disk?.isDirect;
    expect(texts.filter((text) => /^iodepth=16$/m.test(text))).toHaveLength(isDirect ? 6 : 0);
    expect(depth(16)).toBe(isDirect ? 0 : 6);
  });
});

/** Eight requests in a second. */
function fioAnswer(direction: 'read' | 'write'): string {
  const nothing = { io_bytes: 0, total_ios: 0, lat_ns: { min: 0, max: 0, mean: 0 } };
  const all = {
    io_bytes: 8 * 16_384,
    total_ios: 8,
    lat_ns: { min: 2_000, max: 9_000, mean: 4_000, bins: { '2000': 7, '9000': 1 } },
  };
  const job = { jobname: 'thread-0', error: 0, job_runtime: 1_000, read: nothing, write: nothing, [direction]: all };
  return JSON.stringify({ 'fio version': 'fio-3.33', jobs: [job] });
}

describe('with a server', () => {
  let bench: TestBench;
  let store: string;
  beforeAll(async () => {
    bench = await startTestBench();
    store = scratch();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  test('the way to it is on the card, and no connection was dropped for it', async () => {
    const { socketPath, user } = bench.target;
    const before = await abortedBy(bench);
    const card = await cardOf(`${QUICK} --mysql-socket=${socketPath} --mysql-user=${user}`, store);
    expect(idsOf(card)).toEqual([...OF_ANY_CARD, ...OF_THE_WAY]);
    expect(card.network).toMatchObject({ address: socketPath, tls: null });
    expect(card.latencies['network.connect']?.count).toBe(30);
    expect(await abortedBy(bench)).toEqual(before);
  });

  test('two runs on it are told apart by what was changed between them', async () => {
    const { socketPath, user } = bench.target;
    const target = `--mysql-socket=${socketPath} --mysql-user=${user}`;
    const load = `oltp_point_select --table-size=10 ${target}`;
    await cli(`${load} prepare`, store);
    await cli(`${load} --events=5 run --tag=one`, store);
    await using connection = await connect(bench.target);
    await connection.execute('SET GLOBAL max_connections = 77');
    await cli(`${load} --events=5 run --tag=other`, store);
    const runs = JSON.parse((await cli('runs list --json', store)).stdout) as { id: string }[];
    const line = `environment diff ${runs.map(({ id }) => id).join(' ')}`;
    const { code, stdout } = await cli(line, store);
    expect(code).toBe(0);
    expect(stdout).toMatch(/variable\.max_connections +\d+.* 77 \(set at runtime\)/);
    const diff = JSON.parse((await cli(`${line} --json`, store)).stdout) as Record<string, unknown>;
    expect(diff).toMatchObject({ withoutEnvironment: [], server: { onlyInOne: [], onlyInOther: [] } });
  });
});

async function abortedBy(bench: TestBench): Promise<unknown> {
  await using connection = await connect(bench.target);
  return (await connection.read("SHOW GLOBAL STATUS LIKE 'Aborted%'")).rows;
}
