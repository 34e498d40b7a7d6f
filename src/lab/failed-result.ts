/** The result of a load that came to nothing because of a mistake in this program: even that leaves a record. */
import { nowMs } from '../base/clock.ts';
import type { LoadPlan, LoadResult, SentCounts } from '../load/plan.ts';
import { settingsOf } from '../load/settings.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';

const NOTHING_SENT: SentCounts = {
  connects: 0,
  prepares: 0,
  executes: 0,
  queries: 0,
  byVerb: {},
  bytesSent: 0,
  bytesReceived: 0,
  errors: 0,
};

export function failedResult(plan: LoadPlan, error: unknown): LoadResult {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const { workers } = plan;
  return {
    ending: { kind: 'failed', cause },
    startedAtMs: nowMs(),
    endedAtMs: nowMs(),
    settings: settingsOf(plan),
    totals: {
      elapsedS: 0,
      transactions: { committed: 0, byName: {} },
      statements: { read: 0, write: 0, other: 0, wasted: 0, writesWithoutEffect: 0, byName: {} },
      rowsRead: 0,
      bytes: { sent: 0, received: 0 },
      errors: [],
      retries: 0,
      rollbacks: 0,
      reconnects: 0,
      dropped: 0,
      unfinished: 0,
      perSession: { transactions: [], latencyS: [] },
    },
    latency: { transactions: { all: { service: toLatencyRecord(new Histogram()) } }, statements: {} },
    intervals: [],
    checkpoints: [],
    client: {
      cpuS: 0,
      cpuUsPerStatement: 0,
      eventLoopUtilizationMax: 0,
      eventLoopDelayP99Ms: 0,
      memoryPeakBytes: 0,
      workers,
      node: process.version,
    },
    findings: [],
    setup: NOTHING_SENT,
    sent: NOTHING_SENT,
  };
}
