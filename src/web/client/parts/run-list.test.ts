import { describe, expect, test } from 'vitest';
import type { RunRow } from '../../api.ts';
import { type RunsAsked, searchable, wantedRuns, windowOf } from './run-list.ts';

const ALL: RunsAsked = { words: '', workload: '', tag: '', onlyValid: false, order: 'newest' };

function run(id: string, more: Partial<RunRow> = {}): RunRow {
  const known = { workload: 'oltp_read_write', target: 'mariadb 11', address: '/a.sock', threads: 1, errors: 0 };
  return { id, startedAt: '', tags: [], ending: 'time', isValid: true, transactionsPerS: 1, ...known, ...more };
}

const RUNS = [
  run('c', { tags: ['night'], transactionsPerS: 30, p95Ms: 1 }),
  run('b', { workload: 'tpcc', isValid: false, transactionsPerS: undefined, p95Ms: undefined }),
  run('a', { transactionsPerS: 40, p95Ms: 9, experiment: { id: 'x', name: 'pool', variant: 'large', block: 1 } }),
].map(searchable);

test.each([
  { asked: {}, ids: ['c', 'b', 'a'], because: 'all, newest first' },
  { asked: { words: 'NIGHT' }, ids: ['c'], because: 'a tag, in any case of letters' },
  { asked: { words: 'maria large' }, ids: ['a'], because: 'all words, wherever they stand' },
  { asked: { words: 'maria nowhere' }, ids: [], because: 'one word is nowhere' },
  { asked: { workload: 'tpcc' }, ids: ['b'], because: 'a workload' },
  { asked: { tag: 'nigh' }, ids: [], because: 'a tag is whole' },
  { asked: { onlyValid: true }, ids: ['c', 'a'], because: 'valid ones' },
  { asked: { order: 'oldest' }, ids: ['a', 'b', 'c'], because: 'the other way round' },
  { asked: { order: 'fastest' }, ids: ['a', 'c', 'b'], because: 'what is not known comes last' },
  { asked: { order: 'slowest' }, ids: ['c', 'a', 'b'], because: 'there too' },
  { asked: { order: 'p95' }, ids: ['a', 'c', 'b'], because: 'the longest latency' },
] as const)('$because', ({ asked, ids }) => {
  expect(wantedRuns(RUNS, { ...ALL, ...asked }).map(({ id }) => id)).toEqual(ids);
});

describe('the part of a list that is drawn', () => {
  test('covers the screen and a little more, whatever is scrolled', () => {
    for (const topPx of [200, 0, -1, -5_000, -449_000]) {
      const { from, to } = windowOf(10_000, 45, topPx, 900);
      const firstSeen = Math.max(0, Math.floor(-topPx / 45));
      const lastSeen = Math.min(10_000, Math.ceil((900 - topPx) / 45));
      expect(from).toBeLessThanOrEqual(firstSeen);
      expect(to).toBeGreaterThanOrEqual(lastSeen);
      expect(to - from).toBeLessThan(60);
    }
  });

  test('never goes beyond its ends', () => {
    expect(windowOf(3, 45, 100, 900)).toEqual({ from: 0, to: 3 });
    expect(windowOf(0, 45, 100, 900)).toEqual({ from: 0, to: 0 });
    expect(windowOf(5, 45, -9_000, 900)).toEqual({ from: 5, to: 5 });
  });
});
