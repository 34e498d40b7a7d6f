import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

test.each([
  { values: [], line: '', because: 'nothing' },
  { values: [0, 0], line: '▁▁', because: 'nothing happened' },
  { values: [1, 2, 4, 8], line: '▂▃▅█', because: 'the scale begins at 0' },
  { values: [8, 8], line: '██', because: 'evenness is seen' },
  { values: [1, 3, 8, 8], line: '▃█', because: 'neighbours are averaged where they do not fit', width: 2 },
])('$values -> $line: $because', ({ values, line, width = 10 }) => {
  expect(sparkline(values, width)).toBe(line);
});

test('a line is never longer than asked for, and the highest bar is the highest value', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.integer({ min: 1, max: 80 }), (values, width) => {
      const bars = [...sparkline(values, width)];
      expect(bars.length).toBe(Math.min(width, values.length));
      if (values.length <= width && Math.max(...values) > 0) {
        expect(bars[values.indexOf(Math.max(...values))]).toBe('█');
      }
    }),
  );
});
