/** `sqldyno gate` on stored runs: exit codes, files, and what it says in each form. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GateLine, gateCommand } from '../src/cli/commands/gate.ts';
import { runProgram } from '../src/cli/program.ts';
import type { Session } from '../src/cli/session.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import type { GateReport } from '../src/model/gate.ts';
import { gateSchema } from '../src/model/gate-schema.ts';
import type { RunRecord } from '../src/model/run.ts';
import { openExperiments } from '../src/store/experiments.ts';
import { openStore } from '../src/store/store.ts';
import { sampleBlocks, samplePlan, sampleRecord, sampleRun } from './fixtures/sample-experiments.ts';
import { golden } from './support/golden.ts';
import { scratchDirectories } from './support/scratch.ts';

const scratch = scratchDirectories();
const INVALID = { id: 'x', severity: 'invalid', is: 'It was <too> hot | cold.', because: 'y', remedy: 'z' } as const;

function run(minute: number, tag: string, transactionsPerS: number, more: Partial<RunRecord> = {}): RunRecord {
  const startedAt = `2026-11-30T10:${String(minute).padStart(2, '0')}:00.000Z`;
  const id = `20261130-10${String(minute).padStart(2, '0')}00-oltp_read_write-aa${minute}`;
  return { ...sampleRun({ id, transactionsPerS, more: { startedAt, ...more } }), tags: [tag] };
}

/** By turns: main, and what is said to be better. */
const TURNS = [0, 1, 2, 3, 4, 5].flatMap((turn) => [
  run(10 + 2 * turn, 'main', 1_000 + turn),
  run(11 + 2 * turn, 'slower', 900 + turn),
]);
const BROKEN = run(50, 'broken', 1_000, { findings: [INVALID] });

interface World {
  readonly storeDirectory: string;
  readonly terminal: Terminal;
  readonly said: string[];
  readonly warned: string[];
  json(): GateReport;
}

async function world(): Promise<World> {
  const storeDirectory = scratch();
  for (const record of [...TURNS, BROKEN]) await openStore(storeDirectory).save(record);
  const said: string[] = [];
  const warned: string[] = [];
  let json = '';
  const terminal = {
    wantsJson: false,
    say: (text: string) => said.push(text),
    warn: (text: string) => warned.push(text),
    json: (text: string) => (json = text),
  } as unknown as Terminal;
  return { storeDirectory, terminal, said, warned, json: () => JSON.parse(json) as GateReport };
}

const LINE: Omit<GateLine, 'references'> = { strict: false, anyway: false, github: false };

async function gated(line: Partial<GateLine> & Pick<GateLine, 'references'>, environment: NodeJS.ProcessEnv = {}) {
  const made = await world();
  const { terminal, storeDirectory } = made;
  const code = await gateCommand({ ...LINE, ...line }, { terminal, storeDirectory, environment });
  expect(gateSchema.safeParse(made.json()).error).toBeUndefined();
  return { code, ...made };
}

const BOTH = ['p99(transaction) < 20ms', 'transactions/s >= 950', 'disk.data_disk.reads_per_s < 100'];

describe('each form', () => {
  test.each([
    { kind: 'met', line: { references: ['main'], require: ['errors == 0', 'cpuUsPerStatement < 30'] } },
    { kind: 'unmet', line: { references: ['aa11'], require: BOTH } },
    { kind: 'slower', line: { references: ['slower'], baseline: 'main', require: ['errors == 0'] } },
    { kind: 'invalid', line: { references: ['broken', 'main'], require: ['errors == 0'] } },
    { kind: 'undecided', line: { references: ['aa11'], baseline: 'aa10' } },
  ])('of a gate that is $kind equals its golden file', async ({ kind, line }) => {
    const [junit, summary] = [join(scratch(), 'junit.xml'), join(scratch(), 'summary.md')];
    const { said } = await gated({ ...line, junit, github: true }, { GITHUB_STEP_SUMMARY: summary });
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot(golden(`gate-${kind}.txt`));
    await expect(readFileSync(junit, 'utf8')).toMatchFileSnapshot(golden(`gate-${kind}.xml`));
    await expect(readFileSync(summary, 'utf8')).toMatchFileSnapshot(golden(`gate-${kind}.md`));
  });
});

test.each([
  { because: 'all holds', line: { references: ['main'], require: ['transactions/s > 999'] }, code: 0 },
  {
    because: 'one run of several misses',
    line: { references: ['main'], require: ['transactions/s > 1000'] },
    code: 99,
  },
  { because: 'it is slower', line: { references: ['slower'], baseline: 'main' }, code: 99 },
  { because: 'it is faster', line: { references: ['main'], baseline: 'slower' }, code: 0 },
  { because: 'it is undecided', line: { references: ['aa11'], baseline: 'aa10' }, code: 0 },
  { because: 'it is undecided and strict', line: { references: ['aa11'], baseline: 'aa10', strict: true }, code: 99 },
  { because: 'the margin is wide', line: { references: ['slower'], baseline: 'main', margin: '20%' }, code: 0 },
  { because: 'a run proves nothing', line: { references: ['broken'], require: ['errors == 0'] }, code: 99 },
  { because: 'the baseline proves nothing', line: { references: ['main'], baseline: 'broken' }, code: 99 },
])('exit $code where $because', async ({ line, code }) => {
  expect((await gated(line)).code).toBe(code);
});

test('several references are one side of the comparison', async () => {
  const { json } = await gated({ references: ['aa11', 'aa13', 'aa15', 'aa17'], baseline: 'main' });
  expect(json().comparisons).toMatchObject([{ of: 'these runs', runs: 4, baselineRuns: 6, verdict: 'SLOWER' }]);
});

test('requirements come from files too, each once', async () => {
  const path = join(scratch(), 'limits.txt');
  writeFileSync(path, '# these\nerrors == 0\ntransactions/s > 1\n');
  const { json } = await gated({ references: ['aa10'], thresholds: [path], require: ['errors == 0', 'p99 < 1s'] });
  expect(json().checks.map(({ requirement }) => requirement.is)).toEqual([
    'errors == 0',
    'transactions/s > 1',
    'p99(transaction) < 1 s',
  ]);
});

test.each([
  { because: 'nothing is required', line: {}, says: /Nothing is required/ },
  { because: 'a metric is none', line: { require: ['errros == 0'] }, says: /'errros' is no metric/ },
  { because: 'the metric to compare is none', line: { baseline: 'main', metric: 'tpss' }, says: /'tpss' is no metric/ },
  { because: 'a file is not there', line: { thresholds: ['no/such'] }, says: /no\/such cannot be read \(ENOENT\)/ },
  { because: 'a margin is none', line: { baseline: 'main', margin: 'much' }, says: /--margin must be/ },
  { because: 'the baseline is unknown', line: { baseline: 'never' }, says: /never/ },
  { because: 'both sides are one', line: { baseline: 'aa10' }, says: /is both in/ },
])('a usage error where $because', async ({ line, says }) => {
  await expect(gated({ references: ['aa10'], ...line })).rejects.toThrow(says);
  await expect(gated({ references: ['aa10'], ...line })).rejects.toMatchObject({ exitCode: 1 });
});

test('without a summary to write to it says so, and goes on', async () => {
  const { code, warned } = await gated({ references: ['main'], require: ['errors == 0'], github: true });
  expect(code).toBe(0);
  expect(warned).toEqual([expect.stringContaining('$GITHUB_STEP_SUMMARY is not set')]);
});

test('the line as it is typed', async () => {
  const { terminal, storeDirectory, said } = await world();
  const session = { terminal, interrupts: {}, command: [] } as unknown as Session;
  const junit = join(scratch(), 'junit.xml');
  const args = ['gate', 'main', '--require=transactions/s >= 1k', '--require', 'errors == 0', `--junit=${junit}`];
  const code = await runProgram(['--store', storeDirectory, ...args], session, {} as never);
  expect({ code, exists: existsSync(junit) }).toEqual({ code: 0, exists: true });
  expect(said.join('\n')).toContain('The gate is met: 6 runs, 12 requirements held.');
});

describe('an experiment', () => {
  const PLAN = samplePlan([{ name: 'large' }, { name: 'small' }], { name: 'pool', baseline: 'small', blocks: 8 });
  const ENTERED = {
    adjusted: [],
    drift: [],
    data: { how: 'copy', elapsedS: 1, fingerprint: 'f' },
    drainedS: 0,
    notes: [],
  } as const;

  async function gatedPool(gain: number, line: Partial<GateLine> = {}) {
    const made = await world();
    const [runs, experiments] = [openStore(made.storeDirectory), openExperiments(made.storeDirectory)];
    const record = sampleRecord(PLAN, []);
    await experiments.create(record);
    const sides = PLAN.variants.map(({ name }) => ({ name, gain: name === 'large' ? gain : 1 }));
    for (const [at, { block, variant, record: of }] of sampleBlocks(sides, 8).entries()) {
      const place = { id: record.id, name: 'pool', variant, block, number: at + 1, attempt: 1 };
      await runs.save({ ...of, experiment: place });
      const entry = { at: of.startedAt, is: 'done', number: at + 1, run: of.id, entered: ENTERED } as const;
      await experiments.append(record.id, entry);
    }
    const { terminal, storeDirectory } = made;
    const code = await gateCommand(
      { ...LINE, references: ['pool'], ...line },
      { terminal, storeDirectory, environment: {} },
    );
    return { code, report: made.json() };
  }

  test.each([
    { gain: 0.8, code: 99, verdict: 'SLOWER' },
    { gain: 1.25, code: 0, verdict: 'FASTER' },
  ])('is held against its own baseline, block by block: $verdict', async ({ gain, code: expected, verdict }) => {
    const { code, report } = await gatedPool(gain, { baseline: 'pool', metric: 'transactions/s' });
    expect(report.comparisons).toMatchObject([{ of: 'large', baseline: 'small', pairing: 'blocks', verdict }]);
    expect(code).toBe(expected);
  });

  test('is all its runs where conditions are asked', async () => {
    expect((await gatedPool(1, { require: ['errors == 0'] })).report.checks).toHaveLength(16);
  });
});
