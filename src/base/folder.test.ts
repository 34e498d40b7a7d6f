import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFolderFile } from './folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'sqldyno-test-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a file of the folder is read', () => {
  writeFileSync(join(folder, 'city.txt'), "'MATL'\n");
  expect(readFolderFile(folder, 'city.txt')).toEqual({ is: 'text', text: "'MATL'\n" });
});

test.each([
  { name: 'none.txt', folder, why: 'ENOENT', because: 'there is no such file' },
  { name: 'city.txt', folder: join(folder, 'none'), why: 'ENOENT', because: 'there is no such folder' },
  { name: '.', folder, why: 'EISDIR', because: 'a folder is no file' },
])('$because', ({ name, folder: of, why }) => {
  expect(readFolderFile(of, name)).toEqual({ is: 'unreadable', why });
});
