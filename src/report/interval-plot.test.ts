import { expect, test } from 'vitest';
import { UNBOUNDED } from '../stats/verdict.ts';
import { intervalPlot } from './interval-plot.ts';

test('all lie on one scale, with 0 and the margin at the same place', () => {
  const plot = intervalPlot(
    [
      { effect: 0.1, interval: { low: 0.05, high: 0.15 } },
      { effect: -0.1, interval: { low: -0.12, high: -0.08 } },
    ],
    0.02,
    41,
  );
  expect(plot).toEqual(['               ┊  │  ┊   ├─────●──────┤  ', '  ├──●─┤       ┊  │  ┊                   ']);
});

test.each([
  { effect: 0.3, low: 0.2, high: 0.4, because: 'above' },
  { effect: -0.3, low: -0.4, high: -0.2, because: 'below' },
  { effect: 0, low: 0, high: 0, because: 'nothing at all' },
  { effect: 9, low: -0.5, high: 1_000, because: 'out of scale' },
  { effect: 0.1, low: -1, high: UNBOUNDED, because: 'unknown' },
])('a line has its width and its effect, $because', ({ effect, low, high }) => {
  for (const width of [15, 33]) {
    const [line = ''] = intervalPlot([{ effect, interval: { low, high } }], 0.02, width);
    expect(line).toHaveLength(width);
    expect(line).toContain('●');
  }
});

test('what is not known has no end', () => {
  const [line = ''] = intervalPlot([{ effect: 0.1, interval: { low: -1, high: UNBOUNDED } }], 0.02, 21);
  expect(line).toMatch(/^◂.*●.*▸$/);
});
