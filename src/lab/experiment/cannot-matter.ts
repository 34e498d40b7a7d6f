/**
 * What can be said before the first run: that a setting cannot matter here, or will not be what it looks like. Each
 * rule needs the facts it stands on, and is silent without them.
 */
import { formatBytes } from '../../base/units.ts';
import type { ExperimentPlan, Settings, Variant } from '../../model/experiment.ts';
import type { ServerFlavor } from '../../wire/types.ts';

export interface KnownBeforehand {
  readonly flavor?: ServerFlavor;
  /** `10.11.6-MariaDB`. */
  readonly version?: string;
  /** Of the host of the server. */
  readonly memoryBytes?: number;
  /** Of the largest variant; see `dataBytesOf`. */
  readonly dataBytes?: number;
  /** The load of some variant changes rows. */
  readonly writes?: boolean;
  /** Variables of the server where no variant says anything, by name; over what is known of its makers' defaults. */
  readonly variables?: Settings;
}

/** Sentences, for the notes of the plan. */
export function cannotMatter(plan: ExperimentPlan, known: KnownBeforehand): string[] {
  const situation = { plan, known, effective: effectiveOf(plan, known) };
  return [
    ...alreadySo(situation),
    ...nothingWritten(situation),
    ...poolHoldsAll(situation),
    ...poolInstances(situation),
    ...redoLogSize(situation),
    ...poolTooLarge(situation),
    ...durabilityDiffers(situation),
  ];
}

interface Situation {
  readonly plan: ExperimentPlan;
  readonly known: KnownBeforehand;
  /** By variant. */
  readonly effective: ReadonlyMap<string, Settings>;
}

function effectiveOf(plan: ExperimentPlan, known: KnownBeforehand): ReadonlyMap<string, Settings> {
  const usual = { ...makersDefaults(known), ...asVariables({ ...known.variables, ...plan.settings }) };
  return new Map(plan.variants.map((variant) => [variant.name, { ...usual, ...turnedOf(variant) }]));
}

function turnedOf({ settings, global, persist }: Variant): Settings {
  return asVariables({ ...settings, ...global, ...persist });
}

/** `skip_log_bin` is `log_bin` off, and `log_bin=NAME` is `log_bin` on: the variable knows no more. */
function asVariables(settings: Settings): Settings {
  const entries = Object.entries(settings).map(([written, value]): [string, string] => {
    const name = written.replace(/^loose_/, '');
    if (name === 'skip_log_bin' || name === 'disable_log_bin') return ['log_bin', 'OFF'];
    if (name === 'log_bin') return [name, /^(?:0|off|false)$/i.test(value) ? 'OFF' : 'ON'];
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** Those that people turn without looking. */
function makersDefaults({ flavor, version }: KnownBeforehand): Settings {
  if (flavor === undefined || version === undefined) return {};
  const since = (...wanted: readonly number[]) => isAtLeast(version, wanted);
  if (flavor === 'mariadb') {
    return {
      innodb_adaptive_hash_index: since(10, 5) ? 'OFF' : 'ON',
      innodb_flush_method: since(10, 6) ? 'O_DIRECT' : 'fsync',
      innodb_flush_neighbors: '1',
      innodb_flush_log_at_trx_commit: '1',
    };
  }
  return {
    innodb_adaptive_hash_index: since(8, 4) ? 'OFF' : 'ON',
    innodb_flush_method: since(8, 4) ? 'O_DIRECT' : 'fsync',
    innodb_flush_neighbors: since(8, 0) ? '0' : '1',
    innodb_flush_log_at_trx_commit: '1',
  };
}

/** Names that some variants turn, with the values that they have by variant. */
function turned({ plan, effective }: Situation): Map<string, readonly (string | undefined)[]> {
  const names = new Set(plan.variants.flatMap((variant) => Object.keys(turnedOf(variant))));
  return new Map([...names].map((name) => [name, plan.variants.map((variant) => effective.get(variant.name)?.[name])]));
}

function alreadySo(situation: Situation): string[] {
  const { flavor, version } = situation.known;
  return [...turned(situation)].flatMap(([name, values]) => {
    const [first] = values;
    if (first === undefined || values.length < 2 || values.some((value) => !isSame(value, first))) return [];
    const server = flavor === undefined ? 'this server' : `${title(flavor)} ${version ?? ''}`.trim();
    return [
      `${name} is ${shown(first)} in all variants, with ${server}: turning it on or to this value changes nothing.`,
    ];
  });
}

/** What concerns writing alone: the binary log, the redo log, and how pages are written back. */
const WRITING: readonly string[] = [
  'binlog_cache_size',
  'binlog_format',
  'binlog_row_image',
  'innodb_autoinc_lock_mode',
  'innodb_change_buffering',
  'innodb_doublewrite',
  'innodb_flush_log_at_trx_commit',
  'innodb_flush_neighbors',
  'innodb_flush_sync',
  'innodb_io_capacity',
  'innodb_io_capacity_max',
  'innodb_log_buffer_size',
  'innodb_log_file_size',
  'innodb_log_files_in_group',
  'innodb_max_dirty_pages_pct',
  'innodb_page_cleaners',
  'innodb_purge_threads',
  'innodb_redo_log_capacity',
  'log_bin',
  'sync_binlog',
];

function nothingWritten(situation: Situation): string[] {
  if (situation.known.writes !== false) return [];
  const names = [...turned(situation)].filter(([name, values]) => WRITING.includes(name) && differs(values));
  return names.map(([name]) => `${name} cannot matter here: it concerns writing, and the load only reads.`);
}

/** Pages are not full, and the pool holds other things beside them. */
const POOL_SHARE_FOR_DATA = 0.8;

function poolHoldsAll(situation: Situation): string[] {
  const { dataBytes, writes } = situation.known;
  const pools = poolsOf(situation);
  if (dataBytes === undefined || pools.length < 2 || !differs(pools.map(({ bytes }) => String(bytes)))) return [];
  const holding = pools.filter(({ bytes }) => bytes * POOL_SHARE_FOR_DATA >= dataBytes);
  const smallest = holding.toSorted((a, b) => a.bytes - b.bytes)[0];
  if (smallest === undefined || holding.every(({ bytes }) => bytes === smallest.bytes)) return [];
  const data = `all data, about ${formatBytes(dataBytes)}`;
  const growth = writes === false ? '' : ', as long as it does not grow beyond that';
  if (holding.length === pools.length) {
    return [`innodb_buffer_pool_size cannot matter here: even ${smallest.value} holds ${data}${growth}.`];
  }
  return [`Beyond ${smallest.value}, innodb_buffer_pool_size cannot matter here: that holds ${data}${growth}.`];
}

function poolInstances(situation: Situation): string[] {
  const { flavor, version, variables } = situation.known;
  const values = turned(situation).get('innodb_buffer_pool_instances') ?? [];
  if (values.length === 0 || flavor === undefined) return [];
  if (flavor === 'mariadb') {
    if (version === undefined || !isAtLeast(version, [10, 5])) return [];
    return ['innodb_buffer_pool_instances does nothing: since MariaDB 10.5 the buffer pool is a single one.'];
  }
  const chunk = bytesOf(variables?.['innodb_buffer_pool_chunk_size']) ?? POOL_CHUNK_BYTES;
  return situation.plan.variants.flatMap(({ name }) => {
    const { innodb_buffer_pool_size: size, innodb_buffer_pool_instances: instances } =
      situation.effective.get(name) ?? {};
    const bytes = bytesOf(size);
    const unit = Number(instances) * chunk;
    if (bytes === undefined || !(unit > 0)) return [];
    if (bytes < POOL_BYTES_FOR_INSTANCES) {
      return [`innodb_buffer_pool_instances=${instances} does nothing in ${name}: a pool below 1 GiB is a single one.`];
    }
    if (bytes % unit === 0) return [];
    const rounded = formatBytes(Math.ceil(bytes / unit) * unit);
    return [
      `${name} asks for a pool of ${size}, and MySQL makes ${rounded} of it: a multiple of ${instances} times the chunk.`,
    ];
  });
}

/** Of MySQL, where innodb_buffer_pool_chunk_size says nothing else. */
const POOL_CHUNK_BYTES = 128 * 1024 ** 2;
const POOL_BYTES_FOR_INSTANCES = 1024 ** 3;

function redoLogSize(situation: Situation): string[] {
  const { flavor, version } = situation.known;
  if (flavor !== 'mysql' || version === undefined || !isAtLeast(version, [8, 0, 30])) return [];
  if (!turned(situation).has('innodb_log_file_size')) return [];
  return [
    'innodb_log_file_size is superseded since MySQL 8.0.30: where innodb_redo_log_capacity is set, it does nothing.',
  ];
}

/** Beyond this the host has too little left for everything else. */
const POOL_SHARE_OF_MEMORY_MAX = 0.8;

function poolTooLarge(situation: Situation): string[] {
  const { memoryBytes, dataBytes = Number.POSITIVE_INFINITY } = situation.known;
  if (memoryBytes === undefined) return [];
  const limit = memoryBytes * POOL_SHARE_OF_MEMORY_MAX;
  // A pool takes memory as it fills, and with little data it never does.
  const large = poolsOf(situation).filter(({ bytes }) => bytes > limit && dataBytes > limit);
  return large.map(
    ({ name, value }) =>
      `The pool of ${name}, ${value}, leaves too little of this host's ${formatBytes(memoryBytes)}: it may swap.`,
  );
}

const DURABILITY: readonly string[] = ['innodb_flush_log_at_trx_commit', 'sync_binlog', 'innodb_doublewrite'];

function durabilityDiffers(situation: Situation): string[] {
  if (situation.known.writes !== true) return [];
  const names = [...turned(situation)].filter(([name, values]) => DURABILITY.includes(name) && differs(values));
  if (names.length === 0) return [];
  const list = names.map(([name]) => name).join(' and ');
  return [
    `${list} also ${names.length === 1 ? 'decides' : 'decide'} what a crash loses: a faster variant is not a better one by itself.`,
  ];
}

function poolsOf({ plan, effective }: Situation): { name: string; value: string; bytes: number }[] {
  return plan.variants.flatMap(({ name }) => {
    const value = effective.get(name)?.['innodb_buffer_pool_size'];
    const bytes = bytesOf(value);
    return value === undefined || bytes === undefined ? [] : [{ name, value: sizeShown(value), bytes }];
  });
}

/** A number of bytes is for nobody to read. */
function sizeShown(value: string): string {
  return /^\d+$/.test(value) ? formatBytes(Number(value)) : value;
}

/** `9G`, as the server reads it. */
function bytesOf(value: string | undefined): number | undefined {
  const match = /^(\d+)([kmgt]?)$/i.exec(value ?? '');
  if (match === null) return undefined;
  return Number(match[1]) * 1024 ** ' kmgt'.indexOf((match[2] || ' ').toLowerCase());
}

function differs(values: readonly (string | undefined)[]): boolean {
  return values.some((value) => !isSame(value, values[0]));
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonical(one) === canonical(other);
}

function canonical(value: string): string {
  const word = value.toLowerCase();
  // A switch written alone is on.
  if (['on', 'true', 'yes', '1', ''].includes(word)) return 'on';
  if (['off', 'false', 'no', '0'].includes(word)) return 'off';
  return String(bytesOf(value) ?? word);
}

function shown(value: string): string {
  return value === '' ? 'ON' : sizeShown(value);
}

function title(flavor: ServerFlavor): string {
  return flavor === 'mariadb' ? 'MariaDB' : 'MySQL';
}

function isAtLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split(/[.-]/, wanted.length).map(Number);
  const difference = wanted.map((part, index) => (parts[index] ?? 0) - part).find((delta) => delta !== 0);
  return difference === undefined || difference > 0;
}
