/** What is told of an experiment before it begins: how long, how much of the disk, in which order. */
import { describe, expect, test } from 'vitest';
import { resolveVariants } from '../src/cli/resolve-variants.ts';
import { type EstimateFacts, estimate } from '../src/lab/experiment/estimate.ts';
import { readExperimentFile } from '../src/lab/experiment/file/read-file.ts';
import { schedule } from '../src/lab/experiment/schedule.ts';
import { planText } from '../src/report/experiment-plan-text.ts';
import { loadWorkload, workloadNames } from '../src/workload/find.ts';

const WORLD = { workloadNames: workloadNames(), loadWorkload, readText: () => '' };
const ROWS = 'workload: oltp_read_only --tables=10 --table-size=100000\n';
const TWO = 'variants: {a: , b: {settings: {innodb_buffer_pool_size: 1G}}}\n';
const LOAD = 'load: --threads=4 --time=10 --warmup-time=5\n';

async function reckon(text: string, facts: EstimateFacts = {}, overrides: readonly string[] = []) {
  const { plan } = readExperimentFile(text, { path: 'x.yaml', overrides });
  const found = estimate(plan, await resolveVariants(plan, WORLD), facts);
  const parts = Object.fromEntries(found.parts.map(({ name, elapsedS }) => [name, elapsedS]));
  return { ...found, plan, ofPart: parts };
}

test('a switch, a single variant, and its runs are told as such', async () => {
  const { plan, parts, ...found } = await reckon(
    `${ROWS}${LOAD}settings: {skip_log_bin: }\nvariants: {only: {settings: {skip_external_locking: }}}`,
  );
  const text = planText({ plan, runs: schedule(plan), estimate: { parts, ...found }, beforehand: [] });
  expect(text).toMatch(/settings of all +skip_log_bin\n/);
  expect(text).toMatch(/only \(baseline\) +skip_external_locking\n/);
  expect(text).toContain('8 runs: 8 of one variant');
});

describe('how long it takes', () => {
  test('runs and their warm-up are what the plan says, and all parts are in the whole', async () => {
    const found = await reckon(ROWS + LOAD + TWO, {}, ['start.cache=as it is']);
    expect(found.ofPart).toMatchObject({ measure: 8 * 2 * 10, 'warm-up': 8 * 2 * 5 });
    expect(found.totalS).toBeCloseTo(Object.values(found.ofPart).reduce((sum, value) => sum + value, 0));
    expect(found.dataSets).toBe(1);
  });

  test('data is loaded once for variants that share it, and copied for each run', async () => {
    const facts = { loadBytesPerS: 24.7e6, copyBytesPerS: 100e6 };
    const shared = await reckon(ROWS + LOAD + TWO, facts);
    const different = await reckon(`${ROWS}${LOAD}variants: {a: , b: {workload: {tables: 20}}}`, facts);
    expect(different.dataSets).toBe(2);
    // 247 bytes a row: 10 s for a million of them, and 20 s for two millions, each on a server made for it.
    expect(different.ofPart['prepare']).toBeCloseTo((shared.ofPart['prepare'] ?? 0) * 2 + 10);
    expect(different.ofPart['restore']).toBeGreaterThan(shared.ofPart['restore'] ?? 0);
    expect(different.diskBytes).toBeGreaterThan(shared.diskBytes ?? 0);
  });

  test('copies that share their blocks cost next to nothing', async () => {
    const copied = await reckon(ROWS + LOAD + TWO);
    const shared = await reckon(ROWS + LOAD + TWO, { canReflink: true });
    expect(shared.ofPart['restore']).toBeLessThan((copied.ofPart['restore'] ?? 0) / 5);
    expect(shared.diskBytes).toBeLessThan(copied.diskBytes ?? 0);
  });

  test('data that is kept is not put back', async () => {
    expect((await reckon(ROWS + LOAD + TWO, {}, ['start.data=kept'])).ofPart).not.toHaveProperty('restore');
  });

  test('more pairs take proportionally longer', async () => {
    const few = await reckon(ROWS + LOAD + TWO, {}, ['pairs=6']);
    const many = await reckon(ROWS + LOAD + TWO, {}, ['pairs=12']);
    expect(many.ofPart['prepare']).toBe(few.ofPart['prepare']);
    expect(many.totalS - (many.ofPart['prepare'] ?? 0)).toBeCloseTo(2 * (few.totalS - (few.ofPart['prepare'] ?? 0)));
  });

  test('where work ends a run, the guess is said to be one', async () => {
    const guessed = await reckon('workload: atis\nvariants: {a: , b: }');
    expect(guessed.assumed.join(' ')).toContain('is a guess');
    const known = await reckon('workload: atis\nvariants: {a: , b: }', { workS: 100 });
    expect(known.ofPart['measure']).toBe(8 * 2 * 100);
    expect(known.assumed.join(' ')).not.toContain('end when their work is done');
  });

  test('commands take what they take', async () => {
    const found = await reckon('workload: quiz\nvariants: {a: {enter: sleep 20}, b: }');
    expect(found.assumed).toContain('What the commands of the variants take is not in it.');
  });

  test('data of unknown size is said to be so', async () => {
    const found = await reckon('workload: bulk_insert\nvariants: {a: , b: }');
    expect(found.diskBytes).toBeUndefined();
    expect(found.assumed.join(' ')).toContain('this workload does not tell');
  });
});

describe('the text', () => {
  async function shown(text: string, beforehand: readonly string[] = []): Promise<string> {
    const found = await reckon(text);
    return planText({ plan: found.plan, runs: schedule(found.plan), estimate: found, beforehand });
  }

  test('tells the order, block by block', async () => {
    const text = await shown(`${ROWS}${LOAD}${TWO}seed: 5\npairs: 6`);
    const orders = /In this order:\n {2}((?:AB|BA)(?: (?:AB|BA)){5})\n/.exec(text)?.[1]?.split(' ') ?? [];
    expect(orders.filter((order) => order === 'AB')).toHaveLength(3);
  });

  test('says everything beforehand once', async () => {
    const note = 'log_bin cannot matter here.';
    const text = await shown(`${ROWS}${TWO}notes: ['${note}']`, [note, 'And one more.']);
    expect(text.split(note)).toHaveLength(2);
    expect(text).toContain('  - And one more.');
  });

  test('names what is changed, and what undoes it', async () => {
    const text = await shown(`${ROWS}variants:
  a: {global: {innodb_io_capacity: 500}}
  b: {enter: systemctl stop cron, leave: systemctl start cron}
  c: {enter: sync}
`);
    const flat = text.replace(/\s+/g, ' ');
    expect(flat).toContain('SET GLOBAL of innodb_io_capacity: put back after each run');
    expect(flat).toContain('Before the runs of b: systemctl stop cron; afterwards: systemctl start cron.');
    expect(flat).toContain('Before the runs of c: sync; nothing undoes it.');
    expect(flat).toContain('A server of its own is started, and removed with its data at the end.');
  });

  test('says of a named server that tables stay', async () => {
    const text = await shown(`target: mysql://me@db.example/test\n${ROWS}variants: {a: , b: {load: {threads: 8}}}`);
    const flat = text.replace(/\s+/g, ' ');
    expect(flat).toContain('tables of the workload are made where they are not there, and stay');
    expect(text).not.toContain('A server of its own is started');
  });

  test('has letters for more variants than the alphabet', async () => {
    const threads = Array.from({ length: 30 }, (_, index) => index + 1);
    const text = await shown(`${ROWS}matrix: {load.threads: [${threads}]}`);
    expect(text).toContain('AD                      threads=30');
  });
});
