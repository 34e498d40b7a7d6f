import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as api from '../index.ts';
import { ownWorkloadText } from './workload-template.ts';

const template = readFileSync(new URL('../../tools/templates/workload.ts', import.meta.url), 'utf8');

test("what the template takes from the program's files comes from 'sqldyno', which has it", () => {
  const text = ownWorkloadText(template, 'two-words');
  const imports = [...text.matchAll(/^import \{ (.+) \} from '(.+)';$/gm)].map(([, names, from]) => ({ names, from }));
  expect(imports).toEqual([{ names: 'defineWorkload, integer', from: 'sqldyno' }]);
  for (const name of imports[0]?.names?.split(', ') ?? []) expect(api).toHaveProperty(name);
});

test('its table has a name of its own, also where the name is a word of SQL', () => {
  const text = ownWorkloadText(template, 'order');
  expect(text).toContain('CREATE TABLE order_rows (');
  expect(text).toMatch(/^\/\*\* order: .*\*\/\nimport /);
  expect(text).not.toMatch(/hot.row|\.\.\//);
});
