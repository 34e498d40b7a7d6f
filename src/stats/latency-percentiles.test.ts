import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Histogram } from './histogram.ts';
import { recordPercentilesUs } from './latency-percentiles.ts';
import { toLatencyRecord } from './latency-record.ts';

const PERCENTILES = [0, 50, 90, 95, 99, 99.9, 100];

test('they are those of the whole histogram', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000_000_000 }), { maxLength: 200 }), (values) => {
      const histogram = new Histogram();
      for (const us of values) histogram.record(us);
      const expected = PERCENTILES.map((percentile) => histogram.percentileUs(percentile));
      expect(recordPercentilesUs(toLatencyRecord(histogram), PERCENTILES)).toEqual(expected);
    }),
  );
});
