/**
 * Where the sessions' time went. Sessions x elapsed seconds are divided among what can be told apart by figures that
 * are independent of each other: the client's own timings, the round trip of an idle statement, the server's lock
 * times, the device's read times, and the processor time of the server's process. What none of them explains is
 * `rest`.
 */
import type { TimeBudget } from '../model/judgement.ts';
import type { Evidence } from './evidence.ts';

export const SHARES = ['client', 'network', 'row-lock', 'commit', 'read-io', 'server-cpu', 'cpu-queue'] as const;
export type Share = (typeof SHARES)[number];

/** Absent: there is nothing to know it by. */
export type Shares = Readonly<Partial<Record<Share, number>>>;

export function sharesOf(evidence: Evidence): Shares {
  const { sessionS, elapsedS, statements, roundTripS } = evidence;
  if (!(sessionS > 0) || statements === 0) return {};
  const perSession = (seconds: number | undefined) =>
    seconds === undefined ? undefined : Math.max(0, seconds) / sessionS;
  const cpuS = times(serverCores(evidence), elapsedS);
  const delayS = times(evidence.measured('server_process', 'waiting_threads'), elapsedS);
  const lockS = times(evidence.measured('row_locks', 'waiting'), elapsedS);
  const networkS = roundTripS === undefined ? undefined : statements * networkPart(roundTripS);
  // What a statement costs in processor time and in waiting for one, wherever it is in its transaction.
  const perStatementS = ((cpuS ?? 0) + (delayS ?? 0) + (networkS ?? 0)) / statements;
  const shares: Partial<Record<Share, number | undefined>> = {
    client: evidence.isClosedLoop ? perSession(sessionS - evidence.statementS) : undefined,
    network: perSession(networkS),
    'row-lock': perSession(lockS),
    commit: perSession(commitS(evidence, perStatementS, lockS ?? 0)),
    'read-io': perSession(times(readS(evidence), elapsedS)),
    'server-cpu': perSession(cpuS),
    'cpu-queue': perSession(delayS),
  };
  return Object.fromEntries(Object.entries(shares).filter(([, share]) => share !== undefined)) as Shares;
}

export function budgetOf(evidence: Evidence): TimeBudget | undefined {
  const shares = sharesOf(evidence);
  if (Object.keys(shares).length === 0) return undefined;
  return { sessionS: evidence.sessionS, shares: { ...shares, rest: 1 - explained(shares) } };
}

export function explained(shares: Shares): number {
  return Object.values(shares).reduce((sum, share) => sum + share, 0);
}

/** Processors that the server's process kept busy, or what the server itself counts where it does. */
export function serverCores(evidence: Evidence): number | undefined {
  return evidence.measured('server_process', 'cpu_cores') ?? evidence.measured('server_work', 'cpu_s_per_s');
}

/** An idle round trip is processor time of both ends too, which is counted there: a network adds to it. */
const ROUND_TRIP_OF_CPU_S = 0.000_1;

function networkPart(roundTripS: number): number {
  return Math.max(0, roundTripS - ROUND_TRIP_OF_CPU_S);
}

/** Without transactions every write commits: then what a write takes beyond a statement's share is its commit. */
function commitS(evidence: Evidence, perStatementS: number, lockS: number): number | undefined {
  const { commits, writes } = evidence;
  if (commits > 0) return evidence.commitS - commits * perStatementS;
  if (writes === 0) return 0;
  return evidence.writeS - lockS - writes * perStatementS;
}

/** Seconds of waiting for reads, per second: foreground misses, at what a read of the data's disk takes. */
function readS(evidence: Evidence): number | undefined {
  const misses = evidence.measured('buffer_pool', 'misses_per_s');
  const awaitMs = evidence.measured('disk', 'data_disk.read_latency_ms');
  return misses === undefined || awaitMs === undefined ? undefined : (misses * awaitMs) / 1000;
}

function times(perS: number | undefined, elapsedS: number): number | undefined {
  return perS === undefined ? undefined : perS * elapsedS;
}
