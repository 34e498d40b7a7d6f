/** The report on a test of the machine: sysbench's fields in sysbench's columns, then what they are worth. */
import { unreachable } from '../base/assert.ts';
import { formatCount, formatDuration, formatRate } from '../base/units.ts';
import type {
  CommitProbe,
  HostTestInterval,
  HostTestMeasured,
  HostTestName,
  HostTestRecord,
  HostTestWork,
} from '../model/host-test.ts';
import type { LatencyRecord } from '../model/run.ts';
import { latencyFields, secondsText } from './interval-line.ts';
import { type Column, hangingLines, noteLines, tableLines, valueLines } from './layout.ts';
import { millisecondCell, percentileCells, percentilesMs } from './percentiles.ts';
import { endingText } from './sections/run.ts';
import { findingLines } from './sections/trust.ts';
import { generalStatistics } from './sysbench-statistics.ts';

const MIB = 2 ** 20;

export function hostTestText(record: HostTestRecord): string {
  const { work, commits, load, comparison } = record;
  const paragraphs = [
    ...(commits === undefined ? [] : [commitLines(commits)]),
    ...(work === undefined
      ? []
      : [...measuredLines(work), generalStatistics({ ...work, percentiles: load.percentiles })]),
    hangingLines('', comparison),
    findingLines(record),
    [endingText(record.ending)],
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Paragraphs: what each test tells before the part that all of them have. */
function measuredLines(work: HostTestWork): string[][] {
  const { measured, eventsPerS, events } = work;
  switch (measured.test) {
    case 'cpu':
      return [['CPU speed:', `    events per second: ${eventsPerS.toFixed(2).padStart(8)}`]];
    case 'memory':
      return [
        [`Total operations: ${events} (${eventsPerS.toFixed(2)} per second)`],
        [`${(measured.bytes / MIB).toFixed(2)} MiB transferred (${(measured.bytesPerS / MIB).toFixed(2)} MiB/sec)`],
      ];
    case 'threads':
      return [
        ['Hand-overs between threads:', ...valueLines('total', ratedCount(measured.yields, work)), ...waits(measured)],
      ];
    case 'mutex':
      return [['Mutexes taken:', ...valueLines('total', ratedCount(measured.locks, work)), ...waits(measured)]];
    case 'fileio':
      return fileioLines(measured, work);
    default:
      return unreachable(measured);
  }
}

function ratedCount(count: number, { elapsedS }: HostTestWork): string {
  return `${formatCount(count)} (${formatRate(elapsedS > 0 ? count / elapsedS : 0)})`;
}

function waits({ lockWaits }: { readonly lockWaits: number }): string[] {
  return valueLines('waited for a lock', `${formatCount(lockWaits)} times`);
}

type MeasuredFileio = Extract<HostTestMeasured, { test: 'fileio' }>;

function fileioLines(measured: MeasuredFileio, { elapsedS }: HostTestWork): string[][] {
  const perS = (count: number) => (elapsedS > 0 ? count / elapsedS : 0).toFixed(2);
  const line = (label: string, value: string) => `    ${label.padEnd(30)}${value}`;
  const { engine, engineVersion = '', endSyncS } = measured;
  return [
    [
      'File operations:',
      line('reads/s:', perS(measured.reads)),
      line('writes/s:', perS(measured.writes)),
      line('fsyncs/s:', perS(measured.syncs)),
    ],
    [
      'Throughput:',
      line('read, MiB/s:', perS(measured.bytesRead / MIB)),
      line('written, MiB/s:', perS(measured.bytesWritten / MIB)),
    ],
    [
      ...valueLines('done by', engine === 'fio' ? `fio ${engineVersion}` : 'threads of this program'),
      ...(endSyncS === undefined
        ? []
        : valueLines('flush at the end', `${formatDuration(endSyncS)}, in none of these figures`)),
    ],
  ];
}

const COMMIT_PERCENTILES = [50, 95, 99] as const;

const COMMIT_COLUMNS: readonly Column[] = [
  { heading: 'written', align: 'left' },
  { heading: 'count', align: 'right' },
  ...['min', ...COMMIT_PERCENTILES.map((percentile) => `p${percentile}`), 'max'].map(
    (heading): Column => ({ heading, align: 'point' }),
  ),
];

function commitLines(probe: CommitProbe): string[] {
  const { directory, fileSystem, recordBytes, overwrite, append } = probe;
  return [
    'Commits, ms:',
    ...tableLines(COMMIT_COLUMNS, [commitRow('over a file', overwrite), commitRow('at its end', append)]),
    ...noteLines(
      `${recordBytes} bytes and fdatasync, one after the other, in ${directory} (${fileSystem}): over a file as InnoDB's redo ` +
        'log, at its end as the binary log.',
    ),
    ...limitLines(probe),
  ];
}

function commitRow(name: string, latency: LatencyRecord): string[] {
  return [
    name,
    formatCount(latency.count),
    millisecondCell(latency.minUs, latency.count),
    ...percentileCells(latency, COMMIT_PERCENTILES),
    millisecondCell(latency.maxUs, latency.count),
  ];
}

/** The figure that decides: a transaction of one connection waits for the median, again and again. */
function limitLines({ overwrite, append }: CommitProbe): string[] {
  if (overwrite.count === 0) return [];
  const redoMs = medianMs(overwrite);
  const bothMs = redoMs + medianMs(append);
  const perS = (ms: number) => `${formatCount(1_000 / Math.max(ms, 0.001))}/s`;
  return [
    '',
    'One connection can commit at most (1 / p50):',
    ...valueLines('redo log durable', `${perS(redoMs)}  innodb_flush_log_at_trx_commit=1`),
    ...(append.count === 0 ? [] : valueLines('and the binary log', `${perS(bothMs)}  the same, and sync_binlog=1`)),
    ...noteLines('Connections that commit at the same time share a flush, so that many of them can have more in all.'),
  ];
}

function medianMs(latency: LatencyRecord): number {
  return percentilesMs(latency, [50])[0] ?? 0;
}

/** One interval as sysbench prints it. */
export function hostTestIntervalLine(
  test: HostTestName,
  interval: HostTestInterval,
  percentiles: readonly number[],
): string {
  const lengthS = interval.endS - interval.startS;
  const perS = (count: number) => (lengthS > 0 ? count / lengthS : 0);
  const stamp = `[ ${secondsText(interval.endS, lengthS)}s ]`;
  const [label, valueMs] = latencyFields(interval, percentiles);
  const count = (name: string) => interval.counts[name] ?? 0;
  switch (test) {
    case 'cpu':
    case 'threads':
    case 'mutex':
      return `${stamp} thds: ${interval.threads} eps: ${perS(interval.events).toFixed(2)} lat (ms,${label}): ${valueMs}`;
    case 'memory':
      return `${stamp} ${perS(count('bytes') / MIB).toFixed(2)} MiB/sec`;
    case 'fileio': {
      const mib = (name: string) => `${perS(count(name) / MIB).toFixed(2)} MiB/s`;
      const syncs = perS(count('syncs')).toFixed(2);
      const figures = `reads: ${mib('bytesRead')} writes: ${mib('bytesWritten')} fsyncs: ${syncs}/s`;
      return `${stamp} ${figures} latency (ms,${label}): ${valueMs}`;
    }
    default:
      return unreachable(test);
  }
}
