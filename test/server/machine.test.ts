/** The tests of the machine as people run them: on threads, which only the built program has. No server is started. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { HostTestMeasured, HostTestRecord, HostTestWork } from '../../src/model/host-test.ts';
import { hostTestSchema } from '../../src/model/host-test-schema.ts';
import { type CliOptions, type CliProcess, type CliResult, runCli, startCli } from '../support/cli.ts';
import { scratchDirectories } from '../support/scratch.ts';

const scratch = scratchDirectories();
const store = scratch();

function cli(line: string, options: Partial<CliOptions> = {}): Promise<CliResult> {
  return runCli(line.split(' '), { store, ...options });
}

/** The record that the line gives, checked against the schema. */
async function recordOf(line: string, exitCode = 0, options: Partial<CliOptions> = {}): Promise<HostTestRecord> {
  const { code, stdout, stderr } = await cli(`${line} --json`, options);
  expect({ code, stderr }).toMatchObject({ code: exitCode });
  return hostTestSchema.parse(JSON.parse(stdout));
}

async function workOf(line: string, options: Partial<CliOptions> = {}): Promise<HostTestWork> {
  const { work, findings } = await recordOf(line, 0, options);
  if (work === undefined) throw new Error('there is no work');
  expect(findings.filter(({ severity }) => severity === 'invalid')).toEqual([]);
  expect(work.perThread.events.reduce((sum, events) => sum + events, 0)).toBe(work.events);
  expect(work.latency.count).toBe(work.events);
  expect(work.latency.minUs).toBeLessThanOrEqual(work.latency.meanUs);
  expect(work.latency.meanUs).toBeLessThanOrEqual(work.latency.maxUs + 1);
  return work;
}

describe('cpu', () => {
  test('runs exactly the events that were asked for, and prints what sysbench prints', async () => {
    const { code, stdout } = await cli('cpu run --events=10');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^CPU speed:\n {4}events per second: +\d+\.\d\d$/m);
    expect(stdout).toMatch(/^ {4}total number of events: {14}10$/m);
    expect(stdout).toContain('Ended as planned: all events were done.');
  });

  test('deals them out to more threads than there are processors', async () => {
    const work = await workOf('cpu run --events=500 --threads=9 --cpu-max-prime=1000');
    expect(work.events).toBe(500);
    expect(work.perThread.events).toHaveLength(9);
    expect(work.measured).toEqual({ test: 'cpu', maxPrime: 1_000, primesPerEvent: 168 });
  });

  test('its intervals add up, and are printed where asked for', async () => {
    const { stdout } = await cli('--test=cpu --time=1 --report-interval=0.25 --threads=2 run');
    expect(stdout).toMatch(/^\[ 0\.25s \] thds: 2 eps: \d+\.\d\d lat \(ms,95%\): \d+\.\d\d$/m);
    const { intervals, events } = await workOf('cpu run --time=1 --threads=2');
    expect(intervals.reduce((sum, interval) => sum + interval.events, 0)).toBe(events);
  });
});

describe('memory', () => {
  test.each([
    'memory run --time=0 --threads=3 --memory-total-size=64M --memory-block-size=64K',
    'memory run --time=0 --threads=3 --memory-total-size=64M --memory-block-size=64K --memory-scope=local --memory-oper=read',
    'memory run --time=0 --memory-total-size=64M --memory-block-size=1K --memory-access-mode=rnd',
  ])('%s: bytes are events times block, and as many as were asked for', async (line) => {
    const { measured, events } = await workOf(line);
    expect(measured).toMatchObject({ bytes: 64 * 2 ** 20 });
    expect((measured as Extract<HostTestMeasured, { test: 'memory' }>).blockBytes * events).toBe(64 * 2 ** 20);
  });
});

describe('threads and mutex', () => {
  test('one mutex keeps eight threads apart: no count is lost', async () => {
    const { measured, events } = await workOf('mutex run --threads=8 --mutex-num=1 --mutex-locks=5000 --mutex-loops=0');
    expect(events).toBe(8);
    expect(measured).toMatchObject({ locks: 40_000, counted: 40_000 });
  });

  test('many mutexes do, too', async () => {
    const { measured } = await workOf('mutex run --threads=4 --mutex-num=64 --mutex-locks=5000 --mutex-loops=10');
    expect(measured).toMatchObject({ locks: 20_000, counted: 20_000 });
  });

  test('threads take turns with fewer locks than threads', async () => {
    const line = 'threads run --threads=6 --thread-locks=2 --thread-yields=20 --events=30';
    const { measured, events } = await workOf(line);
    expect(events).toBe(30);
    expect(measured).toMatchObject({ yields: 600 });
  });
});

/** Events that nobody lives to see the end of. */
const ENDLESS = 'mutex run --mutex-locks=2000000000 --mutex-loops=2000000000';

describe('endings', () => {
  test('Ctrl-C once ends it in good order, with a report', async () => {
    const running = start('cpu run --time=0 --report-interval=0.1');
    await running.shows(/\[ 0\.1s \]/);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('INTERRUPTED: Interrupted by SIGINT.');
    expect(stdout).toMatch(/total number of events: +[1-9]/);
  });

  test('Ctrl-C twice ends it in the middle of an event', async () => {
    const { code, stdout } = await interruptedTwice();
    expect(code).toBe(130);
    expect(stdout).toContain('INTERRUPTED: Interrupted by SIGINT.');
  });

  test('--forced-shutdown cuts off what still runs, and the exit code says so', async () => {
    const { code, stdout, stderr } = await cli(`${ENDLESS} --time=1 --forced-shutdown=0.2`);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^CUT OFF by --forced-shutdown/m);
    expect(stderr).toContain('--forced-shutdown');
  });

  test('wrong usage is told with the nearest word, and changes nothing', async () => {
    expect(await cli('cpu run --cpu-max-prim=5')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean --cpu-max-prime?'),
    });
    expect(await cli('fileioo')).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean fileio?') });
  });

  test.each(['cpu help', 'help cpu', 'cpu --help'])('%s shows its options', async (line) => {
    expect(await cli(line)).toMatchObject({ code: 0, stdout: expect.stringContaining('--cpu-max-prime=N') });
  });
});

/** Nobody can see when the event has begun; told to stop before, the program ends at once, and is tried again. */
async function interruptedTwice(): Promise<CliResult> {
  for (let attempt = 1; ; attempt++) {
    const running = start(ENDLESS);
    await running.shows(/^Measuring/m);
    await sleep(attempt * 200);
    running.child.kill('SIGINT');
    const isWaiting = await running.shows(/once more, and they are cut off/).then(
      () => true,
      () => false,
    );
    running.child.kill('SIGINT');
    if (isWaiting) return running.ended;
    expect(attempt, 'the event never began').toBeLessThan(10);
  }
}

function start(line: string): CliProcess {
  return startCli(line.split(' '), { store });
}

const FILES = '--file-num=3 --file-total-size=3M --file-block-size=4K';

describe('fileio', () => {
  test('prepare, run by its own threads, cleanup: the counts are exact, and nothing is left', async () => {
    const directory = scratch();
    const files = `fileio --file-dir=${directory} ${FILES}`;
    expect(await cli(`${files} prepare`)).toMatchObject({ code: 0 });
    const line = `${files} --file-test-mode=rndrw --file-engine=sqldyno --threads=2 --events=200 --commit-probe-time=0 run`;
    const { events, measured } = await workOf(line);
    expect(events).toBe(200);
    const { engine, reads, writes, syncs, bytesRead, bytesWritten } = measured as Extract<
      HostTestMeasured,
      { test: 'fileio' }
    >;
    expect({ engine, done: reads + writes + syncs }).toEqual({ engine: 'sqldyno', done: 200 });
    expect({ bytesRead, bytesWritten }).toEqual({ bytesRead: reads * 4_096, bytesWritten: writes * 4_096 });
    expect(await cli(`${files} cleanup`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Removed 3 files'),
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('the commit probe needs no prepare, measures both kinds of writing, and leaves nothing', async () => {
    const directory = scratch();
    const { commits, work } = await recordOf(`fileio --file-dir=${directory} --commit-probe-time=0.5 run`);
    expect(work).toBeUndefined();
    if (commits === undefined) throw new Error('nothing was measured');
    for (const latency of [commits.overwrite, commits.append]) {
      expect(latency.count).toBeGreaterThan(0);
      expect(latency.minUs).toBeLessThanOrEqual(latency.maxUs);
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  test('interrupted in the commit probe, it leaves nothing', async () => {
    const directory = scratch();
    const running = start(`fileio --file-dir=${directory} --commit-probe-time=600 run`);
    while (readdirSync(directory).length === 0) await sleep(10);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('INTERRUPTED');
    expect(readdirSync(directory)).toEqual([]);
  });

  test('interrupted while it reads and writes, the files of prepare stay and nothing else', async () => {
    const directory = scratch();
    const files = `fileio --file-dir=${directory} ${FILES}`;
    await cli(`${files} prepare`);
    const running = start(
      `${files} --file-test-mode=rndwr --file-engine=sqldyno --commit-probe-time=0 --time=0 --report-interval=0.1 run`,
    );
    await running.shows(/\[ 0\.1s \]/);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: expect.stringContaining('General statistics') });
    expect(readdirSync(directory).sort()).toEqual(['test_file.0', 'test_file.1', 'test_file.2']);
  });

  test('without prepare it says what to do, and with no fio what needs it', async () => {
    const files = `fileio --file-dir=${scratch()} ${FILES} --file-test-mode=rndrd`;
    expect(await cli(`${files} run`)).toMatchObject({ code: 3, stderr: expect.stringContaining('Run prepare first') });
    await cli(`${files} prepare`);
    const environment = { PATH: scratch() };
    expect(await cli(`${files} --file-io-mode=async run`, { environment })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('needs fio 3 or newer'),
    });
  });
});

describe('fileio through fio', () => {
  test('fio gets the job, and its figures are the result', async () => {
    const { files, environment, job } = await withFio(`
      if [ "$1" = --version ]; then echo fio-3.33; exit; fi
      cat > "$JOB"
      cat "$ANSWER"`);
    const line = `${files} --file-test-mode=rndrw --events=7 --threads=2 --rand-seed=5 --commit-probe-time=0 run`;
    const { events, measured, elapsedS } = await workOf(line, { environment });
    expect(measured).toMatchObject({ engine: 'fio', engineVersion: '3.33', reads: 4, writes: 3, syncs: 0 });
    expect({ events, elapsedS }).toEqual({ events: 7, elapsedS: 0.5 });
    const lines = readFileSync(job, 'utf8').split('\n');
    expect(lines).toEqual(expect.arrayContaining(['rw=randrw', 'bs=4096', 'nrfiles=3', 'randseed=5', '[thread-1]']));
  });

  test('Ctrl-C is passed on to it, and what it then reports is the result', async () => {
    const { files, environment } = await withFio(`
      if [ "$1" = --version ]; then echo fio-3.33; exit; fi
      trap 'cat "$ANSWER"; exit 128' INT
      cat > /dev/null
      touch "$JOB.started"
      while :; do sleep 0.05; done`);
    const line = `${files} --file-test-mode=rndrw --time=600 --commit-probe-time=0 run`;
    const running = startCli(line.split(' '), { store, environment });
    while (!readdirSync(environment.HERE).includes('job.started')) await sleep(10);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/total number of events: +7$/m);
    expect(stdout).toContain('INTERRUPTED: Interrupted by SIGINT.');
  });

  test('its failure is ours', async () => {
    const { files, environment } = await withFio(`
      if [ "$1" = --version ]; then echo fio-3.33; exit; fi
      cat > /dev/null
      echo 'fio: no room'; exit 1`);
    const line = `${files} --file-test-mode=rndrw --commit-probe-time=0 run`;
    expect(await cli(line, { environment })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('fio gave no report: fio: no room'),
    });
  });
});

/** A program of this name in PATH, and prepared files. */
async function withFio(script: string) {
  const here = scratch();
  const programs = join(here, 'bin');
  const data = join(here, 'data');
  mkdirSync(programs);
  mkdirSync(data);
  writeFileSync(join(programs, 'fio'), `#!/bin/sh${script}\n`);
  chmodSync(join(programs, 'fio'), 0o755);
  const answer = join(here, 'answer.json');
  writeFileSync(answer, JSON.stringify(FIO_ANSWER, null, 2));
  const job = join(here, 'job');
  const path = `${programs}${delimiter}${process.env['PATH']}`;
  const files = `fileio --file-dir=${data} ${FILES}`;
  await cli(`${files} prepare`);
  return { files, job, environment: { PATH: path, JOB: job, ANSWER: answer, HERE: here } };
}

function latencyOf(count: number) {
  return { min: 2_000, max: 9_000, mean: 4_000, N: count, bins: { '2000': count - 1, '9024': 1 } };
}

const FIO_ANSWER = {
  'fio version': 'fio-3.33',
  jobs: [
    {
      jobname: 'thread-0',
      error: 0,
      job_runtime: 500,
      read: { io_bytes: 4 * 4_096, total_ios: 4, lat_ns: latencyOf(4) },
      write: { io_bytes: 3 * 4_096, total_ios: 3, lat_ns: latencyOf(3) },
      sync: { total_ios: 0, lat_ns: { min: 0, max: 0, mean: 0 } },
    },
  ],
};
