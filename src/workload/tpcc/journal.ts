/**
 * What is kept beside the nine tables. The metadata say how they were made, and which constants belong to them, so that
 * every run and every client machine uses the same. The journal, while a set is being loaded, says which pieces are in.
 */
import type { Connection, SqlValue } from '../../wire/types.ts';
import { asText, quoteText, readRows } from '../sql.ts';
import type { SessionConnection } from '../workload.ts';
import { type DeviationName, deviationsOf, PROFILE_NAMES, type ProfileName } from './deviations.ts';
import { type Constants, drawConstants } from './nurand.ts';
import type { TpccOptions } from './options.ts';
import { type TableSet, tableSet } from './tables.ts';

/** Rises when rows of the same seed become others, or are loaded in other pieces. */
export const DATA_FORMAT = 1;

export interface Metadata {
  readonly format: number;
  readonly state: 'loading' | 'complete';
  readonly profile: ProfileName;
  readonly scale: number;
  readonly seed: number;
  /** Those that shape the data, from the table of deviations. */
  readonly deviations: readonly string[];
  readonly constants: Constants;
}

/** Name and value, so that a later format can add what it needs. */
export function createMetadataSql(set: TableSet, engine: string): string {
  const columns = 'name VARCHAR(40) NOT NULL, value VARCHAR(2000) NOT NULL, PRIMARY KEY (name)';
  return `CREATE TABLE IF NOT EXISTS ${set.metadata} (${columns}) ENGINE = ${engine}`;
}

export function createJournalSql(set: TableSet, engine: string): string {
  return `CREATE TABLE IF NOT EXISTS ${set.journal} (chunk INT NOT NULL, PRIMARY KEY (chunk)) ENGINE = ${engine}`;
}

/** One statement: all of it is there, or nothing. */
export function insertMetadataSql(set: TableSet, metadata: Metadata): string {
  const { constants } = metadata;
  const values: Readonly<Record<string, string | number>> = {
    format: metadata.format,
    state: metadata.state,
    profile: metadata.profile,
    scale: metadata.scale,
    seed: metadata.seed,
    deviations: metadata.deviations.join(','),
    c_last_name_load: constants.lastNameLoad,
    c_last_name_run: constants.lastNameRun,
    c_customer: constants.customer,
    c_item: constants.item,
  };
  const rows = Object.entries(values).map(([name, value]) => `(${quoteText(name)}, ${quoteText(String(value))})`);
  return `INSERT INTO ${set.metadata} (name, value) VALUES ${rows.join(', ')}`;
}

export function setCompleteSql(set: TableSet): string {
  return `UPDATE ${set.metadata} SET value = 'complete' WHERE name = 'state'`;
}

/** Asks one question, over whatever connection there is. */
type Ask = (sql: string) => Promise<readonly (readonly SqlValue[])[]>;

/** Undefined where another program has loaded the data, or nobody, or a prepare was cut off before its first row. */
export async function readMetadata(connection: Connection, set: TableSet): Promise<Metadata | undefined> {
  return askMetadata((sql) => readRows(connection, sql), set);
}

async function askMetadata(ask: Ask, set: TableSet): Promise<Metadata | undefined> {
  const [found] = await ask(
    'SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ' +
      `AND TABLE_NAME = ${quoteText(set.metadata)}`,
  );
  if (Number(found?.[0] ?? 0) === 0) return undefined;
  return metadataOf(await ask(`SELECT name, value FROM ${set.metadata}`));
}

export function metadataOf(rows: readonly (readonly SqlValue[])[]): Metadata | undefined {
  const values = new Map(rows.map(([name, value]) => [asText(name), asText(value)]));
  const number = (name: string) => Number(values.get(name) ?? 0);
  const profile = PROFILE_NAMES.find((name) => name === values.get('profile'));
  if (profile === undefined) return undefined;
  return {
    format: number('format'),
    state: values.get('state') === 'complete' ? 'complete' : 'loading',
    profile,
    scale: number('scale'),
    seed: number('seed'),
    deviations: (values.get('deviations') ?? '').split(',').filter((name) => name !== ''),
    constants: {
      lastNameLoad: number('c_last_name_load'),
      lastNameRun: number('c_last_name_run'),
      customer: number('c_customer'),
      item: number('c_item'),
    },
  };
}

/**
 * The constants of a run: those kept with the first table set, or, where another program has loaded the data, drawn
 * from the seed. What a deviation says of a run's constants holds whatever is kept.
 */
export async function readConstants(
  connection: SessionConnection,
  options: Pick<TpccOptions, 'profile' | 'deviations'>,
  seed: number,
): Promise<Constants> {
  const ask: Ask = async (sql) => {
    const statement = await connection.statement('constants', 'read', sql, { text: true });
    return statement.rows();
  };
  const on = deviationsOf(options);
  const kept = await askMetadata(ask, tableSet(options.profile, 1));
  return kept === undefined ? drawConstants(seed, on) : constantsOf(kept, on);
}

/** Data of one profile may be run with another: then the switches of the run decide what its names are drawn with. */
export function constantsOf({ constants, deviations, seed }: Metadata, on: ReadonlySet<DeviationName>): Constants {
  const differs = RUN_SWITCHES.some((name) => on.has(name) !== deviations.includes(name));
  if (!differs) return constants;
  return { ...constants, lastNameRun: runConstant(constants.lastNameLoad, seed, on) };
}

const RUN_SWITCHES: readonly DeviationName[] = ['last_name_c_same', 'last_name_c_unrelated'];

function runConstant(load: number, seed: number, on: ReadonlySet<DeviationName>): number {
  if (on.has('last_name_c_same')) return load;
  return drawConstants(seed, on, load).lastNameRun;
}
