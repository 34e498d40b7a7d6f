import { describe, expect, test } from 'vitest';
import { UserError } from '../../base/errors.ts';
import { limitPercentile, limitS, parseLimit } from './search-limit.ts';

describe('a limit as people write it', () => {
  test.each([
    { written: 'p99<20ms', metric: 'p99(transaction)', below: 20, is: 'p99(transaction) < 20 ms', percentile: 99 },
    { written: ' p99.9(new_order) < 0.5s ', metric: 'p99.9(new_order)', below: 500, percentile: 99.9 },
    { written: 'p50<800us', metric: 'p50(transaction)', below: 0.8, percentile: 50 },
    { written: 'mean<5ms', metric: 'mean(transaction)', below: 5, percentile: undefined },
    { written: 'p95(commit)<.5s', metric: 'p95(commit)', below: 500, percentile: 95 },
  ])('$written', ({ written, metric, below, is, percentile }) => {
    const limit = parseLimit(written);
    expect(limit).toMatchObject({ metric, unit: 'ms', below, ...(is === undefined ? {} : { is }) });
    expect(limitPercentile(limit)).toBe(percentile);
    expect(limitS(limit)).toBeCloseTo(below / 1_000, 12);
  });

  test('a count has no unit, and a share may be in per cent', () => {
    expect(parseLimit('errors<1')).toMatchObject({ metric: 'errors', unit: 'count', below: 1, is: 'errors < 1' });
    expect(parseLimit('errorShare<2%')).toMatchObject({ metric: 'errorShare', below: 0.02 });
    expect(limitS(parseLimit('errors<1'))).toBeUndefined();
  });
});

test.each([
  { written: 'p99', says: /is no limit/ },
  { written: 'p99>20ms', says: /is no limit/ },
  { written: 'p99<=20ms', says: /is no limit/ },
  { written: 'p99<20', says: /has no unit.*us, ms and s/ },
  { written: 'p99<20min', says: /is in 'min'/ },
  { written: 'p99<0ms', says: /nothing is below 0/ },
  { written: 'transactions/s<20', says: /more is better/ },
  { written: 'latensy<20ms', says: /is no metric/ },
])('$written is refused', ({ written, says }) => {
  expect(() => parseLimit(written)).toThrow(UserError);
  try {
    parseLimit(written);
  } catch (error) {
    expect(`${(error as UserError).message} ${(error as UserError).hint}`).toMatch(says);
  }
});
