/** What is said of how a run was watched. */
import { expect, test } from 'vitest';
import { closedRun } from '../../../test/fixtures/sample-runs.ts';
import { watchedRun } from '../../../test/fixtures/sample-watched.ts';
import type { RunRecord } from '../../model/run.ts';
import { observationFacts } from './observed.ts';

function samplesOf(run: RunRecord): string | undefined {
  return observationFacts(run).find(([label]) => label === 'samples')?.[1];
}

test('who did not answer, and how often', () => {
  const run = watchedRun({ seconds: 10 });
  const sources = [
    { of: 'server', answers: 12, missed: 0, seenS: 10 },
    { of: 'host', answers: 3, missed: 9, seenS: 2 },
  ] as const;
  const observation = { ...run.observation!, samples: 12, missed: 9, sources };
  expect(samplesOf({ ...run, observation })).toBe('12, every 1.000 s; the host gave no answer to 9 of 12');
  expect(samplesOf({ ...run, observation: { ...observation, sources: sources.slice(0, 1) } })).toBe(
    '12, every 1.000 s',
  );
});

test('that nothing was watched, where that was wished', () => {
  const run = closedRun();
  expect(samplesOf({ ...run, command: [...run.command, '--observe=off'] })).toMatch(/^none \(--observe=off\)/);
  expect(samplesOf(run)).toBeUndefined();
});
