import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectories } from '../../test/support/scratch.ts';
import type { NoiseFloor } from '../stats/noise-floor.ts';
import { type KeptNoiseFloor, openNoiseFloors } from './noise-floors.ts';

const scratch = scratchDirectories();

const floorOf = (smallestShare: number): NoiseFloor => ({
  cvShare: smallestShare / 2,
  smallestShare,
  from: { is: 'pairs', count: 6 },
  is: 'By 6 pairs.',
});

const FLOOR: KeptNoiseFloor = {
  machineKey: 'pi4-0123456789',
  workloadKey: 'tpcc-abcdef0123',
  measuredAt: '2026-11-30T12:00:00.000Z',
  floors: { 'transactions/s': floorOf(0.012), 'p99(transaction)': floorOf(0.08) },
  runs: ['20261130-115000-tpcc-aaaa', '20261130-115500-tpcc-bbbb'],
};

const textOf = (floors: object) => JSON.stringify({ format: 'sqldyno.noise-floor/1', ...FLOOR, floors });

test('a floor is found again by its machine and workload, and by no other', async () => {
  const floors = openNoiseFloors(scratch());
  await floors.save(FLOOR);
  expect(await floors.find(FLOOR.machineKey, FLOOR.workloadKey)).toEqual(FLOOR);
  expect(await floors.find(FLOOR.machineKey, 'tpcc-0000000000')).toBeUndefined();
  expect(await floors.find('vm-0123456789', FLOOR.workloadKey)).toBeUndefined();
});

test('a later one takes its place, and leaves nothing beside it', async () => {
  const store = scratch();
  const floors = openNoiseFloors(store);
  await floors.save(FLOOR);
  await floors.save({ ...FLOOR, floors: { 'transactions/s': floorOf(0.02) } });
  await floors.save({ ...FLOOR, machineKey: 'vm-1' });
  expect(
    (await floors.list()).map(({ machineKey, floors: of }) => [machineKey, of['transactions/s']?.smallestShare]),
  ).toEqual([
    ['pi4-0123456789', 0.02],
    ['vm-1', 0.012],
  ]);
  expect(readdirSync(join(store, 'noise-floors', FLOOR.machineKey))).toEqual([`${FLOOR.workloadKey}.json`]);
});

describe('what cannot be relied on is as if it were not there', () => {
  test.each([
    { text: '{"format": "sqldyno.noise-fl', because: 'cut off' },
    { text: JSON.stringify(FLOOR), because: 'of no format' },
    { text: textOf({ x: 'small' }), because: 'no floor' },
    { text: textOf({ x: null }), because: 'nothing' },
    { text: textOf({ x: floorOf(-1) }), because: 'below nothing' },
  ])('$because', async ({ text }) => {
    const store = scratch();
    const floors = openNoiseFloors(store);
    await floors.save(FLOOR);
    writeFileSync(join(store, 'noise-floors', FLOOR.machineKey, `${FLOOR.workloadKey}.json`), text);
    expect(await floors.find(FLOOR.machineKey, FLOOR.workloadKey)).toBeUndefined();
    expect(await floors.list()).toEqual([]);
  });
});
