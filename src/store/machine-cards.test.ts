import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLE_CARDS } from '../../test/fixtures/sample-cards.ts';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { openCardStore } from './machine-cards.ts';

const scratch = scratchDirectories();
const { board, server } = SAMPLE_CARDS;
/** Of the same machine, later. */
const later = { ...board, id: '20261231-090000-board-zzzz', startedAt: '2026-12-31T09:00:00.000Z' };

async function filledStore() {
  const store = openCardStore(scratch());
  for (const card of [server, later, board]) await store.save(card);
  return store;
}

test('what is saved is one file, and comes back as it was', async () => {
  const store = openCardStore(scratch());
  expect(await store.save(board)).toBe(join(store.directory, `${board.id}.json`));
  expect(await readdir(store.directory)).toEqual([`${board.id}.json`]);
  expect(await store.load(board.id)).toEqual(JSON.parse(JSON.stringify(board)));
});

test('the list is in the order of time, and passes over what is no card, saying why', async () => {
  const store = await filledStore();
  await writeFile(join(store.directory, 'letter.json'), '{"format": "a letter"}');
  await writeFile(join(store.directory, 'cut.json'), '{"format": "sqldyno.mach');
  await writeFile(join(store.directory, 'notes.txt'), 'nothing');
  const { format, id } = board;
  await writeFile(join(store.directory, 'half.json'), JSON.stringify({ format, id }));
  const { cards, skipped } = await store.list();
  expect(cards.map((card) => card.id)).toEqual([board.id, server.id, later.id]);
  expect(skipped.map(({ path }) => path.slice(store.directory.length + 1))).toEqual([
    'cut.json',
    'half.json',
    'letter.json',
  ]);
  expect(skipped[2]?.because).toContain('a letter');
});

test('a store that is not there has no cards', async () => {
  expect(await openCardStore(join(scratch(), 'nowhere')).list()).toEqual({ cards: [], skipped: [] });
});

describe('a card is found', () => {
  test.each([
    { reference: board.id, id: board.id, because: 'by its id' },
    { reference: '20261201', id: server.id, because: 'by a beginning of it' },
    { reference: 'x2a7', id: server.id, because: 'by its last letters' },
    { reference: 'board', id: later.id, because: 'by its machine, the latest' },
    { reference: 'latest', id: later.id, because: 'as the latest of all' },
  ])('$because', async ({ reference, id }) => {
    expect((await (await filledStore()).load(reference)).id).toBe(id);
  });

  test('by its file, wherever that is', async () => {
    const path = join(scratch(), 'copied.json');
    await writeFile(path, JSON.stringify(board));
    expect((await openCardStore(scratch()).load(path)).id).toBe(board.id);
  });

  test.each([
    { reference: '2026', is: /could be any of 3 cards/, hint: /Write more of it/ },
    { reference: 'bord', is: /There is no card 'bord'/, hint: /Did you mean board\?/ },
    { reference: './no.json', is: /there is no file no\.json/, hint: /has written/ },
  ])('$reference: $is', async ({ reference, is, hint }) => {
    await expect((await filledStore()).load(reference)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(is),
      hint: expect.stringMatching(hint),
    });
  });

  test('where there is none, how to make one is said', async () => {
    await expect(openCardStore(scratch()).load('latest')).rejects.toMatchObject({
      hint: expect.stringContaining('sqldyno machine'),
    });
  });

  test('a file that is no card is refused with what is wrong in it', async () => {
    const path = join(scratch(), 'changed.json');
    await writeFile(path, JSON.stringify({ ...board, figures: [{ ...board.figures[0], median: 'fast' }] }));
    await expect(openCardStore(scratch()).load(path)).rejects.toThrow(/figures\.0\.median/);
  });
});

describe('asked before', () => {
  test('a store that can be written keeps nothing of the question', async () => {
    const store = openCardStore(scratch());
    await store.ensureWritable();
    expect(await readdir(store.directory)).toEqual([]);
  });

  test('one that cannot is refused, with what to do', async () => {
    const directory = scratch();
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'machines'), 'a file, and no directory');
    await expect(openCardStore(directory).ensureWritable()).rejects.toMatchObject({
      name: 'UserError',
      hint: expect.stringContaining('--store'),
    });
  });
});
