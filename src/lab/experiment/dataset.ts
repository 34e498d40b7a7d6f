/** Which data a variant needs: variants that need the same share one, which is loaded once. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ExperimentPlan, Settings } from '../../model/experiment.ts';
import type { ConnectOptions } from '../../wire/types.ts';
import type { TableNeed } from '../../workload/workload.ts';
import { type MaintenanceCommand, type MaintenanceView, maintain } from '../maintenance.ts';
import type { ServerBinary } from '../server-binary.ts';
import { engineOf, optionsWithEngine } from './engine.ts';
import { plainName } from './option-file.ts';
import type { ResolvedVariant } from './stage.ts';

export interface Dataset {
  /** Equal for variants that need the same. */
  readonly key: string;
  readonly description: Readonly<Record<string, unknown>>;
  /** Of the variant's settings those that shape a data directory or a table when it is made. */
  readonly shaping: Settings;
  readonly options: Readonly<Record<string, unknown>>;
  /** Undefined where the workload leaves it to the server. */
  readonly engine: string | undefined;
  /** False where the run makes its data itself. */
  readonly isLoaded: boolean;
  /** At least so much will be loaded. */
  readonly bytesMin: number;
  /** Whoever agrees in the key can load it. */
  readonly resolved: ResolvedVariant;
}

/** Of settings, those that shape a data directory or a table when it is made; as patterns. */
const SHAPING = [
  'innodb_(?:autoextend_increment|checksum_algorithm|compression_\\w+|data_file_path|default_encryption_key_id)',
  'innodb_(?:default_row_format|encrypt\\w*|file_per_table|fill_factor|page_size|strict_mode|undo_tablespaces)',
  'lower_case_table_names|character_set_server|collation_server|sql_mode',
  'default_storage_engine|default_table_encryption|file_key_management\\w*',
  'plugin_\\w+|aria_block_size|rocksdb_(?:default|override)_cf_options',
];
const SHAPES = new RegExp(`^(?:${SHAPING.join('|')})$`);

/** `asked`: all settings of the variant. `binary`: undefined for a server that is named. */
export function datasetOf(resolved: ResolvedVariant, binary: ServerBinary | undefined, asked: Settings): Dataset {
  const { workload, plan } = resolved;
  const options = optionsWithEngine(resolved);
  const shaping = Object.fromEntries(Object.entries(asked).filter(([name]) => SHAPES.test(plainName(name))));
  const engine = engineOf(workload, options);
  const { tables } = workload.needs(options as never, plan.threads);
  const names = workload.dataOptions ?? Object.keys(options);
  const description = {
    server: binary === undefined ? {} : { path: binary.path, flavor: binary.flavor, version: binary.version },
    settings: sorted(Object.entries(shaping).map(([name, value]) => [plainName(name), value])),
    workload: plan.workload.name,
    ...(plan.workload.path === undefined ? {} : { program: checksumOfFile(plan.workload.path) }),
    options: sorted(
      names.map((name) => [name, name === 'mysql_storage_engine' ? engine?.toLowerCase() : options[name]]),
    ),
    // Where it is one for each session, their number decides.
    tables: tables.map(({ name }) => name),
    rand: plan.rand,
    seed: plan.seed,
  };
  const key = createHash('sha256').update(JSON.stringify(description)).digest('hex').slice(0, KEY_DIGITS);
  return {
    key,
    description,
    shaping,
    options,
    engine,
    isLoaded: !makesItsOwn(resolved, tables),
    bytesMin: tables.reduce((sum, table) => sum + bytesOf(table), 0),
    resolved,
  };
}

const KEY_DIGITS = 16;

function makesItsOwn({ workload, workloadOptions }: ResolvedVariant, tables: readonly TableNeed[]): boolean {
  if (workload.prepare === undefined || workload.rounds !== undefined) return true;
  return tables.length === 0 && workload.work?.(workloadOptions as never)?.sequence !== undefined;
}

/** Of columns of fixed width what they take; of others a guess that is rather too small. */
function bytesOf({ columns, rowsMin }: TableNeed): number {
  const widths = Object.values(columns).map((type) => Number(/\((\d+)/.exec(type)?.[1] ?? WIDTH_OF_OTHERS));
  return rowsMin * widths.reduce((sum, width) => sum + width, ROW_OVERHEAD);
}

const WIDTH_OF_OTHERS = 6;
/** Header, transaction and rollback pointer of a row, and what a page leaves empty. */
const ROW_OVERHEAD = 30;

function checksumOfFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, KEY_DIGITS);
}

function sorted(entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

/** Where the target names none. */
export function databaseOf({ workload, variant }: ResolvedVariant, { loadOptions }: ExperimentPlan): string {
  return String(variant.load?.['mysql_db'] ?? loadOptions['mysql_db'] ?? workload.defaults?.['mysql_db'] ?? 'sbtest');
}

/** Loads, reads or drops the data through the workload. */
export async function maintainDataset(
  command: MaintenanceCommand,
  { resolved, options }: Dataset,
  targets: readonly ConnectOptions[],
  { view, signal }: { readonly view: MaintenanceView; readonly signal: AbortSignal },
): Promise<void> {
  const { workload, plan } = resolved;
  const request = {
    targets,
    workload,
    workloadName: plan.workload.name,
    workloadOptions: options,
    threads: plan.threads,
    seed: plan.seed,
    rand: plan.rand,
    preparedStatements: plan.preparedStatements,
  };
  await maintain(command, request, view, signal);
}
