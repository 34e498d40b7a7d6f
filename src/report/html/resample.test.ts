import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resample } from './resample.ts';

const seconds = (count: number) => Array.from({ length: count }, (_, at) => at);

test('few samples stay as they are', () => {
  const samples = { atS: seconds(8), lines: [seconds(8)] };
  expect(resample(samples, 4)).toEqual({ ...samples, samplesPerStep: 1 });
});

test('of each step the lowest and the highest stay, in the order in which they came', () => {
  const { atS, lines, samplesPerStep } = resample({ atS: seconds(8), lines: [[1, 9, 2, 3, 7, 4, 0, 5]] }, 2);
  expect(samplesPerStep).toBe(4);
  expect(lines).toEqual([[1, 9, 7, 0]]);
  expect(atS).toEqual([0.75, 2.25, 4.75, 6.25]);
});

test('a gap stays one where nothing was to be had', () => {
  const { lines } = resample({ atS: seconds(6), lines: [[null, null, null, 1, null, 2]] }, 2);
  expect(lines).toEqual([[null, null, 1, 2]]);
});

test('nothing rises above what was, no peak is lost, and time goes forward', () => {
  const values = fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), {
    minLength: 1,
    maxLength: 90,
  });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 10 }), (points, stepsMax) => {
      const { atS, lines } = resample({ atS: seconds(points.length), lines: [points] }, stepsMax);
      const known = (of: readonly (number | null)[] | undefined) => (of ?? []).filter((value) => value !== null);
      expect(Math.max(...known(lines[0]))).toBe(Math.max(...known(points)));
      expect(Math.min(...known(lines[0]))).toBe(Math.min(...known(points)));
      expect(atS).toHaveLength(lines[0]!.length);
      expect(atS.length).toBeLessThanOrEqual(Math.max(2 * stepsMax, 1));
      expect([...atS].sort((a, b) => a - b)).toEqual(atS);
    }),
  );
});
