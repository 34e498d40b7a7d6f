import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatFixed,
  formatLatency,
  formatPercent,
  formatRate,
  formatSignificant,
} from './units.ts';

describe('counts', () => {
  test.each([
    { value: 0, text: '0' },
    { value: 999.4, text: '999' },
    { value: 999.5, text: '1,000' },
    { value: 1_234_567, text: '1,234,567' },
    { value: -1_234, text: '-1,234' },
    { value: 2 ** 53, text: '9,007,199,254,740,992' },
  ])('$value -> $text', ({ value, text }) => {
    expect(formatCount(value)).toBe(text);
  });
});

describe('four significant digits', () => {
  test.each([
    { value: 0, text: '0.000' },
    { value: 0.862, text: '0.862' },
    { value: 9.9996, text: '10.00' },
    { value: 12.345, text: '12.35' },
    { value: 99.996, text: '100.0' },
    { value: 123.45, text: '123.5' },
    { value: 999.96, text: '1,000' },
    { value: 12_345.6, text: '12,346' },
  ])('$value -> $text', ({ value, text }) => {
    expect(formatSignificant(value)).toBe(text);
  });

  test('the text is the value to a two-thousandth, or to half a thousandth where small', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (value) => {
        const back = Number(formatSignificant(value).replaceAll(',', ''));
        return Math.abs(back - value) <= Math.max(0.0005 + 1e-12, value * 0.0005001);
      }),
    );
  });
});

describe('latencies', () => {
  test.each([
    { us: 0, text: '0 us' },
    { us: 850, text: '850 us' },
    { us: 999.6, text: '1.000 ms' },
    { us: 12_340, text: '12.34 ms' },
    { us: 999_951, text: '1.000 s' },
    { us: 4_560_000, text: '4.560 s' },
  ])('$us -> $text', ({ us, text }) => {
    expect(formatLatency(us)).toBe(text);
  });
});

describe('durations', () => {
  test.each([
    { seconds: 0, text: '0.00 s' },
    { seconds: 0.85, text: '0.85 s' },
    { seconds: 9.996, text: '10.0 s' },
    { seconds: 59.96, text: '1 min 00 s' },
    { seconds: 125, text: '2 min 05 s' },
    { seconds: 3_599.6, text: '1 h 00 min' },
    { seconds: 11_040, text: '3 h 04 min' },
    { seconds: 183_600, text: '2 d 03 h' },
  ])('$seconds -> $text', ({ seconds, text }) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('bytes', () => {
  test.each([
    { bytes: 0, text: '0 bytes' },
    { bytes: 512, text: '512 bytes' },
    { bytes: 1_024, text: '1.0 KiB' },
    { bytes: 1_048_570, text: '1.0 MiB' },
    { bytes: 1.5 * 2 ** 30, text: '1.5 GiB' },
    { bytes: 5_000 * 2 ** 50, text: '5,000.0 PiB' },
  ])('$bytes -> $text', ({ bytes, text }) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

test('rates, shares and fixed decimals', () => {
  expect([formatRate(0.5), formatRate(12_345.6), formatPercent(0.1234), formatFixed(1_234.5, 2)]).toEqual([
    '0.500/s',
    '12,346/s',
    '12.3 %',
    '1,234.50',
  ]);
});
