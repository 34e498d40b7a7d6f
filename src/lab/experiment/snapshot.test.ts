/** Directories that are kept and restored: what is in them, what is damaged, and when they count as whole. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import { dataOfSnapshot, findDamage, findSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts';

const scratch = scratchDirectories();

function quietly(onAdvance: (done: number, total: number) => void = () => {}) {
  return { signal: new AbortController().signal, onAdvance };
}

function makeData(): string {
  const directory = scratch();
  const data = dataOfSnapshot(directory);
  mkdirSync(join(data, 'db', 'deep'), { recursive: true });
  mkdirSync(join(data, 'empty'));
  writeFileSync(join(data, 'ibdata1'), Buffer.alloc(100_000, 7));
  writeFileSync(join(data, 'db', 'deep', 't.ibd'), 'rows');
  writeFileSync(join(data, 'db', 'zero'), '');
  writeFileSync(join(data, 'ib_buffer_pool'), 'pages of the server that loaded it');
  return directory;
}

test('what is restored is what was kept, whatever has happened to the copy meanwhile', async () => {
  const directory = makeData();
  expect(await findSnapshot(directory)).toBeUndefined();
  const snapshot = await takeSnapshot(directory, { workload: 'x' }, quietly());
  expect(snapshot.manifest).toMatchObject({ bytes: 100_004, folders: ['db', 'db/deep', 'empty'] });
  const live = join(scratch(), 'live');
  const told: number[] = [];
  for (let time = 0; time < 2; time++) {
    const restored = await restoreSnapshot(
      snapshot,
      live,
      quietly((done, total) => told.push(done / total)),
    );
    expect(['reflink', 'copy']).toContain(restored.how);
    expect(readdirSync(live).sort()).toEqual(['db', 'empty', 'ibdata1']);
    expect(readFileSync(join(live, 'db', 'deep', 't.ibd'), 'utf8')).toBe('rows');
    expect(await findDamage(live, snapshot.manifest, quietly())).toBeUndefined();
    writeFileSync(join(live, 'db', 'deep', 't.ibd'), 'changed');
    writeFileSync(join(live, 'new'), '');
  }
  expect(told.at(-1)).toBe(1);
  expect(readFileSync(join(dataOfSnapshot(directory), 'db', 'deep', 't.ibd'), 'utf8')).toBe('rows');
  expect((await findSnapshot(directory))?.manifest).toEqual(snapshot.manifest);
});

test('the fingerprint is of names and contents alone', async () => {
  const [one, same, other] = [makeData(), makeData(), makeData()];
  writeFileSync(join(dataOfSnapshot(other), 'db', 'deep', 't.ibd'), 'rowz');
  const of = async (directory: string) => (await takeSnapshot(directory, {}, quietly())).manifest.fingerprint;
  expect(await of(one)).toBe(await of(same));
  expect(await of(one)).not.toBe(await of(other));
});

test.each([
  { what: 'a byte', damage: (data: string) => writeFileSync(join(data, 'db', 'deep', 't.ibd'), 'rowz'), is: /t\.ibd/ },
  { what: 'the size', damage: (data: string) => writeFileSync(join(data, 'db', 'zero'), '1'), is: /zero/ },
  { what: 'a file', damage: (data: string) => rmSync(join(data, 'ibdata1')), is: /missing/ },
])('where $what differs, it is found', async ({ damage, is }) => {
  const directory = makeData();
  const { manifest } = await takeSnapshot(directory, {}, quietly());
  damage(dataOfSnapshot(directory));
  expect(await findDamage(dataOfSnapshot(directory), manifest, quietly())).toMatch(is);
});

test('a file that has been cut off is not restored', async () => {
  const directory = makeData();
  const snapshot = await takeSnapshot(directory, {}, quietly());
  writeFileSync(join(dataOfSnapshot(directory), 'ibdata1'), 'short');
  await expect(restoreSnapshot(snapshot, join(scratch(), 'live'), quietly())).rejects.toThrow(/has 5 bytes/);
});

test('what lies elsewhere cannot be kept, and an interruption ends it without a manifest', async () => {
  const linked = makeData();
  symlinkSync('/tmp', join(dataOfSnapshot(linked), 'link'));
  await expect(takeSnapshot(linked, {}, quietly())).rejects.toThrow(/link is neither a file nor a folder/);

  const interrupted = makeData();
  const advance = { signal: AbortSignal.abort(new Error('enough')), onAdvance: () => {} };
  await expect(takeSnapshot(interrupted, {}, advance)).rejects.toThrow('enough');
  expect(existsSync(join(interrupted, 'snapshot.json'))).toBe(false);
  expect(await findSnapshot(interrupted)).toBeUndefined();
});
