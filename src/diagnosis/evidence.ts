/** What a diagnosis rests on: plain numbers taken from a run's record, undefined where the run could not see them. */
import type { Series } from '../model/observed.ts';
import type { LatencyRecord, RunRecord } from '../model/run.ts';

/** The part of a record that is needed: a run that is being written has no diagnosis yet. */
export type Diagnosable = Pick<RunRecord, 'load' | 'totals' | 'rates' | 'latency' | 'client' | 'target'> & {
  readonly series?: Readonly<Record<string, Series>>;
  readonly environment?: {
    readonly host: Readonly<Record<string, string | number | boolean>>;
    readonly client: Readonly<Record<string, string | number | boolean>>;
    readonly roundTripUs?: { readonly p50: number; readonly p99: number };
  };
  readonly observation?: { readonly isClientHost?: boolean };
};

export interface Evidence {
  readonly sessions: number;
  readonly elapsedS: number;
  readonly isClosedLoop: boolean;
  readonly transactionsPerS: number;
  readonly statements: number;
  readonly transactions: number;
  /**
   * All sessions' time: what the budget divides. In the closed loop sessions x elapsed, else the time they were busy.
   */
  readonly sessionS: number;
  readonly statementS: number;
  readonly commits: number;
  readonly commitS: number;
  readonly writes: number;
  readonly writeS: number;
  readonly roundTripS: number | undefined;
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
  const points = (probe: string, name: string) => measuredPoints(series[probe], name);
  return {
    sessions: load.threads,
    elapsedS: totals.elapsedS,
    isClosedLoop,
    transactionsPerS: run.rates.transactionsPerS,
    statements: byKind.all.count,
    transactions: totals.transactions.committed,
    sessionS: isClosedLoop ? load.threads * totals.elapsedS : busyS,
    statementS: byKind.all.seconds,
    commits: byKind.commit.count,
    commitS: byKind.commit.seconds,
    writes: byKind.write.count,
    writeS: byKind.write.seconds,
    roundTripS: toS(run.environment?.roundTripUs?.p50),
    roundTripP99S: toS(run.environment?.roundTripUs?.p99),
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
    names: (probe) => Object.keys(series[probe]?.measured ?? {}),
  };
}

interface Sum {
  readonly count: number;
  readonly seconds: number;
}

/** A COMMIT is known by its name: workloads call it so. */
function kindSums({ latency, totals }: Diagnosable): { readonly all: Sum; readonly commit: Sum; readonly write: Sum } {
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
    write: of((name) => totals.statements.byName[name]?.kind === 'write'),
  };
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

/** Points that end in the measured part. */
function measuredPoints(series: Series | undefined, name: string): number[] {
  const points = series?.values[name]?.points ?? [];
  return points.filter((point, at): point is number => point !== null && (series?.atS[at] ?? -1) > 0);
}

function quantileOf(values: readonly number[], quantile: number): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
}
