/**
 * What each resource would allow at most, in transactions per second. The lowest is the bottleneck, convincingly so
 * where the rate that was measured comes near it.
 */
import type { Diagnosis } from '../model/judgement.ts';
import { type Share, serverCores } from './budget.ts';
import type { Evidence } from './evidence.ts';
import { flushesAtCommit, flushMs } from './log.ts';
import { type Case, figure } from './verdict.ts';

/** Of the sessions' time: what takes less is no limit. */
const SHARE_MIN = 0.1;

/** Figures of one run are of slightly different times. */
const TOLERANCE = 0.05;

type Ceiling = Diagnosis['ceilings'][number];

export function ceilingsOf({ evidence, shares }: Case): readonly Ceiling[] {
  if (!(evidence.transactionsPerS > 0)) return [];
  const all = [
    processors(evidence),
    clientWorkers(evidence),
    roundTrips(evidence),
    flushes(evidence),
    commits({ evidence, shares }),
    reads({ evidence, shares }),
    hotRow(evidence),
  ];
  return (
    all
      .filter((ceiling) => ceiling !== undefined)
      // What was reached is no ceiling: a figure that it is reckoned from must be wrong.
      .filter(({ perS }) => perS >= evidence.transactionsPerS * (1 - TOLERANCE))
      .sort((one, other) => one.perS - other.perS)
  );
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
    how: `${counted(sessions)} / (${figure(perTransaction)} statements x ${figure(roundTripS * 1000)} ms)`,
  };
}

function counted(sessions: number): string {
  return `${figure(sessions)} ${sessions === 1 ? 'session' : 'sessions'}`;
}

/** One flush after another, each for all that wait for it. */
function flushes(evidence: Evidence): Ceiling | undefined {
  const perS = evidence.measured('redo_log', 'log_fsyncs_per_s') ?? evidence.measured('redo_log', 'fsyncs_per_s');
  const eachMs = flushMs(evidence);
  if (perS === undefined || eachMs === undefined || eachMs <= 0 || perS <= 0) return undefined;
  if (!flushesAtCommit(evidence)) return undefined;
  const group = evidence.transactionsPerS / perS;
  return {
    of: 'flushing the log',
    perS: (group * 1000) / eachMs,
    how: `${figure(group)} transactions a flush / ${figure(eachMs)} ms`,
  };
}

/** If all sessions did nothing but wait for it, as long each time as they did. */
function commits(it: Case): Ceiling | undefined {
  return alone(it, 'commit', { of: 'waiting for commits', each: 'in commits' });
}

function reads(it: Case): Ceiling | undefined {
  return alone(it, 'read-io', { of: 'waiting for reads', each: 'waiting for reads' });
}

function alone(
  { evidence, shares }: Case,
  share: Share,
  { of, each }: { of: string; each: string },
): Ceiling | undefined {
  const part = shares[share] ?? 0;
  if (!evidence.isClosedLoop || part < SHARE_MIN) return undefined;
  const perS = evidence.transactionsPerS / part;
  const eachMs = (evidence.sessions / perS) * 1000;
  return { of, perS, how: `${counted(evidence.sessions)} / ${figure(eachMs)} ms ${each} each` };
}

/** Where most sessions wait for each other, the rows are never free: they are passed on as fast as they can be. */
function hotRow({ isClosedLoop, sessions, transactionsPerS, ...evidence }: Evidence): Ceiling | undefined {
  const waiting = evidence.measured('row_locks', 'waiting');
  if (waiting === undefined || !isClosedLoop || waiting < sessions / 2) return undefined;
  return {
    of: 'rows that all need',
    perS: transactionsPerS,
    how: `passed on every ${figure(1000 / transactionsPerS)} ms, while ${figure(Math.min(sessions, waiting))} of ${figure(sessions)} sessions wait`,
  };
}
