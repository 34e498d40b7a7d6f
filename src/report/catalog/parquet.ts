/**
 * Everything that was measured over time, as Parquet: intervals of the load and series of what was watched, in one long
 * table, a row for each figure at each moment. Its columns are told in docs/reports.md.
 */
import { tells } from '../../model/imported.ts';
import type { Interval, RunRecord } from '../../model/run.ts';
import { fromLatencyRecord } from '../../stats/latency-record.ts';
import { percentilesShown } from '../percentiles.ts';
import { defineBinaryReport } from '../report.ts';

/** The source of the figures of intervals; others are names of probes. */
const LOAD = 'load';

interface Row {
  readonly run: string;
  readonly workload: string;
  readonly source: string;
  readonly figure: string;
  readonly unit: string;
  /** Seconds since the measured part began; series have moments, and no beginning. */
  readonly startS: number | undefined;
  readonly endS: number;
  readonly isWarmup: boolean;
  readonly value: number | undefined;
}

export default defineBinaryReport({
  summary: 'Parquet for DuckDB, pandas and others: every interval and every series, a row for each figure.',
  extension: 'parquet',
  async renderBytes({ runs }) {
    // Nobody else waits for it to load.
    const { parquetWriteBuffer } = await import('hyparquet-writer');
    const rows = runs.flatMap((run) => [...loadRows(run), ...seriesRows(run)]);
    const text = (name: string, of: (row: Row) => string) =>
      ({ name, data: rows.map(of), type: 'STRING', nullable: false }) as const;
    const number = (name: string, of: (row: Row) => number | undefined) =>
      ({ name, data: rows.map(of), type: 'DOUBLE', nullable: true }) as const;
    const buffer = parquetWriteBuffer({
      columnData: [
        text('run', ({ run }) => run),
        text('workload', ({ workload }) => workload),
        text('source', ({ source }) => source),
        text('figure', ({ figure }) => figure),
        text('unit', ({ unit }) => unit),
        number('start_s', ({ startS }) => startS),
        number('end_s', ({ endS }) => endS),
        { name: 'is_warmup', data: rows.map(({ isWarmup }) => isWarmup), type: 'BOOLEAN', nullable: false },
        number('value', ({ value }) => value),
      ],
      createdBy: 'sqldyno',
    });
    return new Uint8Array(buffer);
  },
});

function loadRows(run: RunRecord): Row[] {
  const percentiles = percentilesShown(run.load.percentiles);
  return run.intervals.flatMap((interval) => {
    const { startS, endS, isWarmup } = interval;
    const place = { run: run.id, workload: run.workload.name, source: LOAD, startS, endS, isWarmup };
    return toldOf(run, figuresOf(interval, percentiles)).map(([figure, unit, value]) => ({
      ...place,
      figure,
      unit,
      value,
    }));
  });
}

const PATHS: Readonly<Record<string, string>> = {
  sessions: 'sessionsActive',
  reads: 'statements.read',
  writes: 'statements.write',
  others: 'statements.other',
};

/** What another tool does not tell has no row. */
function toldOf(run: RunRecord, figures: readonly Figure[]): readonly Figure[] {
  return figures.filter(([name]) => tells(run, `intervals.${PATHS[name] ?? name}`));
}

type Figure = readonly [name: string, unit: string, value: number | undefined];

function figuresOf(interval: Interval, percentiles: readonly number[]): Figure[] {
  const { startS, endS, transactions, statements, latency, queueLength, concurrency, dropped } = interval;
  const histogram = fromLatencyRecord(latency);
  // Where nothing was measured there is no latency: 0 would be the best of all.
  const measured = (us: number) => (latency.count === 0 ? undefined : us);
  const openLoop: readonly Figure[] = [
    ['queue_length', 'count', queueLength],
    ['concurrency', 'count', concurrency],
    ['dropped', 'count', dropped],
  ];
  return [
    ['sessions', 'count', interval.sessionsActive],
    ['transactions', 'count', transactions],
    ['transactions_per_s', '1/s', endS > startS ? transactions / (endS - startS) : 0],
    ['reads', 'count', statements.read],
    ['writes', 'count', statements.write],
    ['others', 'count', statements.other],
    ['errors', 'count', interval.errors],
    ['retries', 'count', interval.retries],
    ['reconnects', 'count', interval.reconnects],
    ...openLoop.filter(([, , value]) => value !== undefined),
    ['latency_min', 'us', measured(latency.minUs)],
    ['latency_mean', 'us', measured(latency.meanUs)],
    ...percentiles.map(
      (percentile): Figure => [`latency_p${percentile}`, 'us', measured(histogram.percentileUs(percentile))],
    ),
    ['latency_max', 'us', measured(latency.maxUs)],
  ];
}

function seriesRows({ id, workload, series = {} }: RunRecord): Row[] {
  return Object.entries(series).flatMap(([source, { atS, values }]) =>
    Object.entries(values).flatMap(([figure, { unit, points }]) =>
      points.map((point, at) => ({
        ...{ run: id, workload: workload.name, source, figure, unit },
        ...{ startS: undefined, endS: atS[at] ?? 0, isWarmup: (atS[at] ?? 0) <= 0, value: point ?? undefined },
      })),
    ),
  );
}
