import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { latencyHistogramText } from './latency-histogram.ts';

function textOf(latenciesUs: readonly number[]): string {
  const histogram = new Histogram();
  for (const us of latenciesUs) histogram.record(us);
  return latencyHistogramText(toLatencyRecord(histogram));
}

test("the scale, the columns and the bars are sysbench's", () => {
  // Steps of its scale as it printed them: 0.856, 0.904, 0.920, 8.277 ms.
  const text = textOf([856, 904, 904, ...Array<number>(12).fill(920), 8_277]);
  expect(text.split('\n')).toEqual([
    'Latency histogram (values are in milliseconds)',
    '       value  ------------- distribution ------------- count',
    '       0.856 |***                                      1',
    '       0.904 |*******                                  2',
    '       0.920 |**************************************** 12',
    '       8.277 |***                                      1',
    '',
  ]);
});

test('every value is counted once, no bar is longer than 40, values rise, none is off by more than a hundredth', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200_000_000 }), { minLength: 1, maxLength: 50 }), (latenciesUs) => {
      const rows = textOf(latenciesUs)
        .split('\n')
        .slice(2, -1)
        .map((line) => /^ *(\d+\.\d{3}) \|(\**) *(\d+)$/.exec(line)!);
      const values = rows.map(([, value]) => Number(value));
      expect(rows.reduce((sum, [, , , count]) => sum + Number(count), 0)).toBe(latenciesUs.length);
      expect(Math.max(...rows.map(([, , bar]) => bar!.length))).toBe(40);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      const minMs = Math.min(...latenciesUs) / 1_000;
      expect(Math.abs(values[0]! - minMs)).toBeLessThanOrEqual(minMs / 100 + 0.0006);
    }),
  );
});

test('beyond 100 s values are not clamped', () => {
  expect(textOf([600_000_000])).toMatch(/^ {2}(59|60)\d{4}\.\d{3} \|\*{40} 1$/m);
});

test('nothing recorded gives the headings', () => {
  expect(textOf([]).trimEnd().split('\n')).toHaveLength(2);
});
