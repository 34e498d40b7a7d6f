/** A run as the lists of a board show it, and by what it can be found there. */
import { formatBytes, formatCount } from '../base/units.ts';
import { tells } from '../model/imported.ts';
import type { RunRecord } from '../model/run.ts';
import { UNKNOWN } from '../report/told.ts';
import { metricOf } from '../stats/metrics.ts';

export interface BoardRow {
  readonly id: string;
  /** Within the site. */
  readonly page: string;
  readonly data: string;
  readonly startedAt: string;
  readonly isStartKnown: boolean;
  readonly workload: string;
  readonly machine: string;
  /** Flavor and series: `mariadb 10.11`. */
  readonly server: string;
  readonly version: string;
  readonly threads?: number;
  readonly transactionsPerS?: number;
  readonly p95Ms?: number;
  readonly errors?: number;
  readonly durability?: string;
  readonly grade?: string;
  readonly importedFrom?: string;
}

export interface Refusal {
  readonly from: string;
  readonly because: string;
}

const SERIES = /^\d+\.\d+/;

export function boardRow(run: RunRecord): BoardRow {
  const { id, startedAt, workload, target, load, durability, grade, imported } = run;
  const isTargetKnown = tells(run, 'target');
  return {
    id,
    page: `runs/${id}.html`,
    data: `runs/${id}.json`,
    startedAt,
    isStartKnown: tells(run, 'startedAt'),
    workload: workload.name,
    machine: machineOf(run),
    server: isTargetKnown ? `${target.flavor} ${SERIES.exec(target.version)?.[0] ?? target.version}` : UNKNOWN,
    version: isTargetKnown ? `${target.flavor} ${target.version}` : UNKNOWN,
    ...(tells(run, 'load.threads') ? { threads: load.threads } : {}),
    ...figure('transactionsPerS', metricOf('transactions/s').of(run)),
    ...figure('p95Ms', metricOf('p95(transaction)').of(run)),
    ...figure('errors', metricOf('errors').of(run)),
    ...(durability === undefined ? {} : { durability: durability.is }),
    ...(grade === undefined ? {} : { grade: grade.is }),
    ...(imported === undefined ? {} : { importedFrom: imported.tool }),
  };
}

function figure(name: 'transactionsPerS' | 'p95Ms' | 'errors', value: number | undefined): Partial<BoardRow> {
  return value === undefined ? {} : { [name]: value };
}

/** Of the server's host where it was seen; else of the client's, if the server was reached by a socket on it. */
function machineOf({ environment, host, target }: RunRecord): string {
  const seen = environment?.host ?? {};
  const isHere = target.address.startsWith('/') || target.isPrivate;
  const facts = seen['cpu.model'] === undefined && isHere ? (environment?.client ?? {}) : seen;
  const model = facts['cpu.model'] ?? (isHere ? host['cpu'] : undefined);
  if (model === undefined) return UNKNOWN;
  const threads = facts['cpu.threads'] ?? host['cores'];
  const memory = facts['memory.totalBytes'] ?? host['memoryBytes'];
  return [
    String(model).trim(),
    ...(typeof threads === 'number' ? [`${formatCount(threads)} threads`] : []),
    ...(typeof memory === 'number' ? [formatBytes(memory)] : []),
  ].join(', ');
}
