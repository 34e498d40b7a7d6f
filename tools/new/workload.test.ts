import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { tidy } from '../tidy/rules.ts';
import { workloadPath, workloadText } from './workload.ts';

const template = readFileSync(new URL('../templates/workload.ts', import.meta.url), 'utf8');
const text = workloadText(template, 'two-words');

test('a new workload keeps the house rules where it will stand', () => {
  expect(tidy([{ path: workloadPath('two-words'), text }])).toEqual([]);
});

test('its imports lead to the contract, and its table bears its name', () => {
  expect([...text.matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier)).toEqual([
    '../../base/options.ts',
    '../workload.ts',
  ]);
  expect(text).toContain('CREATE TABLE two_words_rows (');
  expect(text).not.toMatch(/hot.row/);
});
