/** docs/workloads.md keeps to what the program does. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as api from '../src/index.ts';
import { FUNCTION_NAMES } from '../src/workload/script/functions.ts';
import { SCRIPT_OPTIONS } from '../src/workload/script/options.ts';
import { readScript } from '../src/workload/script/read-script.ts';
import { StatementNames } from '../src/workload/script/statement-names.ts';

const page = readFileSync(new URL('../docs/workloads.md', import.meta.url), 'utf8');

describe('its scripts', () => {
  const blocks = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  test('are there', () => expect(blocks.length).toBeGreaterThanOrEqual(3));

  test.each(blocks)('can be run:\n%s', (text) => {
    const settings = { defines: new Map(), names: new StatementNames(), wraps: false, isSetup: false };
    expect(readScript({ file: 'docs.sql', text }, settings).problems).toEqual([]);
  });
});

test('every function and option is named', () => {
  for (const name of FUNCTION_NAMES) expect(page, name).toMatch(new RegExp(`\`${name}\\b`));
  for (const [name, option] of Object.entries<{ hidden?: boolean }>(SCRIPT_OPTIONS)) {
    if (!option.hidden) expect(page).toContain(`--${name.replaceAll('_', '-')}`);
  }
});

test('every export is named', () => {
  for (const name of Object.keys(api)) expect(page, name).toContain(`\`${name}\``);
});
