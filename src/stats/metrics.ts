/**
 * Figures of a run by their names, for comparing runs, for searching, and for gates: `transactions/s`,
 * `p99(transaction)`, `errors`. A name means the same in all of them.
 */
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';
import { tells } from '../model/imported.ts';
import type { PartCost, RunRecord, RunTotals } from '../model/run.ts';
import { latencyMetricOf, latencyNamesOf } from './metrics-latency.ts';
import { observedNamesOf, PER_TRANSACTION, perTransactionMetric, probeMetricOf } from './metrics-observed.ts';
import { toldFigure, toldMetricOf, toldNamesOf } from './metrics-told.ts';
import { own } from './own.ts';

export interface Metric {
  /** As it is written in full: `p99(transaction)` also where `p99` was asked for. */
  readonly name: string;
  /** As in docs/probes.md, and `ms`, `us`, `s`; '' where it is a plain number. */
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** Undefined: the run does not tell. */
  of(record: RunRecord): number | undefined;
}

type Figure = (record: RunRecord) => number | undefined;

const committed = told('totals.transactions', ({ totals }) => totals.transactions.committed);
const errorsOf = told('totals.errors', ({ totals }) => totals.errors.reduce((sum, { count }) => sum + count, 0));

/** Those that take no name of anything. */
const PLAIN: Readonly<Record<string, Omit<Metric, 'name'>>> = {
  'transactions/s': {
    unit: '1/s',
    better: 'higher',
    of: told('rates.transactionsPerS', ({ rates }) => rates.transactionsPerS),
  },
  'statements/s': {
    unit: '1/s',
    better: 'higher',
    of: told('rates.statementsPerS', ({ rates }) => rates.statementsPerS),
  },
  elapsed: { unit: 's', better: 'lower', of: told('totals.elapsedS', ({ totals }) => totals.elapsedS) },
  transactions: { unit: 'count', better: 'higher', of: committed },
  errors: { unit: 'count', better: 'lower', of: errorsOf },
  errorShare: { unit: 'ratio', better: 'lower', of: (record) => quotient(errorsOf(record), committed(record)) },
  retries: { unit: 'count', better: 'lower', of: total('retries') },
  rollbacks: { unit: 'count', better: 'lower', of: total('rollbacks') },
  reconnects: { unit: 'count', better: 'lower', of: total('reconnects') },
  dropped: { unit: 'count', better: 'lower', of: total('dropped') },
  unfinished: { unit: 'count', better: 'lower', of: total('unfinished') },
  cpuUsPerStatement: { unit: 'us', better: 'lower', of: told('client', ({ client }) => client.cpuUsPerStatement) },
};

/** Those that take a name in parentheses, beside latencies. */
const NAMED: Readonly<Record<string, { unit: string; better: Metric['better']; of(name: string): Figure }>> = {
  'transactions/s': {
    unit: '1/s',
    better: 'higher',
    of: (name) => (record) => quotient(own(record.totals.transactions.byName, name), record.totals.elapsedS),
  },
  errors: { unit: 'count', better: 'lower', of: (name) => (record) => errorsNamed(record, name) },
  tally: { unit: 'count', better: 'higher', of: (name) => (record) => own(record.totals.tallies ?? {}, name) },
  part: { unit: 's', better: 'lower', of: (name) => (record) => partS(record, name) },
  partCpu: { unit: 's', better: 'lower', of: (name) => (record) => partOf(record, name)?.cpuS },
  partFsyncs: { unit: 'count', better: 'lower', of: (name) => (record) => partOf(record, name)?.fsyncs },
};

/** One of each form. */
export const METRIC_EXAMPLES: readonly string[] = [
  ...Object.keys(PLAIN),
  'transactions/s(NAME)',
  'p99(transaction)',
  'p50(NAME)',
  'max(statement)',
  'mean(transaction.queue)',
  ...Object.keys(PER_TRANSACTION),
  'errors(1213)',
  'part(NAME)',
  'partCpu(NAME)',
  'partFsyncs(NAME)',
  'tally(NAME)',
  'told(NAME)',
  'PROBE.NAME',
];

/** As many as are read. */
const SHOWN_EXAMPLES: readonly string[] = ['transactions/s', 'p99(transaction)', 'mean(NAME)', 'errors', 'PROBE.NAME'];

const CALL = /^([a-zA-Z][\w./]*)\((.+)\)$/;

/** Throws a `UserError` where the name is none. Whether there is such a transaction or probe, only a run can tell. */
export function metricOf(written: string): Metric {
  const name = written.trim();
  const plain = own(PLAIN, name);
  if (plain !== undefined) return { name, ...plain };
  const found =
    latencyMetricOf(name) ??
    namedMetric(name) ??
    toldMetricOf(name) ??
    perTransactionMetric(name) ??
    probeMetricOf(name);
  if (found !== undefined) return found;
  throw new UserError(`'${written}' is no metric.`, { hint: hintFor(name) });
}

function namedMetric(written: string): Metric | undefined {
  const [, form = '', name = ''] = CALL.exec(written) ?? [];
  const found = own(NAMED, form);
  if (found === undefined) return undefined;
  const { unit, better, of } = found;
  return { name: `${form}(${name.trim()})`, unit, better, of: of(name.trim()) };
}

function hintFor(name: string): string {
  const near = nearest(name, METRIC_EXAMPLES) ?? own(CALLED_OTHERWISE, name.toLowerCase());
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  const shown = SHOWN_EXAMPLES.filter((each) => each !== near).join(', ');
  return `${meant}There are ${near === undefined ? '' : 'also '}${shown} and more: docs/metrics.md.`;
}

/** What other tools say. */
const CALLED_OTHERWISE: Readonly<Record<string, string>> = {
  tps: 'transactions/s',
  tpm: 'transactions/s',
  throughput: 'transactions/s',
  qps: 'statements/s',
  queries: 'statements/s',
  latency: 'p99(transaction)',
  time: 'elapsed',
  median: 'p50(transaction)',
  average: 'mean(transaction)',
};

/** All that this run can tell, for a hint where it cannot tell what was asked for. */
export function metricNamesOf(record: RunRecord): string[] {
  const { transactions, tallies = {} } = record.totals;
  return [
    ...Object.entries(PLAIN).flatMap(([name, { of }]) =>
      record.imported === undefined || of(record) !== undefined ? [name] : [],
    ),
    ...latencyNamesOf(record).map((name) => `p99(${name})`),
    ...Object.keys(transactions.byName).map((name) => `transactions/s(${name})`),
    ...(record.serverCost?.parts ?? []).map(({ part }) => `part(${part})`),
    ...Object.keys(tallies).map((name) => `tally(${name})`),
    ...Object.keys(PER_TRANSACTION).filter((name) => perTransactionMetric(name)?.of(record) !== undefined),
    ...toldNamesOf(record),
    ...observedNamesOf(record),
  ];
}

function total(name: 'retries' | 'rollbacks' | 'reconnects' | 'dropped' | 'unfinished'): Figure {
  return told(`totals.${name}`, ({ totals }: { readonly totals: RunTotals }) => totals[name]);
}

/** Undefined where the tool that measured the run does not tell what stands at this path of its record. */
function told(path: string, of: (record: RunRecord) => number): Figure {
  return (record) => (tells(record, path) ? of(record) : undefined);
}

function quotient(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined || !(by > 0) ? undefined : value / by;
}

/** By code or symbol. No such error is none of them: 0. Other tools only count them, and none is none of any kind. */
function errorsNamed(record: RunRecord, name: string): number | undefined {
  if (record.imported !== undefined && errorsOf(record) !== 0) return undefined;
  const found = record.totals.errors.filter(({ code, symbol }) => String(code) === name || symbol === name);
  return found.reduce((sum, { count }) => sum + count, 0);
}

function partOf({ serverCost }: RunRecord, name: string): PartCost | undefined {
  return serverCost?.parts.find(({ part }) => part === name);
}

/** One session does its parts one after another, so that their latencies add up to their duration. */
function partS(record: RunRecord, name: string): number | undefined {
  const elapsedS = toldFigure(record, `${name}.elapsedS`);
  if (elapsedS !== undefined) return elapsedS;
  const cost = partOf(record, name);
  if (cost !== undefined || record.load.threads !== 1) return cost?.elapsedS;
  const service = own(record.latency.transactions, name)?.service;
  return service === undefined || service.count === 0 ? undefined : service.sumUs / 1_000_000;
}
