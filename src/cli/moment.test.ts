import { describe, expect, test } from 'vitest';
import { momentOf } from './moment.ts';

const NOW = Date.UTC(2026, 10, 30, 16, 35, 12);

test.each([
  { written: '2026-11-29', is: '2026-11-29T00:00:00.000Z', because: 'a day begins at midnight, UTC' },
  { written: '2026-11-29T18:05', is: '2026-11-29T18:05:00.000Z', because: 'with a time of day' },
  { written: '2026-11-29 18:05:01', is: '2026-11-29T18:05:01.000Z', because: 'as people write it' },
  { written: '2026-11-29T18:05:01.250Z', is: '2026-11-29T18:05:01.250Z', because: 'as a record has it' },
  { written: '90m', is: '2026-11-30T15:05:12.000Z', because: 'minutes ago' },
  { written: '7d', is: '2026-11-23T16:35:12.000Z', because: 'days ago' },
  { written: '2w', is: '2026-11-16T16:35:12.000Z', because: 'weeks ago' },
  { written: 'today', is: '2026-11-30T00:00:00.000Z', because: 'since midnight' },
  { written: 'yesterday', is: '2026-11-29T00:00:00.000Z', because: 'since the midnight before' },
])('$written: $because', ({ written, is }) => {
  expect(momentOf(written, '--since', NOW)).toBe(is);
});

describe('is no moment', () => {
  test.each(['', 'soon', '2026-13-01', '2026-02-45', '30.11.2026', '7', '-7d', '7y'])('%s', (written) => {
    expect(() => momentOf(written, '--since', NOW)).toThrow(/--since=.* is no moment/);
  });
});
