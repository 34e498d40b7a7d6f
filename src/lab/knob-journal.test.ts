/** What is on disk while a server is changed, and what is made of files that others have left. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { foundJournals, type JournalContent, journalsDirectory, openJournal, restoringSql } from './knob-journal.ts';
import { restoreLeftovers } from './knob-leftovers.ts';

const scratch = scratchDirectories();

const CONTENT: JournalContent = {
  server: { identity: '["db1","3306"]', address: 'db1:3306', user: 'ben' },
  changes: [
    { name: 'innodb_flush_log_at_trx_commit', before: 1, asked: 2 },
    { name: 'sync_binlog', before: 1, asked: 0 },
  ],
};

/** A process that has ended: no live one has this start time. */
const DEAD = { pid: process.pid, startedAt: 'never' };

function abandon(store: string, change: (journal: Record<string, unknown>) => unknown = (journal) => journal): void {
  const directory = journalsDirectory(store);
  const [name] = readdirSync(directory);
  const path = join(directory, name!);
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { owner: object };
  writeFileSync(path, JSON.stringify(change({ ...journal, owner: { ...journal.owner, ...DEAD } })));
}

describe('the file', () => {
  test('is there from the first write to the end, for its owner alone, with what puts everything back', async () => {
    const store = scratch();
    const journal = openJournal(store);
    expect(existsSync(journal.path)).toBe(false);
    await journal.write(CONTENT);
    const written = JSON.parse(readFileSync(journal.path, 'utf8'));
    expect(written).toMatchObject({
      format: 'sqldyno.changed-settings/1',
      owner: { pid: process.pid },
      ...CONTENT,
      sql: ['SET GLOBAL sync_binlog = 1', 'SET GLOBAL innodb_flush_log_at_trx_commit = 1'],
    });
    expect(statSync(dirname(journal.path)).mode & 0o077).toBe(0);
    const known = CONTENT.changes.map((change) => ({ ...change, effective: change.asked }));
    await journal.write({ ...CONTENT, changes: known });
    expect(readdirSync(dirname(journal.path))).toHaveLength(1);
    expect((await foundJournals(store))[0]?.journal.changes).toEqual(known);
    await journal.remove();
    expect(readdirSync(dirname(journal.path))).toEqual([]);
  });

  test('a database of the experiment is dropped last, its name quoted', () => {
    expect(restoringSql({ changes: CONTENT.changes.slice(1), database: 'a`b' })).toEqual([
      'SET GLOBAL sync_binlog = 1',
      'DROP DATABASE `a``b`',
    ]);
  });

  test('nothing is begun where it cannot be written', async () => {
    const store = scratch();
    writeFileSync(join(store, 'changed-settings'), 'a file in the way');
    await expect(openJournal(store).write(CONTENT)).rejects.toThrow(/cannot be noted/);
  });
});

describe('what is found', () => {
  test('an experiment that is under way is no leftover', async () => {
    const store = scratch();
    await openJournal(store).write(CONTENT);
    expect(await foundJournals(store)).toMatchObject([{ owner: 'running' }]);
    expect(await restoreLeftovers(store)).toEqual([]);
  });

  test('of a server that is not to be reached, the statements are told, and the file stays', async () => {
    const store = scratch();
    await openJournal(store).write(CONTENT);
    abandon(store);
    expect(await restoreLeftovers(store)).toMatchObject([
      { is: 'unreachable', address: 'db1:3306', sql: [expect.stringContaining('sync_binlog = 1'), expect.anything()] },
    ]);
    expect(await foundJournals(store)).toHaveLength(1);
  });

  test('of another host, it is left to that', async () => {
    const store = scratch();
    await openJournal(store).write(CONTENT);
    abandon(store, (journal) => ({ ...journal, owner: { ...DEAD, place: 'another host' } }));
    expect(await restoreLeftovers(store)).toMatchObject([{ is: 'elsewhere' }]);
  });

  test('a private server that has ended has taken its settings with it', async () => {
    const store = scratch();
    const own = { name: 'bench', process: { ...DEAD, place: 'here' } };
    await openJournal(store).write({ ...CONTENT, server: { ...CONTENT.server, private: own } });
    abandon(store);
    expect(await restoreLeftovers(store)).toMatchObject([{ is: 'gone' }]);
    expect(await foundJournals(store)).toEqual([]);
  });

  test.each([
    { what: 'is cut off', text: '{"format": "sqldyno.changed-settings/1", "own' },
    { what: 'is something else', text: '{"format": "sqldyno.run/1"}' },
    {
      what: 'would put a statement of somebody else into SQL',
      text: JSON.stringify({
        format: 'sqldyno.changed-settings/1',
        owner: { ...DEAD, place: '' },
        server: { identity: '', address: '', user: '' },
        changes: [{ name: 'sync_binlog = 1; DROP DATABASE shop; SET GLOBAL x', before: 1, asked: 0 }],
        sql: [],
      }),
    },
  ])('a file that $what is left alone', async ({ text }) => {
    const store = scratch();
    mkdirSync(journalsDirectory(store));
    writeFileSync(join(journalsDirectory(store), 'x.json'), text);
    expect(await restoreLeftovers(store)).toEqual([]);
    expect(readdirSync(journalsDirectory(store))).toEqual(['x.json']);
  });
});

describe('values', () => {
  test.each([
    { change: { name: 'innodb_io_capacity', before: 200, asked: 2000 }, sql: ['SET GLOBAL innodb_io_capacity = 200'] },
    { change: { name: 'init_connect', before: "a'\\", asked: '' }, sql: ["SET GLOBAL init_connect = 'a''\\\\'"] },
    {
      change: { name: 'max_binlog_cache_size', before: '18446744073709547520', asked: 4096 },
      sql: ['SET GLOBAL max_binlog_cache_size = 18446744073709547520'],
    },
    {
      change: { name: 'sync_binlog', before: 1, asked: 0, persisted: { before: null } },
      sql: ['RESET PERSIST IF EXISTS sync_binlog', 'SET GLOBAL sync_binlog = 1'],
    },
    {
      change: { name: 'sync_binlog', before: 1, asked: 0, persisted: { before: 5 } },
      sql: ['SET PERSIST sync_binlog = 5', 'SET GLOBAL sync_binlog = 1'],
    },
  ])('of $change.name are put back by $sql', async ({ change, sql }) => {
    const store = scratch();
    await openJournal(store).write({ ...CONTENT, changes: [change] });
    const [found] = await foundJournals(store);
    expect(found?.journal.changes).toEqual([change]);
    expect(found?.journal.sql).toEqual(sql);
  });
});
