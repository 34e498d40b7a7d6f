import { expect, test } from 'vitest';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { Settling } from './settling.ts';

function settlesAt(rates: readonly number[]): { after: number; differsS: number } | undefined {
  const settling = new Settling();
  for (const [at, transactions] of rates.entries()) {
    const found = settling.add({
      startS: at - 600,
      endS: at - 599,
      isWarmup: true,
      sessionsActive: 1,
      transactions,
      statements: { read: 0, write: 0, other: 0 },
      errors: 0,
      retries: 0,
      reconnects: 0,
      latency: toLatencyRecord(new Histogram()),
    });
    if (found !== undefined) return { after: at + 1, ...found };
  }
  return undefined;
}

/** A few per cent of scatter, without a trend. */
const scatter = (at: number) => 1 + 0.02 * Math.sin(at * 2.4);

test('a load that is steady from the beginning begins to be measured as soon as that can be told', () => {
  const rates = Array.from({ length: 100 }, (_, at) => 1_000 * scatter(at));
  expect(settlesAt(rates)).toEqual({ after: 24, differsS: expect.any(Number) });
});

test('one that warms up is waited for', () => {
  const rates = Array.from({ length: 300 }, (_, at) => 1_000 * (1 - 0.7 * Math.exp(-at / 20)) * scatter(at));
  const found = settlesAt(rates)!;
  // After three times 20 s it lacks 3.5 %, and the beginning is cut off.
  expect(found.after).toBeGreaterThan(60);
  expect(found.after).toBeLessThan(200);
  expect(found.differsS).toBeGreaterThan(20);
});

test('one that falls all the time is never taken for steady', () => {
  const rates = Array.from({ length: 200 }, (_, at) => 1_000 * Math.exp(-at / 100) * scatter(at));
  expect(settlesAt(rates)).toBeUndefined();
});
