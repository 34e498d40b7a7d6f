/** The short look at a disk: it is short, it counts, and it leaves nothing behind. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import { probeFlushes, writableBeside } from './flush-probe.ts';

const scratch = scratchDirectories();

test('counts its flushes, and removes its file', () => {
  const directory = scratch();
  const look = probeFlushes(directory, { flushesMax: 5, timeMaxMs: 60_000 });
  expect(look).toMatchObject({ directory, flushes: 5, recordBytes: 512 });
  expect(look.p50Us).toBeGreaterThan(0);
  expect(look.maxUs).toBeGreaterThanOrEqual(look.p50Us);
  expect(readdirSync(directory)).toEqual([]);
});

test('without any time there is still one', () => {
  expect(probeFlushes(scratch(), { flushesMax: 200, timeMaxMs: 0 }).flushes).toBe(1);
});

test('a directory that is not there is refused', () => {
  expect(() => probeFlushes(join(scratch(), 'none'), { flushesMax: 1, timeMaxMs: 1 })).toThrow(/ENOENT/);
});

test('the directory itself, or the nearest above it, for one that will only be made', () => {
  const directory = scratch();
  expect(writableBeside(directory)).toBe(directory);
  expect(writableBeside(join(directory, 'a', 'b'))).toBe(directory);
});

test.skipIf(process.getuid?.() === 0)('by a user who is not root: one beside it, where it may not be written', () => {
  const directory = scratch();
  const locked = join(directory, 'locked');
  mkdirSync(locked);
  chmodSync(locked, 0o500);
  expect(writableBeside(locked)).toBe(directory);
});
