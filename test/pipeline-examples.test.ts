/** The examples for pipelines: a shell runs their scripts, with a program in place of sqldyno that notes its words. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runProgram } from '../src/cli/program.ts';
import type { Session } from '../src/cli/session.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import { readWorkloadLine } from '../src/cli/workload-line.ts';
import type { RunView } from '../src/lab/run.ts';
import type { RunRecord } from '../src/model/run.ts';
import { openStore } from '../src/store/store.ts';
import { LiveRun } from '../src/web/live-run.ts';
import { loadWorkload, workloadNames } from '../src/workload/find.ts';
import { sampleRun } from './fixtures/sample-experiments.ts';
import { openRun } from './fixtures/sample-runs.ts';
import { scratchDirectories } from './support/scratch.ts';

const scratch = scratchDirectories();
const EXAMPLES = new URL('../examples/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, EXAMPLES), 'utf8');

/** Writes its words, each ended by a NUL, and the whole by another. */
const NOTES_ITS_WORDS = '#!/bin/sh\nprintf "%s\\0" "$@" >> "$NOTED"\nprintf "\\0" >> "$NOTED"\n';

interface Script {
  readonly shell: readonly string[];
  readonly text: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What sqldyno was called with. */
function linesOf(scripts: readonly Script[]): string[][] {
  const folder = scratch();
  mkdirSync(join(folder, 'bin'));
  for (const program of ['sqldyno', 'npm']) {
    const path = join(folder, 'bin', program);
    writeFileSync(path, program === 'npm' ? '#!/bin/sh\n' : NOTES_ITS_WORDS);
    chmodSync(path, 0o755);
  }
  const noted = join(folder, 'noted');
  const own = {
    NOTED: noted,
    GITHUB_OUTPUT: join(folder, 'output'),
    PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
  };
  for (const {
    shell: [program = '', ...options],
    text,
    environment,
  } of scripts) {
    execFileSync(program, [...options, text], { env: { ...environment, ...own }, cwd: folder });
  }
  if (!existsSync(noted)) return [];
  const calls = readFileSync(noted, 'utf8').split('\0\0').slice(0, -1);
  return calls.map((call) => call.split('\0'));
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: {
    readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[];
  };
}

/** As GitHub calls bash, with the inputs put in. */
function actionLines(given: Readonly<Record<string, string>>): string[][] {
  const { inputs, runs } = parse(read('github-action/action.yml')) as Action;
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  const inputOf = (name: string) => given[name] ?? inputs[name]?.default ?? '';
  const filled = (env: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => inputOf(input)),
      ]),
    );
  const steps = runs.steps.filter(({ run }) => run !== undefined);
  for (const { run } of steps)
    expect(run, 'inputs come by environment: in a script they would be code').not.toContain('${{');
  const shell = ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail', '-c'];
  return linesOf(steps.map(({ run = '', env }) => ({ shell, text: run, environment: filled(env) })));
}

interface Workflow {
  readonly jobs: {
    readonly gate: { readonly steps: readonly { readonly uses?: string; readonly with?: Record<string, string> }[] };
  };
}

function workflowInputs(): Record<string, string> {
  const { jobs } = parse(read('github-workflow.yml')) as Workflow;
  return jobs.gate.steps.find(({ uses = '' }) => uses.endsWith('/sqldyno'))?.with ?? {};
}

function gitlabLines(): string[][] {
  const { performance } = parse(read('gitlab-ci.yml')) as {
    readonly performance: { readonly script: readonly string[]; readonly variables: Readonly<Record<string, string>> };
  };
  const environment = { ...performance.variables, CI_COMMIT_SHORT_SHA: 'abc1234' };
  return linesOf(performance.script.map((text) => ({ shell: ['sh', '-e', '-c'], text, environment })));
}

const WORLD = {
  workloadNames: workloadNames(),
  loadWorkload,
  readText: (path: string) => readFileSync(path, 'utf8'),
};

/** A workload's line is read; a gate is really held, against a run of these tags. */
async function tried(words: readonly string[], tags: readonly string[]): Promise<unknown> {
  if (words[0] !== 'gate') return readWorkloadLine(words, WORLD);
  const storeDirectory = scratch();
  const record: RunRecord = {
    ...sampleRun({ id: '20261130-101000-oltp_read_write-aaaa', transactionsPerS: 100 }),
    tags,
  };
  await openStore(storeDirectory).save(record);
  const silent = () => {};
  const terminal = { wantsJson: false, say: silent, warn: silent, json: silent } as unknown as Terminal;
  const session = { terminal, interrupts: {}, command: [] } as unknown as Session;
  const junit = join(scratch(), 'junit.xml');
  const args = words.map((word) => (word.startsWith('--junit=') ? `--junit=${junit}` : word));
  const code = await runProgram(['--store', storeDirectory, ...args], session, WORLD);
  expect(existsSync(junit)).toBe(true);
  return code;
}

test('the GitHub workflow prepares, runs and gates', async () => {
  const lines = actionLines(workflowInputs());
  expect(lines.map((words) => words.find((word) => /^(?:prepare|run|gate)$/.test(word)))).toEqual([
    'prepare',
    'run',
    'gate',
  ]);
  const [prepare, run, gate] = lines;
  expect(await tried(prepare!, [])).toMatchObject({ command: 'prepare', workload: { tables: 4 } });
  expect(await tried(run!, [])).toMatchObject({
    command: 'run',
    load: { threads: 8, time: 60 },
    output: { tag: ['ci'] },
  });
  expect(gate).toContain('--require=p99(transaction) < 50ms');
  expect([0, 99]).toContain(await tried(gate!, ['ci']));
});

test('the action passes on a baseline, and strictness', async () => {
  const lines = actionLines({
    workload: 'quiz',
    prepare: 'false',
    baseline: 'main',
    margin: '3%',
    strict: 'true',
    tag: 'x y',
  });
  expect(lines).toEqual([
    ['quiz', '--tag=x y', 'run'],
    ['gate', 'latest', '--baseline=main', '--margin=3%', '--strict', '--github', '--junit=sqldyno-gate.xml'],
  ]);
});

test('what an input says is no code for the shell', () => {
  const nasty = '$(touch owned) `touch owned`; touch owned';
  const [run, gate] = actionLines({ workload: nasty, prepare: 'false', tag: nasty, require: nasty });
  expect(run).toEqual([...nasty.split(' '), `--tag=${nasty}`, 'run']);
  expect(gate).toContain(`--require=${nasty}`);
});

test('the GitLab pipeline prepares, runs four times and gates', async () => {
  const lines = gitlabLines();
  expect(lines.map((words) => words.at(-1)?.replace(/^--junit=.*/, 'gate'))).toEqual([
    'prepare',
    'run',
    'run',
    'run',
    'run',
    'gate',
  ]);
  const answers = await Promise.all(lines.map((words) => tried(words, ['abc1234'])));
  expect(answers[1]).toMatchObject({ command: 'run', load: { threads: 8, time: 30 }, output: { tag: ['abc1234'] } });
  expect([0, 99]).toContain(answers.at(-1));
});

test('the Grafana dashboard asks for what a run tells', () => {
  const live = new LiveRun();
  const view = live.watching<RunView>({}, { facts: { workload: 'x' }, percentiles: [] });
  for (const interval of openRun().intervals) view.onInterval?.(interval);
  const told = new Set([...live.openMetrics().matchAll(/^(sqldyno_\w+)/gm)].map(([, name]) => name));
  const dashboard = read('grafana-dashboard.json');
  const { panels } = JSON.parse(dashboard) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/sqldyno_live_\w+/g) ?? []));
  expect(asked.length).toBeGreaterThan(panels.length);
  expect(asked.filter((name) => !told.has(name))).toEqual([]);
  expect(told).toContain(/label_values\((\w+)/.exec(dashboard)?.[1]);
});
