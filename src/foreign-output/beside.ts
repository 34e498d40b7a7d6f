/**
 * Logs of iostat and vmstat that ran beside a load, as series under the names of docs/probes.md. A log does not say
 * when the load began: it is taken to have begun with it, and whoever reads the run is told so.
 */
import type { Series } from '../model/observed.ts';
import type { Finding } from '../model/run.ts';
import type { HostLog, HostLogRow } from './facts.ts';

export interface BesideOptions {
  /** As it was named. */
  readonly source: string;
  /** Of the log, where times of day stand. */
  readonly lines: readonly string[];
  /** The device that holds the data, such as `vda`; absent: the only one there is. */
  readonly dataDisk?: string;
  /** Of the run; absent: all of the log counts. */
  readonly elapsedS: number | undefined;
}

export interface Beside {
  readonly series: Readonly<Record<string, Series>>;
  readonly findings: readonly Finding[];
}

/** One figure of a row under the name of its probe; what it is per, where a mean has to be weighted by something. */
interface Column {
  readonly name: string;
  readonly unit: string;
  readonly factor: number;
  /** Column that counts what this one is a mean of. */
  readonly weight?: string;
}

const KIB = 1_024;
const MIB = 1_048_576;
const OF_DEVICE: Readonly<Record<string, Column>> = {
  'r/s': { name: 'reads_per_s', unit: '1/s', factor: 1 },
  'w/s': { name: 'writes_per_s', unit: '1/s', factor: 1 },
  'f/s': { name: 'flushes_per_s', unit: '1/s', factor: 1 },
  'rkB/s': { name: 'read_bytes_per_s', unit: 'bytes/s', factor: KIB },
  'wkB/s': { name: 'written_bytes_per_s', unit: 'bytes/s', factor: KIB },
  'rMB/s': { name: 'read_bytes_per_s', unit: 'bytes/s', factor: MIB },
  'wMB/s': { name: 'written_bytes_per_s', unit: 'bytes/s', factor: MIB },
  r_await: { name: 'read_latency_ms', unit: 'ms', factor: 1, weight: 'r/s' },
  w_await: { name: 'write_latency_ms', unit: 'ms', factor: 1, weight: 'w/s' },
  f_await: { name: 'flush_latency_ms', unit: 'ms', factor: 1, weight: 'f/s' },
  'aqu-sz': { name: 'queue_length', unit: 'count', factor: 1 },
  'avgqu-sz': { name: 'queue_length', unit: 'count', factor: 1 },
  '%util': { name: 'utilisation', unit: 'ratio', factor: 0.01 },
};
const share = (name: string): Column => ({ name, unit: 'ratio', factor: 0.01 });
/** What iostat calls user has no nice in it, and vmstat's has; both are programs. */
const OF_PROCESSORS: Readonly<Record<string, Column>> = {
  '%user': share('user'),
  '%system': share('system'),
  '%iowait': share('iowait'),
  '%steal': share('steal'),
  us: share('user'),
  sy: share('system'),
  wa: share('iowait'),
  st: share('steal'),
  cs: { name: 'context_switches_per_s', unit: '1/s', factor: 1 },
};
/** In KiB of memory's pages, of which x86 and ARM have 4 as a rule. */
const KIB_PER_PAGE = 4;
const OF_MEMORY: Readonly<Record<string, Column>> = {
  si: { name: 'swap_in_pages_per_s', unit: '1/s', factor: 1 / KIB_PER_PAGE },
  so: { name: 'swap_out_pages_per_s', unit: '1/s', factor: 1 / KIB_PER_PAGE },
};
/** No data are on these. */
const NO_DISK = /^(?:loop|ram|zram|sr|fd)\d/;
/** Where a log does not tell its times; iostat and vmstat are asked for a second as a rule. */
const INTERVAL_S = 1;
const DAY_S = 86_400;

/** Nothing where the texts are no such logs. */
export function besideOf(logs: readonly HostLog[], options: BesideOptions): Beside | undefined {
  if (logs.length === 0) return undefined;
  const series: Record<string, Series> = {};
  const findings: Finding[] = [];
  for (const log of logs) {
    // The first report is of all the time since the machine booted.
    const [, ...reports] = reportsOf(log.rows);
    const everyS = intervalOf(log, options.lines);
    const within = reports.filter(
      (_, at) => (at + 1) * (everyS ?? INTERVAL_S) <= (options.elapsedS ?? Number.MAX_VALUE),
    );
    if (within.length === 0) continue;
    const place: Place = { reports: within, everyS: everyS ?? INTERVAL_S };
    Object.assign(series, log.tool === 'iostat' ? ofIostat(place, options) : ofVmstat(place));
    findings.push(placed(log, everyS, { options, count: within.length, left: reports.length - within.length }));
  }
  return Object.keys(series).length === 0 ? undefined : { series, findings };
}

type Report = ReadonlyMap<string, HostLogRow>;
interface Place {
  readonly reports: readonly Report[];
  readonly everyS: number;
}

/** A name that comes again begins the next. */
function reportsOf(rows: readonly HostLogRow[]): Report[] {
  const reports: Map<string, HostLogRow>[] = [];
  let current = new Map<string, HostLogRow>();
  for (const row of rows) {
    if (current.has(row.of)) {
      reports.push(current);
      current = new Map();
    }
    current.set(row.of, row);
  }
  return [...reports, current];
}

/** By the times of day that stand at or above the first row of each report; undefined where there are none. */
function intervalOf({ rows }: HostLog, lines: readonly string[]): number | undefined {
  let above = 0;
  const timesS = reportsOf(rows).map((report) => {
    const [first] = report.values();
    const text = lines.slice(above, first?.line).join(' ');
    above = Math.max(...[...report.values()].map(({ line }) => line));
    return timeOfDayS(text);
  });
  const stepsS = timesS.flatMap((timeS, at) => {
    const before = timesS[at - 1];
    return timeS === undefined || before === undefined ? [] : [(timeS - before + DAY_S) % DAY_S];
  });
  const sorted = stepsS.filter((stepS) => stepS > 0).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

function timeOfDayS(text: string): number | undefined {
  const [, hours, minutes, seconds, half] =
    [...text.matchAll(/\b(\d{1,2}):(\d\d):(\d\d)(?:\s?([AP])M)?/g)].at(-1) ?? [];
  if (hours === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'P' ? 12 : 0);
  return hour * 3_600 + Number(minutes) * 60 + Number(seconds);
}

function ofIostat(place: Place, { dataDisk }: BesideOptions): Record<string, Series> {
  const names = [...new Set(place.reports.flatMap((report) => [...report.keys()]))];
  const disks = names.filter((name) => name !== 'cpu' && !NO_DISK.test(name));
  const ofData = dataDisk ?? (disks.length === 1 ? disks[0] : undefined);
  const parts = disks.flatMap((device) => [
    { of: device, as: `${device}.` },
    ...(device === ofData ? [{ of: device, as: 'data_disk.' }] : []),
  ]);
  const disk = merged(parts.map(({ of, as }) => seriesFrom(place, { of, as, columns: OF_DEVICE })));
  const processors = names.includes('cpu')
    ? seriesFrom(place, { of: 'cpu', as: '', columns: OF_PROCESSORS })
    : undefined;
  return {
    ...(disk === undefined ? {} : { disk }),
    ...(processors === undefined ? {} : { cpu: withBusy(processors, place, 'cpu') }),
  };
}

function ofVmstat(place: Place): Record<string, Series> {
  const processors = seriesFrom(place, { of: 'system', as: '', columns: OF_PROCESSORS });
  const memory = seriesFrom(place, { of: 'system', as: '', columns: OF_MEMORY });
  return { cpu: withBusy(processors, place, 'system'), memory_swap: memory };
}

/** All but idle, iowait and steal: what `cpu.busy` stands for. */
function withBusy(series: Series, { reports }: Place, of: string): Series {
  const points = reports.map((report) => {
    const values = report.get(of)?.values ?? {};
    const idle = values['%idle'] ?? values['id'];
    if (idle === undefined) return null;
    const others = (values['%iowait'] ?? values['wa'] ?? 0) + (values['%steal'] ?? values['st'] ?? 0);
    return Math.max(0, 100 - idle - others) / 100;
  });
  return {
    ...series,
    values: { busy: { unit: 'ratio', points }, ...series.values },
    measured: { ...meanAs('busy', points), ...series.measured },
  };
}

interface Wanted {
  readonly of: string;
  /** Put before each name. */
  readonly as: string;
  readonly columns: Readonly<Record<string, Column>>;
}

function seriesFrom({ reports, everyS }: Place, { of, as, columns }: Wanted): Series {
  const rows = reports.map((report) => report.get(of)?.values);
  const found = Object.entries(columns).flatMap(([column, { name, unit, factor, weight }]) => {
    const points = rows.map((row) => (row?.[column] === undefined ? null : row[column] * factor));
    if (points.every((point) => point === null)) return [];
    const weights = weight === undefined ? undefined : rows.map((row) => row?.[weight] ?? 0);
    return [{ name: as + name, unit, points, weights }];
  });
  return {
    atS: reports.map((_, at) => (at + 1) * everyS),
    values: Object.fromEntries(found.map(({ name, unit, points }) => [name, { unit, points }])),
    measured: Object.assign({}, ...found.map(({ name, points, weights }) => meanAs(name, points, weights))),
  };
}

/** Intervals are alike long, so that their mean is that of the whole; of means, by how many each is the mean of. */
function meanAs(
  name: string,
  points: readonly (number | null)[],
  weights: readonly number[] = points.map(() => 1),
): Record<string, number> {
  let [sum, weight] = [0, 0];
  for (const [at, point] of points.entries()) {
    if (point === null) continue;
    sum += point * (weights[at] ?? 0);
    weight += weights[at] ?? 0;
  }
  // A disk that was not written to has no write latency.
  return weight === 0 ? {} : { [name]: sum / weight };
}

function merged(all: readonly Series[]): Series | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  return {
    atS: first.atS,
    values: Object.assign({}, ...all.map(({ values }) => values)),
    measured: Object.assign({}, ...all.map(({ measured }) => measured)),
  };
}

interface Counted {
  readonly options: BesideOptions;
  readonly count: number;
  readonly left: number;
}

function placed({ tool }: HostLog, everyS: number | undefined, { options, count, left }: Counted): Finding {
  const every = everyS === undefined ? `${INTERVAL_S} s, which it does not say` : `${everyS} s`;
  const after = left === 0 ? '' : ` ${left} reports after the end of the run were left out.`;
  return {
    id: `imported-${tool}`,
    severity: 'info',
    is: `Figures of the host are from ${options.source}, a log of ${tool}: ${count} reports, one every ${every}.`,
    because: `Its first report, of the time since boot, is left out, and the second is taken to be the run's first.${after}`,
    remedy: 'Start the log together with the load; -t makes it tell its times.',
  };
}
