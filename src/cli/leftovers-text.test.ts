import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { openJournal } from '../lab/knob-journal.ts';
import { ownIdentity } from '../lab/server-directory.ts';
import { tellLeftoversBeforeRun } from './leftovers-text.ts';

const scratch = scratchDirectories();
/** Of this host, and of no process that runs. */
const GONE = { ...ownIdentity(), startedAt: 'long ago' };
const CHANGES = [{ name: 'innodb_io_capacity', before: 200, asked: 2_000 }];

/** As a program that was killed has left it. */
async function leftBy(owner: typeof GONE, server: object = {}): Promise<string[]> {
  const store = scratch();
  const journal = openJournal(store);
  await journal.write({ server: { identity: 'x', address: 'db1:3306', user: 'ben', ...server }, changes: CHANGES });
  const content = JSON.parse(readFileSync(journal.path, 'utf8')) as object;
  writeFileSync(journal.path, JSON.stringify({ ...content, owner }));
  const told: string[] = [];
  await tellLeftoversBeforeRun(store, { warn: (line) => told.push(line) });
  return told;
}

test('what was left changed is told in one line that says what to do', async () => {
  const told = await leftBy(GONE);
  expect(told).toEqual([expect.stringMatching(/changed on db1:3306 is still so.*sqldyno diagnose/)]);
});

test('an experiment that is under way has left nothing', async () => {
  expect(await leftBy(ownIdentity())).toEqual([]);
});

test('settings of a private server are gone with its process', async () => {
  expect(await leftBy(GONE, { private: { name: 'default', process: GONE } })).toEqual([]);
  expect(await leftBy(GONE, { private: { name: 'default', process: ownIdentity() } })).toHaveLength(1);
});

test('a store without any is silent', async () => {
  const told: string[] = [];
  await tellLeftoversBeforeRun(scratch(), { warn: (line) => told.push(line) });
  expect(told).toEqual([]);
});
