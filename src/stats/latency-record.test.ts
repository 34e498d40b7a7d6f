import fc from 'fast-check';
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { UserError } from '../base/errors.ts';
import { TRACKABLE_US_MAX } from './bucket-layout.ts';
import { Histogram } from './histogram.ts';
import { fromLatencyRecord, toLatencyRecord } from './latency-record.ts';

const latenciesUs = fc.array(fc.oneof(fc.nat(3_000), fc.integer({ min: 0, max: 2 ** 31 - 1 })), { maxLength: 200 });

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

test('a record reads back as the histogram it was made of', () => {
  fc.assert(
    fc.property(latenciesUs, (values) => {
      const histogram = histogramOf(values);
      const back = fromLatencyRecord(toLatencyRecord(histogram));
      expect(back.toSnapshot().buckets).toEqual(histogram.toSnapshot().buckets);
      expect([...back.toSnapshot().counts]).toEqual([...histogram.toSnapshot().counts]);
      expect(toLatencyRecord(back)).toEqual(toLatencyRecord(histogram));
    }),
  );
});

test('hdr-histogram-js reads what is written here', () => {
  fc.assert(
    fc.property(latenciesUs, (values) => {
      const peer = decodeFromCompressedBase64(toLatencyRecord(histogramOf(values)).histogram);
      const expected = build({ highestTrackableValue: TRACKABLE_US_MAX, useWebAssembly: false });
      for (const value of values) expected.recordValue(value);
      expect(peer.totalCount).toBe(values.length);
      for (const percent of [50, 90, 99, 99.9, 100]) {
        expect(peer.getValueAtPercentile(percent)).toBe(expected.getValueAtPercentile(percent));
      }
    }),
    { numRuns: 50 },
  );
});

test('what hdr-histogram-js writes is read here', () => {
  fc.assert(
    fc.property(latenciesUs, (values) => {
      const peer = build({ highestTrackableValue: TRACKABLE_US_MAX, useWebAssembly: false });
      for (const value of values) peer.recordValue(value);
      const ours = toLatencyRecord(histogramOf(values));
      const read = fromLatencyRecord({ ...ours, histogram: encodeIntoCompressedBase64(peer) });
      expect(toLatencyRecord(read)).toEqual(ours);
    }),
    { numRuns: 50 },
  );
});

test('counts beyond 32 bits are stored whole', () => {
  const histogram = histogramOf([3, 4_000]);
  for (let doubling = 0; doubling < 40; doubling++) histogram.merge(Histogram.fromSnapshot(histogram.toSnapshot()));
  expect(fromLatencyRecord(toLatencyRecord(histogram)).percentileUs(50)).toBe(3);
  expect(fromLatencyRecord(toLatencyRecord(histogram)).count).toBe(2 ** 41);
});

describe('what cannot be read is refused with a sentence', () => {
  const good = toLatencyRecord(histogramOf([1, 2, 3_000]));
  const bytes = Buffer.from(good.histogram, 'base64');
  test.each([
    { histogram: '', because: 'nothing' },
    { histogram: 'not base64 at all!', because: 'another text' },
    { histogram: bytes.subarray(0, 12).toString('base64'), because: 'cut short' },
    { histogram: Buffer.concat([bytes.subarray(0, 8), Buffer.alloc(20)]).toString('base64'), because: 'no deflate' },
    { histogram: toLatencyRecord(histogramOf([1])).histogram, because: 'another count' },
    {
      histogram: encodeIntoCompressedBase64(build({ numberOfSignificantValueDigits: 2, useWebAssembly: false })),
      because: 'another precision',
    },
  ])('$because', ({ histogram }) => {
    expect(() => fromLatencyRecord({ ...good, histogram })).toThrow(UserError);
  });

  test('any change of one byte is refused or harmless, never a crash of another kind', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        try {
          fromLatencyRecord({ ...good, histogram: changed.toString('base64') });
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
    );
  });
});
