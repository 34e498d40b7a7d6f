import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { atisData } from './data.ts';

const folder = mkdtempSync(join(tmpdir(), 'sqldyno-test-atis-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a file that is missing is named, with what to do', () => {
  const read = () => atisData(folder, 1);
  expect(read).toThrow(`--data-dir=${folder}: aircraft.txt is not there.`);
  expect(read).toThrow(expect.objectContaining({ hint: expect.stringMatching(/leave --data-dir out\.$/) }));
});

test('one that is damaged stops at its line', () => {
  writeFileSync(join(folder, 'aircraft.txt'), "'A'\n");
  expect(() => atisData(folder, 1)).toThrow('aircraft.txt, line 1: it has 1 values, where 13 are wanted.');
});
