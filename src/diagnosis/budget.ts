/**
 * Where the sessions' time went. Sessions x elapsed seconds are divided among what can be told apart by figures that
 * are independent of each other: the client's own timings, the round trip of an idle statement, how many sessions the
 * server was busy with, its lock times, the times of reads, and the processor time of its process. What none of them
 * explains is `rest`. docs/diagnosis.md has the formulas.
 */
import type { TimeBudget } from '../model/judgement.ts';
import type { Evidence } from './evidence.ts';
import { flushesAtCommit, flushMs, isLogFull } from './log.ts';

export const SHARES = [
  'connecting',
  'client',
  'client-queue',
  'network',
  'row-lock',
  'commit',
  'checkpoint',
  'read-io',
  'server-cpu',
  'cpu-queue',
] as const;
export type Share = (typeof SHARES)[number];

/** Absent: there is nothing to know it by. */
export type Shares = Readonly<Partial<Record<Share, number>>>;

type Seconds = Partial<Record<Share, number | undefined>>;

export function sharesOf(evidence: Evidence): Shares {
  const { sessionS, statements } = evidence;
  if (!(sessionS > 0) || statements === 0) return {};
  const known = Object.entries(secondsOf(evidence)).flatMap(([name, seconds]) =>
    seconds === undefined ? [] : [[name, Math.max(0, seconds) / sessionS] as const],
  );
  const sum = known.reduce((all, [, share]) => all + share, 0);
  // Each is an estimate of its own, and threads in the background use processors too: together they may be too many.
  return Object.fromEntries(known.map(([name, share]) => [name, share / Math.max(1, sum)])) as Shares;
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

function secondsOf(evidence: Evidence): Seconds {
  const { elapsedS, statements, isClosedLoop } = evidence;
  const connectingS = isClosedLoop ? connectingSeconds(evidence) : 0;
  const timed = timedSeconds(evidence, connectingS);
  const cpuS = times(serverCores(evidence), elapsedS);
  const queueS = times(evidence.measured('server_process', 'waiting_threads'), elapsedS);
  const lockS = times(evidence.measured('row_locks', 'waiting'), elapsedS);
  const networkS = networkSeconds(evidence);
  const clientS = isClosedLoop ? clientSeconds(evidence, timed.betweenS, connectingS + (queueS ?? 0)) : undefined;
  const clientQueueRatio = evidence.measured('client', 'run_delay_ratio') ?? 0;
  const readS = readSeconds(evidence, queueS ?? 0);
  // What any statement costs, whatever it does: processors, waiting for one, the way, and the client that reads late.
  const overheadS = (cpuS ?? 0) + (queueS ?? 0) + (networkS ?? 0) + Math.max(0, (clientS ?? 0) - timed.betweenS);
  const otherWaitS = (lockS ?? 0) + (readS ?? 0) * partOfWrites(evidence);
  return {
    connecting: isClosedLoop ? connectingS : undefined,
    client: times(clientS, 1 - clientQueueRatio),
    'client-queue': times(clientS, clientQueueRatio),
    network: networkS,
    'row-lock': lockS,
    ...logSeconds(evidence, timed, { overheadS: overheadS / statements, otherWaitS }),
    'read-io': readS,
    'server-cpu': cpuS,
    'cpu-queue': queueS,
  };
}

interface Timed {
  /** Between the statements of a transaction: the client's doing. */
  readonly betweenS: number;
  readonly commitS: number;
  readonly writeS: number;
}

/**
 * Transactions that were begun before the measured part are not timed by the client, but the server counts what they do
 * in it: the client's timings are made to fill the same time.
 */
function timedSeconds({ isClosedLoop, busyS, sessionS, ...timed }: Evidence, connectingS: number): Timed {
  const factor = isClosedLoop && busyS > 0 ? Math.max(1, (sessionS - connectingS) / busyS) : 1;
  return {
    betweenS: Math.max(0, busyS - timed.statementS) * factor,
    commitS: timed.commitS * factor,
    writeS: timed.writeS * factor,
  };
}

/** An idle round trip is processor time of both ends too, which is counted there: a network adds to it. */
const ROUND_TRIP_OF_CPU_S = 0.000_1;

function networkSeconds({ roundTripS, statements }: Evidence): number | undefined {
  return roundTripS === undefined ? undefined : statements * Math.max(0, roundTripS - ROUND_TRIP_OF_CPU_S);
}

/** Connecting anew that goes on all the time. It lies between transactions, and nothing else of any length does. */
const CONNECTIONS_PER_TRANSACTION_MIN = 0.01;

function connectingSeconds({ connections, transactions, sessionS, busyS }: Evidence): number {
  return connections > transactions * CONNECTIONS_PER_TRANSACTION_MIN ? Math.max(0, sessionS - busyS) : 0;
}

/**
 * The time between statements; or, since replies wait for a busy client and are timed too late, all the time in which
 * the server had nothing to do for a session, less the way and less what it takes a thread of the server to wake up.
 */
function clientSeconds(evidence: Evidence, betweenS: number, otherwiseS: number): number {
  const { atServer, sessionS, roundTripS = 0, statements } = evidence;
  if (atServer === undefined) return betweenS;
  const elsewhereS = sessionS * (1 - atServer) - statements * roundTripS - otherwiseS;
  return Math.max(betweenS, elsewhereS);
}

/** Of the reads from the disk: those that writes had to wait for. */
function partOfWrites({ reads, writes }: Evidence): number {
  return reads + writes === 0 ? 0 : writes / (reads + writes);
}

/** A commit may have to wait for the group before and then for its own; the binary log and the redo log one each. */
const FLUSHES_PER_COMMIT_MAX = 4;

/**
 * Waiting for the log: for it to be flushed, when a transaction commits, or for room in it. Without transactions every
 * write commits, and what a write takes beyond any statement's cost is either.
 */
function logSeconds(evidence: Evidence, { commitS, writeS }: Timed, known: Known): Seconds {
  const { commits, writes } = evidence;
  const beyondS = Math.max(0, writeS - known.otherWaitS - writes * known.overheadS);
  const isFull = isLogFull(evidence);
  if (commits > 0) {
    return { commit: commitS - commits * known.overheadS, ...(isFull ? { checkpoint: beyondS } : {}) };
  }
  if (writes === 0) return { commit: 0 };
  if (!isFull) return { commit: beyondS };
  const aFlushMs = flushesAtCommit(evidence) ? flushMs(evidence) : 0;
  const commit = aFlushMs === undefined ? beyondS : (writes * FLUSHES_PER_COMMIT_MAX * aFlushMs) / 1000;
  return { commit: Math.min(beyondS, commit), checkpoint: Math.max(0, beyondS - commit) };
}

interface Known {
  /** Of every statement. */
  readonly overheadS: number;
  /** Of all writes, for locks and reads. */
  readonly otherWaitS: number;
}

/**
 * Waiting for reads: misses at what a read of the data's disk takes; or the reads that the server had pending, which
 * sees storage that no disk of the host shows, less what a thread waits for a processor when its read is done.
 */
function readSeconds(evidence: Evidence, queueS: number): number | undefined {
  const { elapsedS } = evidence;
  const misses = evidence.measured('buffer_pool', 'misses_per_s');
  const awaitMs = evidence.measured('disk', 'data_disk.read_latency_ms');
  const byDisk = misses === undefined || awaitMs === undefined ? undefined : (misses * awaitMs * elapsedS) / 1000;
  const pending = evidence.mean('buffer_pool', 'pending_reads');
  const byServer = pending === undefined ? undefined : Math.max(0, pending * elapsedS - queueS);
  if (byDisk === undefined) return byServer;
  return Math.max(byDisk, byServer ?? 0);
}

function times(one: number | undefined, other: number): number | undefined {
  return one === undefined ? undefined : one * other;
}
