import { expect, test } from 'vitest';
import { keysFingerprint } from './keys-fingerprint.ts';

test('the fingerprint tells ways of drawing keys apart', () => {
  const uniform = keysFingerprint({ draw: (random, from, to) => random.integer(from, to) });
  expect(uniform).toMatch(/^[0-9a-f]+$/);
  expect(keysFingerprint({ draw: (random, from, to) => random.integer(from, to) })).toBe(uniform);
  const skewed = keysFingerprint({ draw: (random, from, to) => from + Math.floor((to - from) * random.next() ** 2) });
  expect(skewed).not.toBe(uniform);
});
