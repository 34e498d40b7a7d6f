import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUniform } from '../../test/support/chi-square.ts';
import { createRandom } from './random.ts';
import { fillTemplate, fillTemplateInto } from './random-text.ts';

/** Column c of sysbench's tables. */
const TEN_GROUPS = Array<string>(10).fill('###########').join('-');

test.each([
  { template: '###-@@@', pattern: /^[0-9]{3}-[a-z]{3}$/, because: 'digits and letters' },
  { template: 'a b_9', pattern: /^a b_9$/, because: 'all else stays' },
  { template: '', pattern: /^$/, because: 'nothing gives nothing' },
  { template: TEN_GROUPS, pattern: /^([0-9]{11}-){9}[0-9]{11}$/, because: 'column c' },
  { template: '#'.repeat(5_000), pattern: /^[0-9]{5000}$/, because: 'longer than any before' },
])('$because', ({ template, pattern }) => {
  expect(fillTemplate(createRandom(1), template)).toMatch(pattern);
});

test('known answer, frozen: prepared data must not change between versions', () => {
  expect(fillTemplate(createRandom(1), `${'#'.repeat(11)}-${'@'.repeat(7)}-####`)).toBe('29740555649-coljgsd-7452');
});

test('text and bytes are the same, and nothing beside the place is written', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.string({ unit: fc.constantFrom('#', '@', '-', 'x') }),
      fc.nat(8),
      (seed, template, offset) => {
        const target = new Uint8Array(template.length + 16);
        const end = fillTemplateInto(createRandom(seed), template, target, offset);
        expect(end).toBe(offset + template.length);
        expect(Buffer.from(target.subarray(offset, end)).toString('latin1')).toBe(
          fillTemplate(createRandom(seed), template),
        );
        expect(target.subarray(0, offset).every((byte) => byte === 0)).toBe(true);
        expect(target.subarray(end).every((byte) => byte === 0)).toBe(true);
      },
    ),
  );
});

describe('every place is uniform', () => {
  test.each([
    { template: '###########', first: '0', size: 10 },
    { template: '@@@@@@@@', first: 'a', size: 26 },
  ])('$template', ({ template, first, size }) => {
    const random = createRandom(5);
    const counts = Array.from(template, () => new Float64Array(size));
    for (let draw = 0; draw < 50_000; draw++) {
      const text = fillTemplate(random, template);
      for (let at = 0; at < text.length; at++) counts[at]![text.charCodeAt(at) - first.charCodeAt(0)]!++;
    }
    expect(counts.map((place) => isUniform(place))).toEqual(counts.map(() => true));
  });
});

test('a template that is not ASCII is a mistake in the code', () => {
  expect(() => fillTemplate(createRandom(1), '#é')).toThrow('ASCII');
});
