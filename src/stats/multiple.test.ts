import fc from 'fast-check';
import { expect, test } from 'vitest';
import { benjaminiHochberg, holm } from './multiple.ts';

const families = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

test('one question alone is as it was, and none gives none', () => {
  expect(holm([0.03])).toEqual([0.03]);
  expect(benjaminiHochberg([0.03])).toEqual([0.03]);
  expect(holm([])).toEqual([]);
});

test('law: from the raw p to Benjamini-Hochberg to Holm to Bonferroni, none goes down, and the order stays', () => {
  fc.assert(
    fc.property(families, (ps) => {
      const [strict, mild] = [holm(ps), benjaminiHochberg(ps)];
      for (const [at, p] of ps.entries()) {
        expect(mild[at]).toBeGreaterThanOrEqual(p * (1 - 1e-12));
        expect(strict[at]).toBeGreaterThanOrEqual(mild[at]! * (1 - 1e-12));
        expect(strict[at]).toBeLessThanOrEqual(Math.min(1, p * ps.length) * (1 + 1e-12));
        for (const [other, q] of ps.entries()) if (p < q) expect(strict[at]).toBeLessThanOrEqual(strict[other]!);
      }
    }),
  );
});

test('a p that is none is a mistake of the program', () => {
  expect(() => holm([0.1, Number.NaN])).toThrow('between 0 and 1');
});
