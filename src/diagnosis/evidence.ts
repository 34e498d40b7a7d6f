/** What a diagnosis rests on: plain numbers taken from a run's record, undefined where the run could not see them. */
import type { Phase, Series } from '../model/observed.ts';
import type { LatencyRecord, RunRecord } from '../model/run.ts';
import { scatters } from './link.ts';

/** The part of a record that is needed: a run that is being written has no diagnosis yet. */
export type Diagnosable = Pick<RunRecord, 'load' | 'totals' | 'rates' | 'latency' | 'client' | 'target'> & {
  readonly series?: Readonly<Record<string, Series>>;
  readonly environment?: {
    readonly host: Readonly<Record<string, string | number | boolean>>;
    readonly client: Readonly<Record<string, string | number | boolean>>;
    readonly roundTripUs?: { readonly p50: number; readonly p99: number; readonly mean?: number };
  };
  readonly observation?: { readonly isClientHost?: boolean; readonly isLinked?: boolean };
  readonly phases?: readonly Phase[];
};

export interface Evidence {
  readonly sessions: number;
  readonly elapsedS: number;
  readonly isClosedLoop: boolean;
  /** A schedule, or users who think, set the pace, and all that was due was done. */
  readonly isPaced: boolean;
  readonly transactionsPerS: number;
  readonly statements: number;
  readonly transactions: number;
  /**
   * All sessions' time: what the budget divides. In the closed loop sessions x elapsed, else the time they were busy.
   */
  readonly sessionS: number;
  /** In transactions, as timed by the client; and of that in statements. */
  readonly busyS: number;
  readonly statementS: number;
  readonly reads: number;
  readonly commits: number;
  readonly commitS: number;
  readonly writes: number;
  readonly writeS: number;
  /** Of the sessions' time, in which the server was at work for them; in the closed loop. */
  readonly atServer: number | undefined;
  /** That the sessions made anew. */
  readonly connections: number;
  /** Through something that can lose or delay what is sent: not within one machine. */
  readonly isOverNetwork: boolean;
  /**
   * What a statement pays for the way: the median, and where round trips over a link scatter the mean. Taken before the
   * run: absent where statements took less in it.
   */
  readonly roundTripS: number | undefined;
  readonly roundTripP50S: number | undefined;
  readonly roundTripP99S: number | undefined;
  readonly workers: number;
  readonly eventLoopUtilization: number;
  readonly eventLoopDelayP99Ms: number;
  readonly deadlocksAndTimeouts: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly isClientHost: boolean;
  /** Of CPUs that the server may use. */
  readonly cores: number | undefined;
  /** Over the measured part, by probe and name. */
  measured(probe: string, name: string): number | undefined;
  /** The highest value of a series in the measured part, or its quantile where one is given. */
  peak(probe: string, name: string, quantile?: number): number | undefined;
  /** Of a gauge's samples in the measured part: `measured` has but the last of them. */
  mean(probe: string, name: string): number | undefined;
  points(probe: string, name: string): readonly number[];
  names(probe: string): readonly string[];
}

const DEADLOCK = 1213;
const LOCK_WAIT_TIMEOUT = 1205;
/** Snapshot conflicts of MariaDB 11.6 and newer. */
const RECORD_CHANGED = 1020;

export function evidenceOf(run: Diagnosable): Evidence {
  const { totals, load, latency, series = {} } = run;
  const isClosedLoop = load.mode === 'closed';
  const busyS = sumS(latency.transactions['all']?.service);
  const byKind = kindSums(run);
  const value = (probe: string, name: string) => series[probe]?.measured[name];
  const endS = loadEndS(run);
  const points = (probe: string, name: string) => measuredPoints(series[probe], name, endS);
  return {
    sessions: load.threads,
    elapsedS: totals.elapsedS,
    isClosedLoop,
    isPaced: !isClosedLoop && keptUp(run, busyS),
    transactionsPerS: run.rates.transactionsPerS,
    statements: byKind.all.count,
    transactions: totals.transactions.committed,
    // At the end each session finishes what it has begun: on average they are half through with it.
    sessionS: isClosedLoop ? (load.threads * (totals.elapsedS + endS)) / 2 : busyS,
    busyS,
    statementS: byKind.all.seconds,
    reads: byKind.read.count,
    commits: byKind.commit.count,
    commitS: byKind.commit.seconds,
    writes: byKind.write.count,
    writeS: byKind.write.seconds,
    atServer: isClosedLoop ? atServerOf(points('server_work', 'threads_running'), run) : undefined,
    connections: totals.reconnects,
    ...roundTripOf(run, byKind.all),
    workers: load.workers,
    eventLoopUtilization: run.client.eventLoopUtilizationMax,
    eventLoopDelayP99Ms: run.client.eventLoopDelayP99Ms,
    deadlocksAndTimeouts: totals.errors
      .filter(({ code }) => [DEADLOCK, LOCK_WAIT_TIMEOUT, RECORD_CHANGED].includes(code))
      .reduce((sum, { count }) => sum + count, 0),
    variables: run.target.variables,
    isClientHost: run.observation?.isClientHost ?? false,
    cores: numberOf(run.environment?.host['server.cores'] ?? run.environment?.host['cpu.threads']),
    measured: value,
    points,
    peak: (probe, name, quantile = 1) => quantileOf(points(probe, name), quantile),
    mean: (probe, name) => meanOf(points(probe, name)),
    names: (probe) => Object.keys(series[probe]?.measured ?? {}),
  };
}

/** Of the sessions' time: where they are busier, what is due waits for them. */
const BUSY_MAX = 0.8;

/** All that was due was done, and there were sessions to spare for it. */
function keptUp({ totals, load }: Diagnosable, busyS: number): boolean {
  const isDone = totals.dropped === 0 && totals.unfinished <= load.threads;
  return isDone && busyS <= load.threads * totals.elapsedS * BUSY_MAX;
}

interface Sum {
  readonly count: number;
  readonly seconds: number;
}

/** A COMMIT is known by its name: workloads call it so. */
function kindSums({ latency, totals }: Diagnosable): Readonly<Record<'all' | 'commit' | 'read' | 'write', Sum>> {
  const entries = Object.entries(latency.statements);
  const of = (isWanted: (name: string) => boolean): Sum => {
    const wanted = entries.filter(([name]) => isWanted(name)).map(([, record]) => record);
    return {
      count: wanted.reduce((sum, { count }) => sum + count, 0),
      seconds: wanted.reduce((sum, record) => sum + sumS(record), 0),
    };
  };
  return {
    all: of(() => true),
    commit: of((name) => /(?:^|_)commit$/i.test(name)),
    read: of((name) => totals.statements.byName[name]?.kind === 'read'),
    write: of((name) => totals.statements.byName[name]?.kind === 'write'),
  };
}

function roundTripOf({ environment, target, observation }: Diagnosable, { count, seconds }: Sum) {
  const trips = environment?.roundTripUs;
  const p50 = toS(trips?.p50);
  const link = {
    isOverNetwork: observation?.isLinked ?? !target.address.startsWith('/'),
    roundTripP50S: p50,
    roundTripP99S: toS(trips?.p99),
  };
  const candidates = [scatters(link) ? toS(trips?.mean) : undefined, p50];
  // No statement can be faster than the way there and back.
  const statementS = count === 0 ? Number.POSITIVE_INFINITY : seconds / count;
  return { ...link, roundTripS: candidates.find((tripS) => tripS !== undefined && tripS <= statementS) };
}

/** Sessions looked at, in all samples together: of fewer, the mean is a matter of chance. */
const LOOKS_MIN = 40;

/** Whoever asks is at work too, on each server. */
function atServerOf(running: readonly number[], { load, target }: Diagnosable): number | undefined {
  const mean = meanOf(running);
  if (mean === undefined || running.length * load.threads < LOOKS_MIN) return undefined;
  const observers = target.address.split(', ').length;
  return Math.min(1, Math.max(0, (mean - observers) / load.threads));
}

function sumS(record: LatencyRecord | undefined): number {
  return (record?.sumUs ?? 0) / 1e6;
}

function toS(us: number | undefined): number | undefined {
  return us === undefined ? undefined : us / 1e6;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** When nothing was begun any more; what was still under way then counts as measured, too. */
function loadEndS({ phases, totals }: Diagnosable): number {
  return Math.min(totals.elapsedS, phases?.find(({ name }) => name === 'measure')?.endS ?? totals.elapsedS);
}

/** Times are rounded to milliseconds, and taken a little later than the phase ended. */
const TOLERANCE_S = 0.05;

/** Points that end in the measured part, while all sessions were under load. */
function measuredPoints(series: Series | undefined, name: string, endS: number): number[] {
  const points = series?.values[name]?.points ?? [];
  const isWithin = (atS: number) => atS > 0 && atS <= endS + TOLERANCE_S;
  return points.filter((point, at): point is number => point !== null && isWithin(series?.atS[at] ?? -1));
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function quantileOf(values: readonly number[], quantile: number): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
}
