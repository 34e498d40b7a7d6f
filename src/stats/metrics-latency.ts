/** Latencies of a run as metrics: `p99(transaction)`, `p95(commit)`, `mean(new_order.queue)`. */
import type { LatencyRecord, RunRecord, TransactionLatency } from '../model/run.ts';
import type { Histogram } from './histogram.ts';
import { fromLatencyRecord } from './latency-record.ts';
import type { Metric } from './metrics.ts';
import { toldFigure } from './metrics-told.ts';
import { own } from './own.ts';

/** All transactions are recorded together under this name. */
const ALL_TRANSACTIONS = 'all';
/** What is asked for by these words, whatever the workload calls its own. */
const ALL_OF_THEM = ['transaction', 'transactions'];

const STATISTIC = /^(p(\d{1,2}(?:\.\d+)?)|min|max|mean)(?:\((.+)\))?$/;

const TOLD_AS: Readonly<Record<string, string>> = { min: 'latencyMinMs', max: 'latencyMaxMs', mean: 'latencyAvgMs' };

type Statistic = (record: LatencyRecord) => number;

/**
 * Undefined where the name is of another form. Without a name it is of all transactions. A transaction goes before a
 * statement of the same name; `statement:NAME` is the statement. `.service`, `.response` and `.queue` say which of
 * three; without them it is what a client waits for: response in the open loop, service in the closed.
 */
export function latencyMetricOf(written: string): Metric | undefined {
  const [, form, percentile, name = 'transaction'] = STATISTIC.exec(written) ?? [];
  if (form === undefined || Number(percentile) === 0) return undefined;
  const statistic = statisticOf(form, percentile);
  const wanted = name.trim();
  return {
    name: `${form}(${wanted})`,
    unit: 'ms',
    better: 'lower',
    of(record) {
      // As it was printed, where another tool measured: its histogram has coarser steps.
      const told = toldFigure(record, toldName(wanted, form));
      if (told !== undefined) return told;
      const latency = latencyNamed(record, wanted);
      return latency === undefined || latency.count === 0 ? undefined : statistic(latency) / 1_000;
    },
  };
}

/** What has a latency, as it is written between the parentheses. */
export function latencyNamesOf({ latency, totals, imported }: RunRecord): string[] {
  const kinds = imported === undefined ? [] : Object.keys(totals.transactions.byName);
  const transactions = [...Object.keys(latency.transactions), ...kinds].filter((name) => name !== ALL_TRANSACTIONS);
  const statements = Object.keys(latency.statements).map((name) =>
    transactions.includes(name) ? `statement:${name}` : name,
  );
  return ['transaction', ...transactions, ...statements];
}

/** `p95`, `latencyAvgMs`, `NEW_ORDER.p95`. */
function toldName(name: string, form: string): string {
  const prefix = ALL_OF_THEM.includes(name) || name === ALL_TRANSACTIONS ? '' : `${name}.`;
  return prefix + (TOLD_AS[form] ?? form.replace(/\.0+$/, ''));
}

function statisticOf(form: string, percentile: string | undefined): Statistic {
  if (percentile !== undefined) return (record) => histogramOf(record).percentileUs(Number(percentile));
  if (form === 'min') return ({ minUs }) => minUs;
  return form === 'max' ? ({ maxUs }) => maxUs : ({ meanUs }) => meanUs;
}

function latencyNamed({ latency }: RunRecord, name: string): LatencyRecord | undefined {
  const statement = /^statement:\s*(.+)$/.exec(name)?.[1];
  if (statement !== undefined) return own(latency.statements, statement);
  const whole = transactionNamed(latency.transactions, name);
  if (whole !== undefined) return whole.response ?? whole.service;
  const [, of = '', which = ''] = /^(.+)\.(service|response|queue)$/.exec(name) ?? [];
  const transaction = transactionNamed(latency.transactions, of);
  return transaction?.[which as keyof TransactionLatency] ?? own(latency.statements, name);
}

function transactionNamed(transactions: RunRecord['latency']['transactions'], name: string) {
  return own(transactions, name) ?? (ALL_OF_THEM.includes(name) ? own(transactions, ALL_TRANSACTIONS) : undefined);
}

/** Several percentiles of one histogram are often asked for, of many runs: each is decoded once, if at all. */
const decoded = new WeakMap<LatencyRecord, Histogram>();

function histogramOf(record: LatencyRecord): Histogram {
  const known = decoded.get(record);
  if (known !== undefined) return known;
  const histogram = fromLatencyRecord(record);
  decoded.set(record, histogram);
  return histogram;
}
