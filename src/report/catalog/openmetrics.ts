/** What runs came to, in OpenMetrics: for Prometheus' textfile collector, a push gateway, or whatever else reads it. */
import { type Imported, tells } from '../../model/imported.ts';
import type { LatencyRecord, RunRecord, TransactionLatency } from '../../model/run.ts';
import { fromLatencyRecord } from '../../stats/latency-record.ts';
import {
  counter,
  gauge,
  info,
  type Labels,
  latencyRecordSamples,
  type MetricFamily,
  openMetricsText,
  type Sample,
} from '../openmetrics.ts';
import { percentilesShown } from '../percentiles.ts';
import { defineReport } from '../report.ts';
import { reasonsAgainst } from '../run-headline.ts';
import { toldText, toolName, UNKNOWN } from '../told.ts';

export default defineReport({
  summary: 'OpenMetrics for Prometheus and its kin: totals, histograms of latency, and what was watched.',
  extension: 'prom',
  render: ({ runs }) => openMetricsText(FAMILIES.map((family) => ofRuns(family, runs))),
});

/** `path`: of the record's field, where a run that another tool measured may not tell it: it has no sample then. */
type FamilyOfRun = Omit<MetricFamily, 'samples'> & { readonly path?: string; of(run: RunRecord): readonly Sample[] };

/** Each sample says of which run it is. */
function ofRuns({ of, path, ...family }: FamilyOfRun, runs: readonly RunRecord[]): MetricFamily {
  const telling = runs.filter((run) => path === undefined || tells(run, path));
  const samples = telling.flatMap((run) =>
    of(run).map((sample) => ({ ...sample, labels: { run: run.id, ...sample.labels } })),
  );
  return { ...family, samples };
}

const FAMILIES: readonly FamilyOfRun[] = [
  {
    name: 'sqldyno_run',
    type: 'info',
    help: 'What was run, and against what.',
    of: (run) => [info(factsOf(run))],
  },
  {
    name: 'sqldyno_run_valid',
    type: 'gauge',
    help: '1 where the run ended as planned and no finding says that it proves nothing.',
    of: (run) => [gauge(reasonsAgainst(run).length === 0 ? 1 : 0)],
  },
  {
    name: 'sqldyno_cross_check_ok',
    type: 'gauge',
    help: '1 where client and server counted the same; absent where they could not be compared.',
    of: ({ crossCheck }) => (crossCheck.is === 'done' ? [gauge(crossCheck.ok ? 1 : 0)] : []),
  },
  {
    name: 'sqldyno_findings',
    type: 'gauge',
    help: 'What must be known to judge the run.',
    of: ({ findings }) => countedBy(findings.map(({ severity, id }) => ({ severity, finding: id }))),
  },
  {
    name: 'sqldyno_measured_seconds',
    path: 'totals.elapsedS',
    type: 'gauge',
    unit: 'seconds',
    help: 'Length of the measured part.',
    of: ({ totals }) => [gauge(totals.elapsedS)],
  },
  {
    name: 'sqldyno_transactions_per_second',
    path: 'rates.transactionsPerS',
    type: 'gauge',
    help: 'Committed transactions a second, over the measured part.',
    of: ({ rates }) => [gauge(rates.transactionsPerS)],
  },
  {
    name: 'sqldyno_statements_per_second',
    path: 'rates.statementsPerS',
    type: 'gauge',
    help: 'Statements of committed transactions a second, over the measured part.',
    of: ({ rates }) => [gauge(rates.statementsPerS)],
  },
  {
    name: 'sqldyno_transactions',
    path: 'totals.transactions',
    type: 'counter',
    help: 'Committed transactions.',
    of: ({ totals }) =>
      Object.entries(totals.transactions.byName).map(([transaction, count]) => counter(count, { transaction })),
  },
  {
    name: 'sqldyno_statements',
    path: 'totals.statements',
    type: 'counter',
    help: 'Statements of committed transactions by kind; wasted: sent in attempts that were undone or failed.',
    of: (run) =>
      (['read', 'write', 'other', 'wasted'] as const)
        .filter((kind) => tells(run, `totals.statements.${kind}`))
        .map((kind) => counter(run.totals.statements[kind], { kind })),
  },
  {
    name: 'sqldyno_errors',
    path: 'totals.errors',
    type: 'counter',
    help: 'Errors, and what was done about them.',
    of: ({ totals }) =>
      totals.errors.map(({ code, sqlState, symbol, policy, count }) =>
        counter(count, { code: String(code), sql_state: sqlState, symbol, policy }),
      ),
  },
  totalFamily('retries', 'Attempts made again after an error.'),
  totalFamily('rollbacks', 'Transactions rolled back by the load engine.'),
  totalFamily('reconnects', 'Connections opened again.'),
  totalFamily('dropped', 'Transactions that were due and found the queue full.'),
  {
    name: 'sqldyno_traffic_bytes',
    path: 'totals.bytes',
    type: 'counter',
    unit: 'bytes',
    help: 'Between client and server, without what the network adds.',
    of: ({ totals: { bytes } }) => [
      counter(bytes.sent, { direction: 'sent' }),
      counter(bytes.received, { direction: 'received' }),
    ],
  },
  {
    name: 'sqldyno_transaction_latency_seconds',
    type: 'histogram',
    unit: 'seconds',
    help: 'Latency of transactions; response, from when it was due, and queue only in the open loop. `all`: together.',
    of: (run) => latenciesOf(run).flatMap(([labels, record]) => latencyRecordSamples(record, labels)),
  },
  {
    name: 'sqldyno_transaction_latency_percentile_seconds',
    type: 'gauge',
    unit: 'seconds',
    help: 'Percentiles of the whole histogram, finer than the buckets tell.',
    of: (run) =>
      run.imported === undefined
        ? latenciesOf(run).flatMap(([labels, record]) => percentileSamples(run, labels, record))
        : importedPercentiles(run.imported),
  },
  {
    name: 'sqldyno_statement_latency_seconds',
    type: 'histogram',
    unit: 'seconds',
    help: 'Latency of statements by name.',
    of: ({ latency }) =>
      Object.entries(latency.statements).flatMap(([statement, record]) => latencyRecordSamples(record, { statement })),
  },
  {
    name: 'sqldyno_client_cpu_seconds',
    path: 'client',
    type: 'counter',
    unit: 'seconds',
    help: 'CPU time that the client itself took.',
    of: ({ client }) => [counter(client.cpuS)],
  },
  {
    name: 'sqldyno_observed',
    type: 'gauge',
    help: 'What was watched of server, host and client, over the whole measured part; names as in docs/probes.md.',
    of: ({ series = {} }) =>
      Object.entries(series).flatMap(([probe, { measured, values }]) =>
        Object.entries(measured).map(([figure, value]) =>
          gauge(value, { probe, figure, unit: values[figure]?.unit ?? '' }),
        ),
      ),
  },
];

function totalFamily(name: 'retries' | 'rollbacks' | 'reconnects' | 'dropped', help: string): FamilyOfRun {
  const path = `totals.${name}`;
  return { name: `sqldyno_${name}`, path, type: 'counter', help, of: ({ totals }) => [counter(totals[name])] };
}

function factsOf(run: RunRecord): Labels {
  const { workload, load, target, tags, ending, seed, sqldyno, experiment, imported } = run;
  const told = (path: string, value: string) => toldText(run, path, () => value);
  return {
    workload: workload.name,
    threads: told('load.threads', String(load.threads)),
    mode: told('load.mode', load.mode),
    server: told('target', target.flavor),
    server_version: told('target', target.version),
    address: told('target', target.address),
    ending: ending.kind,
    tags: tags.join(','),
    seed: told('seed', String(seed)),
    version: sqldyno.version,
    ...(imported === undefined ? {} : { imported_from: toolName(imported) }),
    ...(experiment === undefined ? {} : { experiment: experiment.name, variant: experiment.variant }),
  };
}

const PARTS: readonly (keyof TransactionLatency)[] = ['service', 'response', 'queue'];

function latenciesOf({ latency }: RunRecord): [Labels, LatencyRecord][] {
  return Object.entries(latency.transactions).flatMap(([transaction, parts]) =>
    PARTS.flatMap((part): [Labels, LatencyRecord][] => {
      const record = parts[part];
      return record === undefined || record.count === 0 ? [] : [[{ transaction, part }, record]];
    }),
  );
}

function percentileSamples({ load }: RunRecord, labels: Labels, record: LatencyRecord): Sample[] {
  const histogram = fromLatencyRecord(record);
  return percentilesShown(load.percentiles).map((percentile) =>
    gauge(histogram.percentileUs(percentile) / 1_000_000, { ...labels, percentile: String(percentile) }),
  );
}

/** As they were printed; whether of service or response is not told. */
function importedPercentiles({ figures }: Imported): Sample[] {
  return Object.entries(figures).flatMap(([name, ms]) => {
    const [, kind = 'all', percentile] = /^(?:(.+)\.)?p(\d+(?:\.\d+)?)$/.exec(name) ?? [];
    return percentile === undefined ? [] : [gauge(ms / 1_000, { transaction: kind, part: UNKNOWN, percentile })];
  });
}

/** One sample for each set of labels: two alike would be one series twice. */
function countedBy(all: readonly Labels[]): Sample[] {
  const found = new Map<string, { readonly labels: Labels; count: number }>();
  for (const labels of all) {
    const key = JSON.stringify(labels);
    const known = found.get(key);
    if (known === undefined) found.set(key, { labels, count: 1 });
    else known.count++;
  }
  return [...found.values()].map(({ labels, count }) => gauge(count, labels));
}
