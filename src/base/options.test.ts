import { expect, test } from 'vitest';
import { defaultsOf, integer, text, withDefaults } from './options.ts';

const SCHEMA = { size: integer({ default: 1, help: 'a size' }), name: text({ default: 'a', help: 'a name' }) };

test('defaults are exchanged where others are named, and nothing else is', () => {
  const changed = withDefaults(SCHEMA, { size: 7, unknown: 1 });
  expect(defaultsOf(changed)).toEqual({ size: 7, name: 'a' });
  expect(changed.size).toEqual({ ...SCHEMA.size, default: 7 });
  expect(withDefaults(SCHEMA)).toEqual(SCHEMA);
  expect(SCHEMA.size.default).toBe(1);
});
