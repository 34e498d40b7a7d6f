import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { hashOfSources, isBuilt, removeOrphans } from './build.mjs';

let root: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sqldyno-test-build-'));
  for (const path of ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) write(path, '{}');
  write('src/wire/a.ts', 'a');
  write('dist/.built-from', hashOfSources(root));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

test.each([
  { path: 'src/wire/a.ts', text: 'b', because: 'a source that changed' },
  { path: 'src/wire/b.ts', text: '', because: 'a source that is new, and empty' },
  { path: 'bench/a.ts', text: 'a', because: 'the first file of a folder' },
  { path: 'package-lock.json', text: '{"a":1}', because: 'another compiler, perhaps' },
])('is built again for $because', ({ path, text }) => {
  expect(isBuilt(root)).toBe(true);
  write(path, text);
  expect(isBuilt(root)).toBe(false);
});

test('is built again where a source is gone, or has another name', () => {
  write('src/wire/b.ts', 'a');
  rmSync(join(root, 'src/wire/a.ts'));
  expect(isBuilt(root)).toBe(false);
});

test('is not built again for file times, as a copy or a checkout changes them', () => {
  utimesSync(join(root, 'src/wire/a.ts'), new Date(), new Date());
  expect(isBuilt(root)).toBe(true);
});

test('what has no source any more does not stay in dist/', () => {
  for (const name of ['a', 'gone']) {
    for (const ending of ['.js', '.js.map', '.d.ts']) write(`dist/src/wire/${name}${ending}`, '');
  }
  write('dist/other/gone.js', '');
  write('dist/src/web/client/index.js', '');
  removeOrphans(root);
  const left = ['src/wire/a.js', 'src/wire/a.js.map', 'src/wire/a.d.ts', 'src/wire/gone.js', 'src/wire/gone.js.map'];
  expect(left.map((path) => existsSync(join(root, 'dist', path)))).toEqual([true, true, true, false, false]);
  expect(existsSync(join(root, 'dist/other/gone.js'))).toBe(true);
  // Of the page, whose sources have other names.
  expect(existsSync(join(root, 'dist/src/web/client/index.js'))).toBe(true);
});
