/** How much a run will add to the disk, as far as that can be said before. */
import { formatBytes, formatCount } from '../base/units.ts';
import { isOn } from './check.ts';
import type { Collected, PlanFacts } from './collected.ts';

export interface Growth {
  readonly bytes: number;
  /** False where the rate had to be assumed. */
  readonly isCertain: boolean;
  /** As the beginning of a sentence. */
  readonly how: string;
}

/** A row with its indexes, and the undo log that keeps the old one for a while. */
const BYTES_PER_WRITE = 1_024;
/** The binary log holds the row before and after. */
const BINLOG_BYTES_PER_WRITE = 1_024;
/** Few servers write more; a slower one needs less room. */
const WRITES_PER_S_ASSUMED = 10_000;

/** Undefined where nothing is written, or for how long is not known. */
export function growthOf(plan: PlanFacts, { server }: Collected): Growth | undefined {
  const writes = plan.mix?.writes ?? 0;
  if (!plan.writes || writes === 0) return undefined;
  const hasBinlog = server.is === 'seen' && isOn(server.value.variables, 'log_bin');
  const bytesEach = BYTES_PER_WRITE + (hasBinlog ? BINLOG_BYTES_PER_WRITE : 0);
  const seconds = plan.timeS + plan.warmupS;
  const isByEvents = plan.events > 0;
  const transactions = isByEvents ? plan.events : plan.ratePerS * seconds;
  if (transactions > 0) {
    const bytes = transactions * writes * bytesEach;
    const how = `${formatCount(transactions * writes)} writes add up to about ${formatBytes(bytes)}`;
    return { bytes, isCertain: true, how };
  }
  if (plan.timeS === 0) return undefined;
  const bytes = WRITES_PER_S_ASSUMED * seconds * bytesEach;
  const how = `If the server writes ${formatCount(WRITES_PER_S_ASSUMED)} times a second, that adds about ${formatBytes(bytes)}`;
  return { bytes, isCertain: false, how };
}
