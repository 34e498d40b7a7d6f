import { expect, test } from 'vitest';
import { ownTermsOf } from './own-terms.ts';

type Measured = Parameters<typeof ownTermsOf>[0];

function measured(settings: { kind: string; threads: number; elapsedS: number; read: number }): Measured {
  const { kind, threads, elapsedS, read } = settings;
  return { ending: { kind }, load: { threads }, totals: { elapsedS, statements: { read } } } as Measured;
}

test('as load.py reports it', () => {
  const run = measured({ kind: 'events', threads: 50, elapsedS: 15.33, read: 50_000 });
  expect(ownTermsOf(run, { scale: 1_000, queries: 1_000 })).toEqual(['completed in 15.33 seconds', 'QPS = 3261.58']);
});

test('rounds as Python does, without zeros at the end', () => {
  const run = measured({ kind: 'time', threads: 1, elapsedS: 10, read: 12_345 });
  expect(ownTermsOf(run, { scale: 1_000, queries: 0 })).toEqual(['completed in 10 seconds', 'QPS = 1234.5']);
});

test('counts what was sent, and says where load.py counts more', () => {
  const run = measured({ kind: 'events', threads: 10, elapsedS: 2, read: 10_000 });
  expect(ownTermsOf(run, { scale: 1_000, queries: 1_003 })).toEqual([
    'completed in 2 seconds',
    'QPS = 5000',
    '(load.py would say 5015: of each connection it counts the 1003 queries asked for, and sends 1000)',
  ]);
});

test('does not call complete what was cut off', () => {
  const cut = measured({ kind: 'interrupted', threads: 10, elapsedS: 1.5, read: 3_000 });
  expect(ownTermsOf(cut, { scale: 1_000, queries: 1_003 })).toEqual(['stopped after 1.5 seconds', 'QPS = 2000']);
  const nothing = measured({ kind: 'failed', threads: 10, elapsedS: 0, read: 0 });
  expect(ownTermsOf(nothing, { scale: 1_000, queries: 1_000 })).toEqual(['stopped after 0 seconds']);
});
