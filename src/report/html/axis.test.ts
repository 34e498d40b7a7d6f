import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearAxis, logAxis, ninesOf, numberLabel, percentileAxis, shownUnit, timeAxis } from './axis.ts';

const labels = (ticks: readonly { readonly label: string }[]) => ticks.map(({ label }) => label);

test.each([
  { from: -5, to: 45, shown: ['0 s', '10 s', '20 s', '30 s', '40 s'], because: 'less than a minute' },
  { from: 0, to: 600, shown: ['0 min', '2 min', '4 min', '6 min', '8 min', '10 min'], because: 'minutes' },
  {
    from: -30,
    to: 3_600,
    shown: ['0 min', '10 min', '20 min', '30 min', '40 min', '50 min', '60 min'],
    because: 'an hour',
  },
  {
    from: 0,
    to: 4,
    shown: ['0 s', '0.5 s', '1 s', '1.5 s', '2 s', '2.5 s', '3 s', '3.5 s', '4 s'],
    because: 'seconds',
  },
])('a time axis of $because', ({ from, to, shown }) => {
  expect(labels(timeAxis(from, to).ticks)).toEqual(shown);
});

test('of a time axis few labels are left on a phone, and they are round', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -100, max: 0, noNaN: true }),
      fc.double({ min: 1, max: 200_000, noNaN: true }),
      (from, to) => {
        const { ticks } = timeAxis(from, to);
        expect(ticks.length).toBeLessThanOrEqual(10);
        expect(ticks.filter(({ isFine }) => !isFine).length).toBeLessThanOrEqual(6);
        for (const { at } of ticks) expect(at >= -1e-6 && at <= 1 + 1e-6).toBe(true);
      },
    ),
  );
});

describe('upwards', () => {
  test.each([
    { values: [0, 870], shown: ['0', '200', '400', '600', '800', '1,000'] },
    { values: [0.001, 0.012], shown: ['0', '0.002', '0.004', '0.006', '0.008', '0.01', '0.012'] },
    { values: [], shown: ['0', '0.2', '0.4', '0.6', '0.8', '1'] },
    { values: [-30, 80], shown: ['-40', '-20', '0', '20', '40', '60', '80'] },
  ])('$values are told by $shown', ({ values, shown }) => {
    expect(labels(linearAxis(values).ticks)).toEqual(shown);
  });

  test('all values lie within, on both scales', () => {
    const values = fc.array(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, (all) => {
        for (const axis of [linearAxis(all), logAxis(all)]) {
          expect(axis.ticks.length).toBeGreaterThan(0);
          for (const value of all) {
            const at = axis.at(value) ?? Number.NaN;
            expect(at >= -1e-9 && at <= 1 + 1e-9).toBe(true);
          }
        }
      }),
    );
  });

  test('nothing is no place on a logarithmic axis', () => {
    expect(logAxis([1, 100]).at(0)).toBeNull();
  });
});

test('each nine takes as much room as the one before', () => {
  const { at, ticks } = percentileAxis(10_000);
  expect(labels(ticks)).toEqual(['0 %', '50 %', '90 %', '99 %', '99.9 %', '99.99 %']);
  expect(
    [0, 90, 99, 99.9, 99.99].map((percentile) => at(ninesOf(percentile))).map((share) => share?.toFixed(4)),
  ).toEqual(['0.0000', '0.2500', '0.5000', '0.7500', '1.0000']);
});

test.each([
  { unit: 'bytes', highest: 3 * 2 ** 30, shown: { factor: 2 ** -30, unit: 'GiB' } },
  { unit: 'bytes/s', highest: 2_048, shown: { factor: 2 ** -10, unit: 'KiB/s' } },
  { unit: 'ratio', highest: 1, shown: { factor: 100, unit: '%' } },
  { unit: 'ms', highest: 5, shown: { factor: 1, unit: 'ms' } },
])('$highest of $unit are shown in $shown.unit', ({ unit, highest, shown }) => {
  expect(shownUnit(unit, highest)).toEqual(shown);
});

test.each([
  { value: 0.05, label: '0.05' },
  { value: 2_500, label: '2,500' },
  { value: 1_200_000, label: '1.2 M' },
  { value: 3e9, label: '3 G' },
  { value: -0, label: '0' },
])('$value is labelled $label', ({ value, label }) => {
  expect(numberLabel(value)).toBe(label);
});
