/**
 * What each disk does, and the one that holds the data directory under a name of its own. As `iostat -x` names them:
 * r/s, w/s, rkB/s, wkB/s, r_await, w_await, f/s, f_await, aqu-sz and %util.
 */
import { HOST_NOT_READ, hostsOf, increase, present, under } from '../host-change.ts';
import type { DiskCounters } from '../host-sample.ts';
import { defineProbe, type ProbeFacts, type Reading } from '../probe.ts';
import { quotient } from '../status-change.ts';

/** The unit of the kernel's counters of bytes. */
const SECTOR_BYTES = 512;
const MS_PER_S = 1000;

type Disks = Readonly<Record<string, DiskCounters>>;

export default defineProbe({
  summary: 'Requests, bytes, latencies of reads, writes and flushes, queue length and utilisation of each disk.',
  source: 'host',
  between(earlier, later, elapsedS, facts) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const before = hosts.before.disks;
    const after = hosts.after.disks;
    if (before === undefined || after === undefined) return 'The host does not tell what its disks do.';
    const readings: Record<string, Reading> = {};
    for (const [name, counters] of Object.entries(after)) {
      const then = before[name];
      // Loop and memory devices are listed whether they exist or not.
      if (then === undefined || counters.reads + counters.writes === 0) continue;
      Object.assign(readings, under(name, readingsOf(then, counters, elapsedS)));
    }
    return { ...readings, ...under('data_disk', dataDiskOf(before, after, elapsedS, facts)) };
  },
});

function readingsOf(before: DiskCounters, after: DiskCounters, elapsedS: number): Record<string, Reading> {
  const count = (name: 'reads' | 'writes' | 'flushes') => increase(before[name], after[name]);
  const bytes = (name: 'readBytes' | 'writtenBytes') => increase(before[name], after[name], SECTOR_BYTES);
  const ms = (name: 'readMs' | 'writeMs' | 'flushMs' | 'busyMs' | 'weightedMs') => increase(before[name], after[name]);
  const perS = (value: number | undefined) => quotient(value, elapsedS);
  const busy = quotient(ms('busyMs'), elapsedS * MS_PER_S);
  return present({
    reads_per_s: { value: perS(count('reads')), unit: '1/s' },
    writes_per_s: { value: perS(count('writes')), unit: '1/s' },
    flushes_per_s: { value: perS(count('flushes')), unit: '1/s' },
    read_bytes_per_s: { value: perS(bytes('readBytes')), unit: 'bytes/s' },
    written_bytes_per_s: { value: perS(bytes('writtenBytes')), unit: 'bytes/s' },
    read_latency_ms: { value: quotient(ms('readMs'), count('reads')), unit: 'ms' },
    write_latency_ms: { value: quotient(ms('writeMs'), count('writes')), unit: 'ms' },
    flush_latency_ms: { value: quotient(ms('flushMs'), count('flushes')), unit: 'ms' },
    queue_length: { value: quotient(ms('weightedMs'), elapsedS * MS_PER_S), unit: 'count' },
    // Two clocks that are read one after the other may show more than all of the time.
    utilisation: { value: busy === undefined ? undefined : Math.min(1, busy), unit: 'ratio' },
  });
}

/** Flushes are counted by the disks below a volume, not by the volume: theirs stand in where it has none. */
function dataDiskOf(before: Disks, after: Disks, elapsedS: number, facts: ProbeFacts): Record<string, Reading> {
  const { dataDisk, dataDiskSlaves = [] } = facts;
  const then = before[dataDisk ?? ''];
  const now = after[dataDisk ?? ''];
  if (then === undefined || now === undefined) return {};
  const own = readingsOf(then, now, elapsedS);
  if ((own['flushes_per_s']?.value ?? 0) > 0 || dataDiskSlaves.length === 0) return own;
  const sum = (disks: Disks, name: 'flushes' | 'flushMs') =>
    dataDiskSlaves.reduce((total, slave) => total + (disks[slave]?.[name] ?? 0), 0);
  const flushes = sum(after, 'flushes') - sum(before, 'flushes');
  const flushMs = sum(after, 'flushMs') - sum(before, 'flushMs');
  if (flushes <= 0) return own;
  return {
    ...own,
    flushes_per_s: { value: flushes / elapsedS, unit: '1/s' },
    flush_latency_ms: { value: flushMs / flushes, unit: 'ms' },
  };
}
