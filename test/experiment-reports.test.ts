/** What experiments look like, in the terminal and in Markdown. */
import { describe, expect, test } from 'vitest';
import { compareRuns } from '../src/lab/compare/compare-runs.ts';
import type { RunGroup } from '../src/lab/compare/groups.ts';
import type { ExperimentRecord } from '../src/model/experiment.ts';
import type { RunRecord } from '../src/model/run.ts';
import { comparisonText } from '../src/report/compare-text.ts';
import { experimentMarkdown } from '../src/report/experiment-markdown.ts';
import { experimentText } from '../src/report/experiment-text.ts';
import { LINE_LENGTH } from '../src/report/layout.ts';
import { SAMPLE_EXPERIMENTS, sampleRun } from './fixtures/sample-experiments.ts';
import { golden } from './support/golden.ts';

const { whole } = SAMPLE_EXPERIMENTS as { whole: ExperimentRecord };

describe.each(Object.entries(SAMPLE_EXPERIMENTS))('the %s experiment', (name, record) => {
  test('as text equals its golden file', async () => {
    await expect(experimentText(record)).toMatchFileSnapshot(golden(`experiment-${name}.txt`));
  });

  test('as Markdown equals its golden file', async () => {
    await expect(experimentMarkdown(record)).toMatchFileSnapshot(golden(`experiment-${name}.md`));
  });

  test('fits a terminal, and prints no value that is none', () => {
    const text = experimentText(record);
    expect(text.split('\n').filter(({ length }) => length > LINE_LENGTH)).toEqual([]);
    expect(text + experimentMarkdown(record)).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  test('says the answer before anything else, and comes out the same from its JSON', () => {
    const answer = record.result?.is.split(' ').slice(0, 5).join(' ') ?? 'No run counts yet';
    const text = experimentText(record);
    expect(text.replaceAll(/\s+/g, ' ').indexOf(answer)).toBeLessThan(250);
    const again = JSON.parse(JSON.stringify(record)) as ExperimentRecord;
    expect(experimentText(again)).toBe(text);
  });
});

test('durability stands on the line of the gain', () => {
  const line = experimentText(whole)
    .split('\n')
    .find((each) => /^ {2}relaxed +[\d,]+/.test(each));
  expect(line).toMatch(/\+3\d\.\d %.*FASTER.*D2/);
});

test('what people wrote is no markup', () => {
  const plan = { ...whole.plan, question: '<script>|a|</script> [x](y) `z` *b*\n# h' };
  const text = experimentMarkdown({ ...whole, plan, command: ['sqldyno', '```', 'x'] });
  const [heading = ''] = text.split('\n');
  expect(heading).toBe('## &lt;script\\>\\|a\\|&lt;/script\\> \\[x\\](y) \\`z\\` \\*b\\* \\# h');
  expect(text).toContain('````\nsqldyno ``` x\n````');
});

describe('stored runs side by side', () => {
  const stored = (name: string, rates: readonly number[], more: Partial<RunRecord> = {}): RunGroup => ({
    name,
    change: {},
    runs: rates.map((transactionsPerS, at) =>
      sampleRun({
        id: `20261130-10${at}500-oltp_read_write-${name.slice(0, 3)}${at}`,
        transactionsPerS,
        more: { startedAt: `2026-11-30T10:${at}5:00.000Z`, ...more },
      }),
    ),
  });
  const before = stored('before', [1_190, 1_210, 1_201, 1_188]);
  const { load, workload } = sampleRun({ id: '', transactionsPerS: 1 });
  const options = { metric: 'transactions/s', secondary: ['p99(transaction)'], marginShare: 0.02, anyway: true };
  const COMPARISONS = {
    unpaired: compareRuns([before, stored('after', [1_266, 1_281, 1_259], { load: { ...load, threads: 8 } })], options),
    single: compareRuns([stored('one', [1_200]), stored('two', [1_250])], options),
    refused: compareRuns(
      [before, stored('tpcc', [90, 91, 92, 93], { workload: { ...workload, name: 'tpcc' } })],
      options,
    ),
  };

  test.each(Object.entries(COMPARISONS))('%s equals its golden file', async (name, comparison) => {
    const text = comparisonText(comparison);
    await expect(text).toMatchFileSnapshot(golden(`compare-${name}.txt`));
    expect(text.split('\n').filter(({ length }) => length > LINE_LENGTH)).toEqual([]);
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });
});
