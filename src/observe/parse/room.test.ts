/** How much a file system still takes, as `stat` and a node_exporter say it. */
import { expect, test } from 'vitest';
import { roomOfMetrics } from './node-exporter.ts';
import { parseMetrics } from './prometheus.ts';
import { parseRoom } from './room.ts';

test.each([
  { text: '100 4096 1000 900\n', room: { freeBytes: 409_600, freeFiles: 900 }, why: 'ext4' },
  { text: '100 4096 0 0\n', room: { freeBytes: 409_600 }, why: 'btrfs makes inodes as they are needed' },
  { text: '', room: undefined, why: 'no such path' },
])('$why', ({ text, room }) => {
  expect(parseRoom(text)).toEqual(room);
});

const PAGE = `
node_filesystem_size_bytes{device="/dev/sda1",fstype="ext4",mountpoint="/"} 1000
node_filesystem_size_bytes{device="/dev/sdb",fstype="xfs",mountpoint="/var/lib/mysql"} 5000
node_filesystem_avail_bytes{device="/dev/sda1",fstype="ext4",mountpoint="/"} 100
node_filesystem_avail_bytes{device="/dev/sdb",fstype="xfs",mountpoint="/var/lib/mysql"} 3000
node_filesystem_files{device="/dev/sdb",fstype="xfs",mountpoint="/var/lib/mysql"} 50
node_filesystem_files_free{device="/dev/sdb",fstype="xfs",mountpoint="/var/lib/mysql"} 40
`;

test('a page tells it of the file system that holds the path', () => {
  const metrics = parseMetrics(PAGE, () => true);
  expect(roomOfMetrics(metrics, '/var/lib/mysql/data')).toEqual({ freeBytes: 3_000, freeFiles: 40 });
  expect(roomOfMetrics(metrics, '/srv')).toEqual({ freeBytes: 100 });
  expect(roomOfMetrics(metrics, undefined)).toBeUndefined();
});
