import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-folder-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('makes what is missing, with the mode asked for, and leaves alone what is there', () => {
  const path = join(scratch, 'a', 'b', 'c');
  makeFolder(path, 0o700);
  makeFolder(path, 0o755);
  expect(statSync(path).isDirectory()).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a file in the way is an error', () => {
  const file = join(scratch, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow(/EEXIST/);
  expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR|EEXIST/);
});

test.runIf(process.platform === 'linux')('a file system that makes no folders is an error too, and no hang', () => {
  expect(() => makeFolder('/proc/sqldyno/runs')).toThrow(/ENOENT|EACCES|EPERM/);
});
