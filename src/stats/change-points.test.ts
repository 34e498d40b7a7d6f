import { expect, test } from 'vitest';
import { createRandom, type Random } from '../base/random.ts';
import { changePointsOf } from './change-points.ts';
import { normalQuantile } from './student-t.ts';

/** Many histories take a second; a machine that is busy with other things must not make them fail. */
const PATIENCE_MS = 60_000;
const DEVIATION = 0.02;

/** Runs at these levels, one after the other. */
function history(random: Random, ...stretches: readonly (readonly [runs: number, level: number])[]): number[] {
  return stretches.flatMap(([runs, level]) =>
    Array.from({ length: runs }, () => level * Math.exp(DEVIATION * normalQuantile(random.next() || 0.5))),
  );
}

test('fewer than twelve runs are not looked at, and twelve are', () => {
  const step = [...new Array<number>(6).fill(100), ...new Array<number>(5).fill(50)];
  expect(changePointsOf(step, 0.02)).toMatchObject({ is: 'too-few', points: [] });
  expect(changePointsOf([...step, 50], 0.02).is).toBe('looked');
});

test('a clear step: where, how much, and the same every time', () => {
  const values = history(createRandom(3), [30, 1_000], [30, 900]);
  const found = changePointsOf(values, 0.02);
  expect(found.points).toHaveLength(1);
  expect(Math.abs(found.points[0]!.index - 30)).toBeLessThanOrEqual(1);
  expect(found.points[0]!.change).toBeCloseTo(-0.1, 1);
  expect(found.points[0]!.p).toBeLessThan(0.001);
  expect(found.because).toContain(`from run ${found.points[0]!.index + 1} on`);
  expect(changePointsOf(values, 0.02)).toEqual(found);
});

test('down and up again: two points, by bisection', () => {
  const { points } = changePointsOf(history(createRandom(4), [25, 1_000], [25, 900], [25, 1_050]), 0.02);
  expect(points.map(({ index, change }) => [Math.round(index / 5) * 5, Math.sign(change)])).toEqual([
    [25, -1],
    [50, 1],
  ]);
});

test('a change smaller than the noise floor is not told, however sure it is', () => {
  const values = Array.from({ length: 60 }, (_, at) => (at < 30 ? 1_000 : 990) + (at % 3));
  expect(changePointsOf(values, 0.005).points).toHaveLength(1);
  expect(changePointsOf(values, 0.02).points).toEqual([]);
});

test('one wild run is no change, and a run without a figure is passed over', () => {
  const values = history(createRandom(6), [40, 1_000]);
  values[20] = 100;
  expect(changePointsOf(values, 0.02).points).toEqual([]);
  const step = history(createRandom(7), [20, 1_000], [20, 800]);
  step[3] = 0;
  step[10] = Number.NaN;
  const found = changePointsOf(step, 0.02);
  expect(found.unusable).toEqual([3, 10]);
  expect(found.points.map(({ index }) => index)).toEqual([20]);
});

test('all runs equal: nothing', () => {
  expect(changePointsOf(new Array<number>(30).fill(5), 0).points).toEqual([]);
});

test('of 200 histories in which nothing changed, two at most raise an alarm', { timeout: PATIENCE_MS }, () => {
  // 0.2 are expected at p < 0.001; three or more come by chance once in 900 times.
  const random = createRandom(8);
  const alarms = Array.from({ length: 200 }, () => changePointsOf(history(random, [60, 1_000]), 0));
  expect(alarms.filter(({ points }) => points.length > 0).length).toBeLessThanOrEqual(2);
});

test('a step of 5 % in runs that scatter by 2 % is found in 97 of 100 histories, within three runs in nine of ten', {
  timeout: PATIENCE_MS,
}, () => {
  const random = createRandom(10);
  const found = Array.from({ length: 100 }, () => changePointsOf(history(random, [30, 1_000], [30, 950]), 0.02).points);
  expect(found.filter((points) => points.length === 1).length).toBeGreaterThanOrEqual(97);
  const near = found.filter((points) => points.some(({ index }) => Math.abs(index - 30) <= 3));
  expect(near.length).toBeGreaterThanOrEqual(90);
});
