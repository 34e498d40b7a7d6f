/**
 * What each resource would allow at most, in transactions per second. The lowest is the bottleneck, convincingly so
 * where the rate that was measured comes near it.
 */
import type { Diagnosis } from '../model/judgement.ts';
import { serverCores } from './budget.ts';
import type { Evidence } from './evidence.ts';
import { figure } from './verdict.ts';

type Ceiling = Diagnosis['ceilings'][number];

export function ceilingsOf(evidence: Evidence): readonly Ceiling[] {
  if (!(evidence.transactionsPerS > 0)) return [];
  const all = [
    processors(evidence),
    clientWorkers(evidence),
    roundTrips(evidence),
    flushes(evidence),
    hotRow(evidence),
  ];
  return all.filter((ceiling) => ceiling !== undefined).sort((one, other) => one.perS - other.perS);
}

function processors(evidence: Evidence): Ceiling | undefined {
  const used = serverCores(evidence);
  const { cores, transactionsPerS } = evidence;
  if (used === undefined || used === 0 || cores === undefined) return undefined;
  const perTransactionMs = (used / transactionsPerS) * 1000;
  return {
    of: "the server's processors",
    perS: cores / (used / transactionsPerS),
    how: `${figure(cores)} processors / ${figure(perTransactionMs)} ms each`,
  };
}

function clientWorkers({ eventLoopUtilization, transactionsPerS, workers }: Evidence): Ceiling | undefined {
  if (eventLoopUtilization === 0) return undefined;
  return {
    of: "the client's workers",
    perS: transactionsPerS / eventLoopUtilization,
    how: `${workers} ${workers === 1 ? 'worker' : 'workers'}, busy ${figure(eventLoopUtilization * 100)} % at this rate`,
  };
}

function roundTrips({ roundTripS, sessions, statements, transactions }: Evidence): Ceiling | undefined {
  if (roundTripS === undefined || roundTripS === 0 || transactions === 0) return undefined;
  const perTransaction = statements / transactions;
  return {
    of: 'the way to the server',
    perS: sessions / (perTransaction * roundTripS),
    how: `${figure(sessions)} sessions / (${figure(perTransaction)} statements x ${figure(roundTripS * 1000)} ms)`,
  };
}

/** One flush after another, each for all that wait for it. */
function flushes(evidence: Evidence): Ceiling | undefined {
  const perS = evidence.measured('redo_log', 'log_fsyncs_per_s') ?? evidence.measured('redo_log', 'fsyncs_per_s');
  const flushMs =
    evidence.measured('disk', 'data_disk.flush_latency_ms') ?? evidence.measured('disk', 'data_disk.write_latency_ms');
  if (perS === undefined || flushMs === undefined || flushMs <= 0 || perS <= 0) return undefined;
  if (!/^[13]$/.test(evidence.variables['innodb_flush_log_at_trx_commit'] ?? '')) return undefined;
  const group = evidence.transactionsPerS / perS;
  return {
    of: 'flushing the log',
    perS: (group * 1000) / flushMs,
    how: `${figure(group)} transactions a flush / ${figure(flushMs)} ms`,
  };
}

/** If all transactions needed one row: what one holds it for, waiting for others left out. */
function hotRow(evidence: Evidence): Ceiling | undefined {
  const waiting = evidence.measured('row_locks', 'waiting');
  if (waiting === undefined || !evidence.isClosedLoop || waiting < evidence.sessions / 2) return undefined;
  const holders = evidence.sessions - waiting;
  const holdMs = (holders / evidence.transactionsPerS) * 1000;
  return {
    of: 'one row that all need',
    perS: 1000 / holdMs,
    how: `a transaction that does not wait takes ${figure(holdMs)} ms`,
  };
}
