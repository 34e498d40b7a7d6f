/** Folders for the data of an experiment: what is taken, what is refused, and that only our own is removed. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import { ownPlace, placeUnder, removePlaces } from './data-place.ts';

const scratch = scratchDirectories();

test('all places of an experiment are removed, wherever they are, and nothing else', async () => {
  const [store, disk] = [scratch(), scratch()];
  writeFileSync(join(disk, 'mine'), '');
  const own = ownPlace('e1', store);
  const there = placeUnder(disk, 'e1', own);
  placeUnder(disk, 'e2', ownPlace('e2', store));
  writeFileSync(join(there.directory, 'rows'), '');
  // Opened again, as after a crash.
  expect(placeUnder(disk, 'e1', ownPlace('e1', store))).toEqual(there);
  await removePlaces('e1', store);
  expect(existsSync(own.directory)).toBe(false);
  expect(readdirSync(disk).sort()).toEqual(['mine', 'sqldyno-e2']);
  await removePlaces('e1', store);
});

test('a folder that somebody else has filled is left alone', async () => {
  const [store, disk] = [scratch(), scratch()];
  mkdirSync(join(disk, 'sqldyno-e1'));
  writeFileSync(join(disk, 'sqldyno-e1', 'theirs'), '');
  const own = ownPlace('e1', store);
  expect(() => placeUnder(disk, 'e1', own)).toThrow(/has not made/);
  await removePlaces('e1', store);
  expect(readdirSync(join(disk, 'sqldyno-e1'))).toEqual(['theirs']);
});

test('the data directory of a server is refused', () => {
  const [store, disk] = [scratch(), scratch()];
  writeFileSync(join(disk, 'ibdata1'), '');
  expect(() => placeUnder(disk, 'e1', ownPlace('e1', store))).toThrow(/data directory of a server/);
  expect(readdirSync(disk)).toEqual(['ibdata1']);
});

test('a folder that does not exist is made', () => {
  const folder = join(scratch(), 'new', 'disk');
  const { directory } = placeUnder(folder, 'e1', ownPlace('e1', scratch()));
  expect(existsSync(directory)).toBe(true);
});
