/** Runs that were watched for a part of their time only. */
import { expect, test } from 'vitest';
import type { Observation, WatchedSource } from '../model/observed.ts';
import { watchFindings } from './lab-findings.ts';

const ELAPSED_S = 12;

function observation(source: WatchedSource): Observation {
  return {
    intervalS: 1,
    samples: 14,
    missed: source.missed,
    sources: [source],
    cost: { clientCpuS: 0, serverStatements: 0, serverBytes: 0 },
    unseen: [{ what: 'host', because: 'It did not answer within 5 s.' }],
  };
}

const host = { of: 'host', answers: 14, missed: 0, seenS: ELAPSED_S } as const;

test.each<{ because: string; source: WatchedSource; says: RegExp }>([
  {
    because: 'it was gone after a third',
    source: { ...host, answers: 5, missed: 9, seenS: 4 },
    says: /^The server's host was watched for 4.0 of the 12.0 s that were measured.$/,
  },
  {
    because: 'it never answered',
    source: { ...host, answers: 0, missed: 14, seenS: 0 },
    says: /^The server's host was not watched while it was measured.$/,
  },
  {
    because: 'it hung in between',
    source: { ...host, answers: 9, missed: 5 },
    says: /gave no answer 5 of 14 times.$/,
  },
  {
    because: 'the server was ended',
    source: { ...host, of: 'server', answers: 9, missed: 5, seenS: 8 },
    says: /^The server was watched for 8.0 /,
  },
])('$because: a warning, with the reason', ({ source, says }) => {
  const [finding] = watchFindings(observation(source), ELAPSED_S);
  expect(finding).toMatchObject({ id: `${source.of}-partly-watched`, severity: 'warning' });
  expect(finding!.is).toMatch(says);
  if (source.of === 'host') expect(finding!.because).toContain('within 5 s');
});

test('none where it answered throughout, or a tick was lost', () => {
  expect(watchFindings(observation(host), ELAPSED_S)).toEqual([]);
  expect(watchFindings(observation({ ...host, answers: 13, missed: 1, seenS: 11.9 }), ELAPSED_S)).toEqual([]);
});
