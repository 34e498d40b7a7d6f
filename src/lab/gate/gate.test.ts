import { describe, expect, test } from 'vitest';
import { sampleRun } from '../../../test/fixtures/sample-experiments.ts';
import { gateSchema } from '../../model/gate-schema.ts';
import type { RunRecord } from '../../model/run.ts';
import type { RunGroup } from '../compare/groups.ts';
import type { BaselineTerms } from './against-baseline.ts';
import { type GateQuestion, gate } from './gate.ts';
import { parseRequirement } from './requirement.ts';

const TERMS: BaselineTerms = { metrics: ['transactions/s'], marginShare: 0.02, isStrict: false, anyway: false };

function run(id: string, more: Partial<RunRecord> = {}, transactionsPerS = 1_000): RunRecord {
  return sampleRun({ id, transactionsPerS, more });
}

function group(name: string, runs: readonly RunRecord[]): RunGroup {
  return { name, runs, change: {} };
}

function gated(requirements: readonly string[], runs: readonly RunRecord[], baseline?: GateQuestion['baseline']) {
  const question = { requirements: requirements.map(parseRequirement), groups: [group('now', runs)] };
  const report = gate({ ...question, ...(baseline === undefined ? {} : { baseline }) });
  expect(gateSchema.safeParse(report).error).toBeUndefined();
  return report;
}

describe('requirements', () => {
  test('all held: met, with what was measured', () => {
    const report = gated(['transactions/s >= 1k', 'errors == 0'], [run('a')]);
    expect(report).toMatchObject({ isMet: true, is: 'The gate is met: 1 run, 2 requirements held.' });
    expect(report.checks.map(({ measured }) => measured)).toEqual([1_000, 0]);
  });

  test.each([
    { requirement: 'transactions/s < 1k', isMet: false },
    { requirement: 'transactions/s <= 1k', isMet: true },
    { requirement: 'transactions/s > 1k', isMet: false },
    { requirement: 'transactions/s >= 1k', isMet: true },
    { requirement: 'transactions/s == 1k', isMet: true },
    { requirement: 'transactions/s != 1k', isMet: false },
  ])('of 1,000 a second, $requirement: $isMet', ({ requirement, isMet }) => {
    expect(gated([requirement], [run('a')]).isMet).toBe(isMet);
  });

  test('one of several runs that misses one is enough, and is named', () => {
    const report = gated(['transactions/s >= 900'], [run('a'), run('b', {}, 800)]);
    expect(report.is).toBe('The gate is not met: transactions/s >= 900 (b).');
    expect(report.checks.map(({ isMet }) => isMet)).toEqual([true, false]);
    expect(report.checks[1]?.because).toBe('800/s was measured.');
  });

  test('what the run could not see is not met, also where any value would do', () => {
    const [check] = gated(['disk.data_disk.reads_per_s >= 0'], [run('a', { series: {} })]).checks;
    expect(check).toMatchObject({ isMet: false, because: expect.stringMatching(/does not tell disk\.data_disk/) });
    expect(check).not.toHaveProperty('measured');
  });

  test('a transaction that the run does not know is likely mistyped', () => {
    const [check] = gated(['p99(oltp_read_wirte) < 1s'], [run('a')]).checks;
    expect(check?.because).toMatch(/Did you mean p99\(oltp_read_write\)\?/);
  });

  test('a run that is named twice is one', () => {
    expect(gated(['errors == 0'], [run('a'), run('a')]).checks).toHaveLength(1);
  });
});

const INVALID = { id: 'client-saturated', severity: 'invalid', is: 'Saturated.', because: 'x', remedy: 'y' } as const;
const WRONG = { code: 0, sqlState: '', symbol: '', count: 1, policy: 'validation', example: 'sum is 7' } as const;

test.each<{ of: string; more: Partial<RunRecord>; because: RegExp }>([
  { of: 'that failed', more: { ending: { kind: 'failed', cause: 'gone' } }, because: /did not end as planned: gone/ },
  { of: 'that was cut off', more: { ending: { kind: 'forced', cause: 'late' } }, because: /late/ },
  { of: 'that was interrupted', more: { ending: { kind: 'interrupted', cause: 'Ctrl-C' } }, because: /Ctrl-C/ },
  { of: 'that proves nothing', more: { findings: [INVALID] }, because: /Saturated/ },
  { of: 'with wrong replies', more: { totals: { ...run('a').totals, errors: [WRONG] } }, because: /sum is 7/ },
])('a run $of passes no gate, whatever holds', ({ more, because }) => {
  const report = gated(['transactions/s >= 1k'], [run('a', more)]);
  expect(report).toMatchObject({ isMet: false, is: 'The gate is not met: a run proves nothing.' });
  expect(report.checks[0]?.isMet).toBe(true);
  expect(report.runs[0]?.because).toMatch(because);
});

test('no run meets no gate', () => {
  expect(gated(['errors == 0'], [])).toMatchObject({ isMet: false, is: 'The gate is not met: there is no run.' });
});

describe('against a baseline', () => {
  const SCATTER = [-4, 3, -1, 2, -3, 1, 4, -2];

  /** In turn with the others of the same minute. */
  function series(name: string, transactionsPerS: number, second: number, scatter = 1): RunRecord[] {
    return SCATTER.map((of, at) =>
      run(
        `${name}-${at}`,
        { startedAt: `2026-11-30T10:${String(10 + at)}:${second}.000Z` },
        transactionsPerS + of * scatter + at / 100,
      ),
    );
  }

  function compared(now: readonly RunRecord[], terms: Partial<BaselineTerms> = {}, before = series('b', 1_000, 10)) {
    return gated([], now, { group: group('before', before), terms: { ...TERMS, ...terms } });
  }

  test.each([
    { is: 'slower', now: 900, verdict: 'SLOWER', isMet: false },
    { is: 'faster', now: 1_100, verdict: 'FASTER', isMet: true },
    { is: 'as fast', now: 1_000, verdict: 'SAME', isMet: true },
    { is: 'surely slower, and by less than matters', now: 993, verdict: 'SLOWER', isMet: true },
  ])('what is $is: $verdict', ({ now, verdict, isMet }) => {
    const { comparisons, ...report } = compared(series('n', now, 40));
    expect(comparisons).toMatchObject([{ verdict, isMet, runs: 8, baselineRuns: 8, pairing: 'in turn' }]);
    expect(report.isMet).toBe(isMet);
  });

  test('what cannot be decided passes, and says so; not where it is strict', () => {
    const now = series('n', 1_000, 40, 60);
    expect(compared(now)).toMatchObject({ isMet: true, is: expect.stringMatching(/1 of them UNDECIDED/) });
    const strict = compared(now, { isStrict: true });
    expect(strict).toMatchObject({ isMet: false, is: expect.stringMatching(/against before: UNDECIDED/) });
  });

  test('of several metrics each may fail', () => {
    const report = compared(series('n', 900, 40), { metrics: ['p99(transaction)', 'transactions/s'] });
    expect(report.comparisons.map(({ metric, isMet }) => [metric, isMet])).toEqual([
      ['p99(transaction)', true],
      ['transactions/s', false],
    ]);
  });

  test('what is 0 on both sides is the same', () => {
    expect(compared(series('n', 1_000, 40), { metrics: ['errors'] }).comparisons).toMatchObject([
      { verdict: 'SAME', isMet: true },
    ]);
  });

  test('what one side does not tell is not met', () => {
    const { comparisons } = compared(series('n', 1_000, 40), { metrics: ['disk.none.reads_per_s'] });
    expect(comparisons).toMatchObject([{ isMet: false, because: expect.stringMatching(/^No run of before and now/) }]);
  });

  test('a baseline of which no run counts is not met', () => {
    const failed = series('b', 1_000, 10).map((record) => ({ ...record, findings: [INVALID] }));
    const { comparisons } = compared(series('n', 1_000, 40), {}, failed);
    expect(comparisons).toMatchObject([{ isMet: false, baselineRuns: 0, because: 'No run of before counts.' }]);
  });

  test('other work is refused, unless it is wanted', () => {
    const other = series('n', 1_000, 40).map((record) => ({ ...record, workload: { name: 'tpcc', options: {} } }));
    expect(() => compared(other)).toThrow(/did not do the same work/);
    expect(compared(other, { anyway: true }).comparisons).toHaveLength(1);
  });

  test('runs on both sides are refused', () => {
    expect(() => compared(series('b', 1_000, 10))).toThrow(/is both in before and in now/);
  });
});
