import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUniform } from '../../test/support/chi-square.ts';
import { createPermutation } from './permutation.ts';

test('every position has one image, and every image one position', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 3_000 })), (size) => {
      const permutation = createPermutation(size);
      const images = new Set(Array.from({ length: size }, (_, position) => permutation.at(position)));
      return (
        images.size === size && [...images].every((image) => Number.isInteger(image) && image >= 0 && image < size)
      );
    }),
  );
});

test('huge ranges: images are in range and differ', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2 ** 31, max: 2 ** 52 }), fc.nat(), (size, from) => {
      const permutation = createPermutation(size);
      const images = Array.from({ length: 50 }, (_, more) => permutation.at((from + more) % size));
      return new Set(images).size === 50 && images.every((image) => image >= 0 && image < size);
    }),
  );
});

test.each([100_000, 1_000_000, 2 ** 20])('neighbours among %i are spread evenly', (size) => {
  const permutation = createPermutation(size);
  const bins = new Float64Array(64);
  for (let position = 0; position < size / 100; position++) bins[Math.floor((permutation.at(position) * 64) / size)]!++;
  expect(isUniform(bins)).toBe(true);
});

test('known answers, frozen: the same keys stay hot from version to version', () => {
  const permutation = createPermutation(1_000);
  expect([0, 1, 2, 999].map((position) => permutation.at(position))).toEqual([241, 473, 668, 330]);
});
