/**
 * Volumes of Amazon's that are fast for a while only: how fast, and for how long.
 * https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html
 * https://docs.aws.amazon.com/ebs/latest/userguide/hdd-vols.html
 */
import { formatCount } from '../base/units.ts';
import type { DISK_TYPES } from './collected.ts';

export interface Burst {
  readonly fast: string;
  readonly slow: string;
  /** With a full bucket, when all of it is used. */
  readonly lastsS: number;
}

const GIB = 2 ** 30;
const TIB = 2 ** 40;
const GP2_BUCKET = 5_400_000;
const GP2_BURST_IOPS = 3_000;
const GP2_IOPS_PER_GIB = 3;
const GP2_IOPS_MIN = 100;
/** Throughput of the two that turn, MiB/s for each TiB. */
const TURNING = {
  st1: { base: 40, burst: 250, max: 500 },
  sc1: { base: 12, burst: 80, max: 250 },
};
const MIB_PER_TIB = 2 ** 20;

export function burstOf(type: (typeof DISK_TYPES)[number], sizeBytes: number | undefined): Burst | 'none' | 'unknown' {
  if (type !== 'gp2' && type !== 'st1' && type !== 'sc1') return 'none';
  if (sizeBytes === undefined) return 'unknown';
  if (type !== 'gp2') return turning(TURNING[type], sizeBytes / TIB);
  const base = Math.max(GP2_IOPS_MIN, GP2_IOPS_PER_GIB * Math.floor(sizeBytes / GIB));
  if (base >= GP2_BURST_IOPS) return 'none';
  return {
    fast: `${formatCount(GP2_BURST_IOPS)} operations a second`,
    slow: formatCount(base),
    lastsS: GP2_BUCKET / (GP2_BURST_IOPS - base),
  };
}

/** The bucket holds a TiB for each TiB. */
function turning(perTib: (typeof TURNING)['st1'], tib: number): Burst | 'none' {
  const base = Math.min(perTib.max, perTib.base * tib);
  const burst = Math.min(perTib.max, perTib.burst * tib);
  if (burst <= base) return 'none';
  return {
    fast: `${formatCount(burst)} MiB/s`,
    slow: formatCount(base),
    lastsS: (tib * MIB_PER_TIB) / (burst - base),
  };
}
