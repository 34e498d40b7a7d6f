/** What is made of a run once it is over. */
import { expect, test } from 'vitest';
import { watchedRun } from '../../test/fixtures/sample-watched.ts';
import { judged } from './judge.ts';

test('the grade counts the time of the load, and not what it took to end what was under way', async () => {
  const { observation, ...run } = watchedRun();
  if (observation === undefined) throw new Error('it was watched');
  const record = { ...run, load: { ...run.load, timeS: 6 }, totals: { ...run.totals, elapsedS: 12 } };
  const { grade } = await judged(record, { observation, series: [] } as never, {});
  expect(grade?.because).toContain('Only 6 s were measured, not 60.');
});
