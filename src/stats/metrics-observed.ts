/**
 * What was watched beside the load, as metrics: what one transaction cost, and every value of docs/probes.md. Each is
 * of the whole measured part, from its first and last moment, and absent where it was not to be had: never zero then.
 */
import { tells } from '../model/imported.ts';
import type { RunRecord } from '../model/run.ts';
import type { Metric } from './metrics.ts';
import { own } from './own.ts';

interface PerTransaction {
  readonly unit: string;
  /** Of a second, over the measured part. */
  readonly perS: (record: RunRecord) => number | undefined;
}

const US_PER_S = 1_000_000;
const PROBE_NAME = /^([a-z]\w*)\.(\S+)$/;

/** Each from one source alone: figures of two sources are not the same figure. */
export const PER_TRANSACTION: Readonly<Record<string, PerTransaction>> = {
  'serverCpuUs/transaction': { unit: 'us', perS: probe('server_process.cpu_cores', US_PER_S) },
  'clientCpuUs/transaction': { unit: 'us', perS: probe('client.cpu_cores', US_PER_S) },
  'diskReads/transaction': { unit: 'count', perS: probe('disk.data_disk.reads_per_s') },
  'diskWrites/transaction': { unit: 'count', perS: probe('disk.data_disk.writes_per_s') },
  'diskBytesRead/transaction': { unit: 'bytes', perS: probe('disk.data_disk.read_bytes_per_s') },
  'diskBytesWritten/transaction': { unit: 'bytes', perS: probe('disk.data_disk.written_bytes_per_s') },
  'bytesRead/transaction': { unit: 'bytes', perS: probe('server_process.read_bytes_per_s') },
  'bytesWritten/transaction': { unit: 'bytes', perS: probe('server_process.written_bytes_per_s') },
  'poolMisses/transaction': { unit: 'count', perS: probe('buffer_pool.misses_per_s') },
  'fsyncs/transaction': { unit: 'count', perS: probe('redo_log.fsyncs_per_s') },
  'redoBytes/transaction': { unit: 'bytes', perS: probe('redo_log.bytes_per_s') },
  'rowsRead/transaction': { unit: 'count', perS: total('rowsRead', ({ rowsRead }) => rowsRead) },
  'networkBytes/transaction': { unit: 'bytes', perS: total('bytes', ({ bytes }) => bytes.sent + bytes.received) },
};

export function perTransactionMetric(name: string): Metric | undefined {
  const found = own(PER_TRANSACTION, name);
  if (found === undefined) return undefined;
  const { unit, perS } = found;
  return {
    name,
    unit,
    better: 'lower',
    of(record) {
      const { transactionsPerS } = record.rates;
      const value = perS(record);
      return value === undefined || !(transactionsPerS > 0) ? undefined : value / transactionsPerS;
    },
  };
}

/** A percentile without its parentheses is no probe, and neither is a condition. */
const NO_PROBE = /[()<>=]|^p\d/;

/** Undefined where the name cannot be one of a probe. Which there are, only a run can tell. */
export function probeMetricOf(name: string): Metric | undefined {
  if (!PROBE_NAME.test(name) || NO_PROBE.test(name)) return undefined;
  return { name, unit: unitOf(name), better: MORE_IS_BETTER.test(name) ? 'higher' : 'lower', of: probe(name) };
}

export function observedNamesOf({ series = {} }: RunRecord): string[] {
  return Object.entries(series).flatMap(([name, { measured }]) =>
    Object.keys(measured).map((value) => `${name}.${value}`),
  );
}

/** Of the others, less is better: they are what work costs, what is waited for, or what goes wrong. */
const MORE_IS_BETTER = new RegExp(
  [
    '^server_work\\.(questions|select|insert|update|delete|begin|commit|bytes_\\w+)_per_s$',
    '^binlog\\.commits_per_\\w+$',
    '^clock_speed\\.\\w*(mhz|ratio)$',
    '^memory_swap\\.available_\\w+$',
    '^buffer_pool\\.free_bytes$',
    '^replication\\.cluster_size$',
  ].join('|'),
);

/** Units are part of the names of probes, the most telling ending first. */
const UNIT_BY_ENDING: readonly (readonly [RegExp, string])[] = [
  [/_bytes_per_s$|bytes_\w+_per_s$|\.bytes_per_s$/, 'bytes/s'],
  [/_ms_per_s$/, 'ms/s'],
  [/_s_per_s$/, 's/s'],
  [/_per_s$/, '1/s'],
  [/_bytes$/, 'bytes'],
  [/_ms$/, 'ms'],
  [/_mhz$/, 'MHz'],
  [/cores$|cpu_per_worker$/, 'cores'],
  [/ratio$|utilisation$|utilization$|^cpu\.|^pressure\./, 'ratio'],
];

function unitOf(name: string): string {
  return UNIT_BY_ENDING.find(([ending]) => ending.test(name))?.[1] ?? 'count';
}

function probe(name: string, factor = 1): (record: RunRecord) => number | undefined {
  const [, of = '', value = ''] = PROBE_NAME.exec(name) ?? [];
  return ({ series }) => {
    const measured = series?.[of]?.measured[value];
    return measured === undefined ? undefined : measured * factor;
  };
}

function total(name: string, count: (totals: RunRecord['totals']) => number): PerTransaction['perS'] {
  return (record) =>
    tells(record, `totals.${name}`) && record.totals.elapsedS > 0
      ? count(record.totals) / record.totals.elapsedS
      : undefined;
}
