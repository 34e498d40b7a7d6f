import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { PROBE_FORMAT, type ProbeResult } from '../model/probe-result.ts';
import { probeResultsOf, saveProbeResult } from './probe-results.ts';

const scratch = scratchDirectories();

function result(id: string, run: string): ProbeResult {
  return {
    format: PROBE_FORMAT,
    id,
    startedAt: '2026-11-30T17:00:00.000Z',
    run,
    verdict: 'commit',
    a: '',
    b: '',
    notes: [],
    pairs: [],
    medianRatio: 1,
    comparisons: [],
    outcome: 'acquitted',
    is: '',
  };
}

test('what was tried of a run is found again, oldest first, and nothing of others', async () => {
  const store = scratch();
  for (const [id, run] of [
    ['20261201-b', 'one'],
    ['20261130-a', 'one'],
    ['20261130-c', 'other'],
  ] as const)
    await saveProbeResult(store, result(id, run));
  writeFileSync(join(store, 'probes', 'broken.json'), '{');
  expect((await probeResultsOf(store, 'one')).map(({ id }) => id)).toEqual(['20261130-a', '20261201-b']);
  expect(await probeResultsOf(scratch(), 'one')).toEqual([]);
});
