/** What is told of a run without reading it whole, and by what runs are chosen. */
import { basename } from 'node:path';
import { type Imported, tells } from '../model/imported.ts';
import type { Durability, Grade } from '../model/judgement.ts';
import type { Ending, ExperimentPlace, LoadSettings, RunRecord } from '../model/run.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';
import { latencyMetricOf } from '../stats/metrics-latency.ts';
import { hostNameOf, machineKeyOf, workloadKeyOf } from './run-keys.ts';

export interface RunSummary {
  /** The directory's name, by which `load` and `remove` know it. */
  readonly id: string;
  readonly directory: string;
  readonly startedAt: string;
  readonly workload: string;
  /** Absent, as other figures, where the tool that measured an imported run does not tell. */
  readonly threads?: number;
  readonly ending: Ending['kind'];
  /** False where a finding says that the run proves nothing. */
  readonly isValid: boolean;
  readonly tags: readonly string[];
  /** '' where it is not known. */
  readonly target: string;
  readonly transactionsPerS?: number;
  readonly experiment?: ExperimentPlace;
  readonly mode: LoadSettings['mode'];
  /** As asked for; 0: no limit. */
  readonly timeS: number;
  readonly elapsedS?: number;
  readonly statementsPerS?: number;
  /** Of all transactions: response where there is one, else service. Absent where there were none. */
  readonly latencyUs?: LatencyFigures;
  readonly errors?: number;
  readonly cpuUsPerStatement?: number;
  readonly seed: number;
  readonly address: string;
  /** Of the server's host where it was seen. */
  readonly host?: string;
  readonly machineKey: string;
  readonly workloadKey: string;
  readonly grade?: Grade['is'];
  readonly durability?: Durability;
  /** The verdict that sets the pace, by its id. */
  readonly bottleneck?: string;
  /** Of runs that another tool measured. */
  readonly imported?: { readonly tool: string; readonly sha256: string; readonly isStartKnown: boolean };
}

/** Of our own runs all are known. */
export interface LatencyFigures {
  readonly mean?: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  readonly max?: number;
}

/** What is absent is not asked for. */
export interface RunFilter {
  readonly workload?: string;
  /** All of these. */
  readonly tags?: readonly string[];
  /** Id or name of an experiment. */
  readonly experiment?: string;
  readonly variant?: string;
  /** ISO 8601, UTC: began then or later. */
  readonly since?: string;
  /** Began before. */
  readonly until?: string;
  /** In flavor, version or address, in any case of letters. */
  readonly target?: string;
  readonly isValid?: boolean;
  readonly host?: string;
}

/** Everything but the intervals and series, which a summary does not need. */
export type RunHead = Omit<RunRecord, 'intervals' | 'series'>;

export function summaryOf(directory: string, record: RunHead): RunSummary {
  const { load, target, rates, totals, durability, grade, experiment, imported } = record;
  const host = hostNameOf(record);
  const latencyUs = latencyOf(record);
  const bottleneck = record.diagnosis?.verdicts.find(({ role }) => role === 'bottleneck')?.id;
  const known = <T extends object>(path: string, value: T): T | Record<never, never> =>
    tells(record, path) ? value : {};
  return {
    id: basename(directory),
    directory,
    startedAt: record.startedAt,
    workload: record.workload.name,
    ...known('load.threads', { threads: load.threads }),
    ending: record.ending.kind,
    isValid: !record.findings.some(({ severity }) => severity === 'invalid'),
    tags: record.tags,
    target: tells(record, 'target') ? `${target.flavor} ${target.version}` : '',
    ...known('rates.transactionsPerS', { transactionsPerS: rates.transactionsPerS }),
    ...(experiment === undefined ? {} : { experiment }),
    mode: load.mode,
    timeS: load.timeS,
    ...known('totals.elapsedS', { elapsedS: totals.elapsedS }),
    ...known('rates.statementsPerS', { statementsPerS: rates.statementsPerS }),
    ...(latencyUs === undefined ? {} : { latencyUs }),
    ...known('totals.errors', { errors: totals.errors.reduce((sum, { count }) => sum + count, 0) }),
    ...known('client', { cpuUsPerStatement: record.client.cpuUsPerStatement }),
    seed: record.seed,
    address: target.address,
    ...(host === undefined ? {} : { host }),
    machineKey: machineKeyOf(record),
    workloadKey: workloadKeyOf(record),
    ...(grade === undefined ? {} : { grade: grade.is }),
    ...(durability === undefined ? {} : { durability: durability.is }),
    ...(bottleneck === undefined ? {} : { bottleneck }),
    ...(imported === undefined ? {} : { imported: importedOf(record, imported) }),
  };
}

function importedOf(record: RunHead, { tool, sha256 }: Imported): NonNullable<RunSummary['imported']> {
  return { tool, sha256, isStartKnown: tells(record, 'startedAt') };
}

/** A histogram that cannot be read costs its figures, not the run its place in the list. */
function latencyOf(record: RunHead): LatencyFigures | undefined {
  try {
    return record.imported === undefined ? figuresOf(record) : toldFigures(record);
  } catch {
    return undefined;
  }
}

function figuresOf({ latency: { transactions } }: RunHead): LatencyFigures | undefined {
  const record = transactions['all']?.response ?? transactions['all']?.service;
  if (record === undefined || record.count === 0) return undefined;
  const histogram = fromLatencyRecord(record);
  const [p50 = 0, p95 = 0, p99 = 0] = [50, 95, 99].map((percentile) => histogram.percentileUs(percentile));
  return { mean: record.meanUs, p50, p95, p99, max: record.maxUs };
}

const TOLD = ['mean', 'p50', 'p95', 'p99', 'max'] as const;
const US_PER_MS = 1_000;

function toldFigures(record: RunHead): LatencyFigures | undefined {
  const figures = TOLD.flatMap((name) => {
    const ms = latencyMetricOf(name)?.of({ ...record, intervals: [] });
    return ms === undefined ? [] : [[name, ms * US_PER_MS] as const];
  });
  return figures.length === 0 ? undefined : Object.fromEntries(figures);
}

export function isWanted(run: RunSummary, filter: RunFilter): boolean {
  const { workload, tags = [], experiment, variant, since, until, target, isValid, host } = filter;
  const place = run.experiment;
  return (
    (workload === undefined || run.workload === workload) &&
    tags.every((tag) => run.tags.includes(tag)) &&
    (experiment === undefined || place?.id === experiment || place?.name === experiment) &&
    (variant === undefined || place?.variant === variant) &&
    (since === undefined || run.startedAt >= since) &&
    (until === undefined || run.startedAt < until) &&
    (target === undefined || contains(`${run.target} ${run.address}`, target)) &&
    (isValid === undefined || run.isValid === isValid) &&
    (host === undefined || run.host?.toLowerCase() === host.toLowerCase())
  );
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
