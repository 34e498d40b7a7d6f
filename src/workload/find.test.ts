import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadWorkload } from './find.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'sqldyno-find-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

test.each([
  'oltp_read_write',
  'oltp_read_write.lua',
  './oltp_read_write.lua',
  '/usr/share/sysbench/oltp_read_write.lua',
])('%s is oltp_read_write', async (written) => {
  const found = await loadWorkload(written);
  expect(found.name).toBe('oltp_read_write');
  expect(found.path).toBeUndefined();
  expect(found.workload.summary).toMatch(/transaction/);
});

test('tpcc.lua is tpcc as sysbench-tpcc has it', async () => {
  const preset = { profile: 'sysbench-tpcc', scale: '100' };
  expect(await loadWorkload('./tpcc.lua')).toMatchObject({ name: 'tpcc', preset });
  expect(await loadWorkload('tpcc')).not.toHaveProperty('preset');
});

test.each([
  { written: 'oltp_read_wirte', error: /not a workload here\. Did you mean oltp_read_write\?/ },
  { written: 'ycsb.lua', error: /'ycsb\.lua' is not a workload here\. Lua scripts are not run/ },
  { written: 'oltp_common.lua', error: /not a workload here/ },
  { written: './nowhere.mjs', error: /no file/ },
])('$written: $error', async ({ written, error }) => {
  await expect(loadWorkload(written)).rejects.toThrow(error);
});

test('what there is instead is told', async () => {
  await expect(loadWorkload('ycsb')).rejects.toMatchObject({ hint: expect.stringContaining('oltp_read_write') });
});

const GOOD = "export default { summary: 'Mine.', options: {}, needs: () => ({}), session: async () => ({}) };";

test("a user's own file is a workload of its name", async () => {
  const path = file('my-load.mjs', GOOD);
  expect(await loadWorkload(path)).toMatchObject({ name: 'my-load', path, workload: { summary: 'Mine.' } });
});

test('in TypeScript too', async () => {
  const path = file('typed.ts', `const summary: string = 'Mine.';\n${GOOD.replace("'Mine.'", 'summary')}`);
  expect(await loadWorkload(path)).toMatchObject({ name: 'typed', path, workload: { summary: 'Mine.' } });
});

test('a SQL file is what script does with it; it is not read here', async () => {
  const { workload } = await loadWorkload('script');
  expect(await loadWorkload('./scripts/transfer.sql')).toEqual({
    name: 'transfer',
    path: join(process.cwd(), 'scripts/transfer.sql'),
    workload,
    preset: { file: './scripts/transfer.sql' },
  });
});

test.each([
  { name: 'empty.mjs', text: 'export const nothing = 1;', error: /default export is not an object/ },
  { name: 'half.mjs', text: "export default { summary: 'Mine.', options: {} };", error: /no function needs/ },
  { name: 'broken.mjs', text: 'export default {', error: /broken\.mjs/ },
])('$name: $error', async ({ name, text, error }) => {
  await expect(loadWorkload(file(name, text))).rejects.toThrow(error);
});
