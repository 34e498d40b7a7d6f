/** What is refused before anything is started, and the commands of variants around their runs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import { openTestStage, type TestExperiment } from '../../../test/support/stage.ts';
import type { Variant } from '../../model/experiment.ts';

const scratch = scratchDirectories();
const NAMED = { target: 'mysql://u@h/d', settings: {}, start: { data: 'kept', cache: 'as it is' } } as const;

describe('a plan is refused', () => {
  test.each<{ variant: Partial<Variant>; of: Partial<TestExperiment>; says: RegExp }>([
    { variant: { settings: { sync_binlog: '1' } }, of: NAMED, says: /settings in the option file \(sync_binlog\)/ },
    { variant: { server: '/usr/sbin/mysqld' }, of: NAMED, says: /another server program/ },
    { variant: { dataDirectory: '/mnt' }, of: NAMED, says: /another data directory/ },
    { variant: {}, of: { ...NAMED, start: { data: 'kept', cache: 'cold' } }, says: /a cold start/ },
    { variant: {}, of: { ...NAMED, start: { data: 'restored', cache: 'warm' } }, says: /cannot be restored/ },
    { variant: { persist: { sync_binlog: '1' } }, of: {}, says: /persist on a private server/ },
    { variant: { global: { 'a b': '1' } }, of: NAMED, says: /'a b' is no name/ },
    { variant: { engine: 'Aria' }, of: { workload: 'quiz', workloadOptions: {} }, says: /has no option for one/ },
    { variant: { enter: 'true' }, of: {}, says: /runs commands in the shell/ },
  ])('$says', async ({ variant, of, says }) => {
    const opening = openTestStage({ storeDirectory: '', ...of, variants: [{ name: 'a', ...variant }] });
    await expect(opening).rejects.toMatchObject({ name: 'UserError', message: expect.stringMatching(says) });
    await expect(opening).rejects.toMatchObject({ hint: expect.any(String) });
  });

  test('but for a load that only reads, data that is kept is data that is restored', async () => {
    const start = { data: 'restored', cache: 'warm' } as const;
    const reads = { workload: 'oltp_point_select', workloadOptions: {}, variants: [{ name: 'a' }] };
    await expect(openTestStage({ storeDirectory: '', ...NAMED, ...reads, start })).resolves.toBeDefined();
  });
});

test('what enter did is undone by leave, also where enter itself failed, and once', async () => {
  const log = join(scratch(), 'log');
  const stage = await openTestStage({
    storeDirectory: '',
    ...NAMED,
    allows: { commands: true },
    variants: [{ name: 'a', enter: `echo in >> '${log}'; exit 3`, leave: `echo out >> '${log}'` }],
  });
  await expect(stage.enter('a')).rejects.toThrow(/exit code 3/);
  expect(existsSync(log) && readFileSync(log, 'utf8')).toBe('in\n');
  await stage.close();
  await stage.close();
  expect(readFileSync(log, 'utf8')).toBe('in\nout\n');
});
