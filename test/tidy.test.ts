import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { tidy } from '../tools/tidy/rules.ts';
import { readTree } from '../tools/tidy/tree.ts';

test('the project keeps its own rules (npm run tidy)', () => {
  const files = readTree(fileURLToPath(new URL('..', import.meta.url)));
  expect(files.some((file) => file.path === 'src/base/errors.ts')).toBe(true);
  expect(tidy(files).map(({ path, line, message }) => `${path}:${line}: ${message}`)).toEqual([]);
});
