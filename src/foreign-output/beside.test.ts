import { expect, test } from 'vitest';
import { besideOf } from './beside.ts';
import { readDocument } from './read-document.ts';

const HEADING = 'Device r/s w/s rkB/s wkB/s r_await w_await aqu-sz %util';
const CPU = 'avg-cpu:  %user   %nice %system %iowait  %steal   %idle';

function beside(text: string, options: { elapsedS?: number; dataDisk?: string } = {}) {
  const { hostLogs, lines } = readDocument(text);
  return besideOf(hostLogs, { source: 'log.txt', lines, elapsedS: undefined, ...options });
}

function iostat(reports: readonly { at?: string; cpu: string; disks: readonly string[] }[]): string {
  const blocks = reports.map(({ at, cpu, disks }) =>
    [...(at === undefined ? [] : [at]), CPU, ` ${cpu}`, '', HEADING, ...disks].join('\n'),
  );
  return `Linux 6.1.0 (db1)\n\n${blocks.join('\n\n')}\n`;
}

const SINCE_BOOT = { cpu: '9 0 9 9 0 73', disks: ['sda 1 1 1 1 99 99 9 9', 'loop0 1 1 1 1 1 1 1 1'] };
const THREE = [
  SINCE_BOOT,
  { cpu: '40 0 10 20 5 25', disks: ['sda 0 100 0 400 0 2 0.5 10', 'loop0 0 0 0 0 0 0 0 0'] },
  { cpu: '20 0 10 0 5 65', disks: ['sda 0 300 0 800 0 6 1.5 30', 'loop0 0 0 0 0 0 0 0 0'] },
];

test('rates are means of equal intervals, latencies of their own numbers, and the report since boot is left out', () => {
  const found = beside(iostat(THREE));
  expect(found?.series['disk']?.measured).toMatchObject({
    'data_disk.writes_per_s': 200,
    'data_disk.written_bytes_per_s': 600 * 1_024,
    'data_disk.write_latency_ms': (100 * 2 + 300 * 6) / 400,
    'data_disk.utilisation': 0.2,
    'sda.queue_length': 1,
  });
  expect(found?.series['disk']?.measured).not.toHaveProperty(['data_disk.read_latency_ms']);
  expect(found?.series['cpu']?.measured['busy']).toBeCloseTo(0.4, 9);
  expect(found?.series['cpu']?.measured['iowait']).toBeCloseTo(0.1, 9);
  expect(found?.series['cpu']?.atS).toEqual([1, 2]);
});

test.each([
  { what: 'the second', times: ['23:59:50', '23:59:55', '00:00:00'], everyS: 5 },
  { what: 'half a day', times: ['11/30/26 11:59:58 AM', '11/30/26 12:00:00 PM', '11/30/26 12:00:02 PM'], everyS: 2 },
])('times of day tell how far apart reports are, over $what', ({ times, everyS }) => {
  const found = beside(iostat(THREE.map((report, at) => ({ ...report, at: times[at]! }))));
  expect(found?.series['cpu']?.atS).toEqual([everyS, 2 * everyS]);
  expect(found?.findings[0]?.is).toContain(`one every ${everyS} s.`);
});

test('what is after the end of the run does not count', () => {
  const found = beside(iostat(THREE), { elapsedS: 1.5 });
  expect(found?.series['disk']?.measured['data_disk.writes_per_s']).toBe(100);
  expect(found?.findings[0]?.because).toMatch(/1 reports after the end of the run were left out/);
});

test('of several devices, the one with the data is named or not known', () => {
  const two = THREE.map(({ cpu, disks }) => ({ cpu, disks: [...disks, 'sdb 5 0 5 0 1 0 0.1 1'] }));
  const names = (dataDisk?: string) =>
    Object.keys(beside(iostat(two), dataDisk === undefined ? {} : { dataDisk })?.series['disk']?.measured ?? {});
  expect(names().some((name) => name.startsWith('data_disk.'))).toBe(false);
  expect(names()).toContain('sdb.reads_per_s');
  expect(names('sdb')).toContain('data_disk.reads_per_s');
});

test('a log of one report, and no log, tell nothing', () => {
  expect(beside(iostat(THREE.slice(0, 1)))).toBeUndefined();
  expect(beside('Nothing of the kind.')).toBeUndefined();
});
