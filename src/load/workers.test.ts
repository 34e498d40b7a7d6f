import fc from 'fast-check';
import { expect, test } from 'vitest';
import { workersFor } from './workers.ts';

test.each([
  { threads: 1, cores: 64, workers: 1, because: 'one connection cannot be shared' },
  { threads: 1024, cores: 2, workers: 1, because: 'the server needs the other core' },
  { threads: 8, cores: 64, workers: 1, because: 'one worker drives eight connections with ease' },
  { threads: 64, cores: 8, workers: 2, because: 'a quarter of the cores' },
  { threads: 64, cores: 64, workers: 4, because: 'sixteen connections each' },
])('$threads threads on $cores cores: $workers, because $because', ({ threads, cores, workers }) => {
  expect(workersFor(threads, cores)).toBe(workers);
});

test('never more than cores or threads, and at least one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 512 }), (threads, cores) => {
      const workers = workersFor(threads, cores);
      expect(workers).toBeGreaterThanOrEqual(1);
      expect(workers).toBeLessThanOrEqual(Math.min(threads, cores));
    }),
  );
});
