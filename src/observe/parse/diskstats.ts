/** /proc/diskstats: what each block device has done (Documentation/admin-guide/iostats.rst of the kernel). */
import type { DiskCounters } from '../host-sample.ts';

/** The unit of the sector counts, whatever the device's own block is. */
const SECTOR_BYTES = 512;
/** Major, minor, name and eleven counters: kernel 2.6.25. Partitions of older ones had four, and are left out. */
const FIELDS_MIN = 14;
/** Discards came with 4.18 (18 fields), flushes with 5.5. */
const FIELDS_WITH_FLUSHES = 20;

/** Whole devices only: what a partition does is counted in its disk. */
export function parseDiskstats(text: string): Readonly<Record<string, DiskCounters>> {
  const rows = new Map<string, DiskCounters>();
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/);
    const name = fields[2];
    if (fields.length < FIELDS_MIN || name === undefined) continue;
    const counters = countersIn(fields.slice(3).map(Number));
    if (counters !== undefined) rows.set(name, counters);
  }
  const whole = [...rows].filter(([name]) => !isPartition(name, (disk) => rows.has(disk)));
  return Object.fromEntries(whole);
}

function countersIn(numbers: readonly number[]): DiskCounters | undefined {
  if (!numbers.every(Number.isFinite)) return undefined;
  // Merged requests (at 1 and 5) are left out: figures are of what reached the device.
  const at = (index: number) => numbers[index] ?? 0;
  return {
    reads: at(0),
    readBytes: at(2) * SECTOR_BYTES,
    readMs: at(3),
    writes: at(4),
    writtenBytes: at(6) * SECTOR_BYTES,
    writeMs: at(7),
    inFlight: at(8),
    busyMs: at(9),
    weightedMs: at(10),
    ...(numbers.length + 3 < FIELDS_WITH_FLUSHES ? {} : { flushes: at(15), flushMs: at(16) }),
  };
}

/**
 * sda1 of sda, nvme0n1p2 of nvme0n1: after a digit comes a `p`. Where the disk itself is not listed, as on old Xen
 * guests that have an xvda1 only, the name stands for itself.
 */
export function isPartition(name: string, isListed: (disk: string) => boolean): boolean {
  const disk = /^(.*\d)p\d+$/.exec(name)?.[1] ?? /^(.*\D)\d+$/.exec(name)?.[1];
  return disk !== undefined && isListed(disk);
}
