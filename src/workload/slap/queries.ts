/** What the clients send: the list of queries, made here or by the user, and how one query of it is sent. */
import type { Random } from '../../base/random.ts';
import type { SqlParameter } from '../../wire/types.ts';
import { type LoadStatement, type SessionContext, type StatementKind, ValidationError } from '../workload.ts';
import { isAuto, listLength, rowsOf, type SLAP_OPTIONS, type SlapOptions } from './options.ts';
import { kindOf, statementsOf, verbOf } from './sql-list.ts';
import { type Columns, columnsOf, keyAt, keySeedOf, TABLE, valuesAt } from './table.ts';

type Context = SessionContext<typeof SLAP_OPTIONS>;

/** Sends query number `position` of one client, from 0; after the last of the list it begins again. */
export type SendQuery = (position: number) => Promise<unknown>;

export interface QueryForm {
  readonly name: string;
  readonly kind: StatementKind;
  readonly sql: string;
}

/** Beyond so many queries of the user's own, a report line for each would bury the others: then by verb. */
const NAMED_QUERIES_MAX = 50;

/** The forms of the queries in the list, place by place; different places may share one. */
export function formsOf(options: SlapOptions): QueryForm[] {
  if (!isAuto(options)) return ownForms(options);
  return Array.from({ length: listLength(options) }, (_, place) => autoForm(options, place));
}

function ownForms({ query, delimiter }: SlapOptions): QueryForm[] {
  const all = statementsOf(query, delimiter);
  const different = [...new Set(all)];
  const byNumber = different.length <= NAMED_QUERIES_MAX;
  return all.map((sql) => ({
    name: byNumber ? `query_${different.indexOf(sql) + 1}` : verbOf(sql) || 'other',
    kind: kindOf(sql),
    sql,
  }));
}

/** Of a list that is made here. */
export function autoForm(options: SlapOptions, place: number): QueryForm {
  const columns = columnsOf(options);
  const type = options.auto_generate_sql_load_type;
  const isKeyed = columns.key !== 'none';
  const names = [...columns.integers, ...columns.texts];
  switch (type) {
    case 'write':
      return insertForm(columns);
    case 'update': {
      const sql = `UPDATE ${TABLE} SET ${names.map((name) => `${name} = ?`).join(', ')}`;
      return isKeyed
        ? { name: 'update_by_key', kind: 'write', sql: `${sql} WHERE id = ?` }
        : { name: 'update', kind: 'write', sql };
    }
    case 'mixed':
      return place % 2 === 0 ? insertForm(columns) : selectForm(names, isKeyed);
    default:
      return selectForm(names, type === 'key');
  }
}

function insertForm({ key, secondary, integers, texts }: Columns): QueryForm {
  const values = [
    ...(key === 'none' ? [] : [key === 'guid' ? 'uuid()' : 'NULL']),
    ...secondary.map(() => 'uuid()'),
    ...[...integers, ...texts].map(() => '?'),
  ];
  return { name: 'insert', kind: 'write', sql: `INSERT INTO ${TABLE} VALUES (${values.join(', ')})` };
}

function selectForm(names: readonly string[], byKey: boolean): QueryForm {
  const sql = `SELECT ${names.join(', ')} FROM ${TABLE}`;
  return byKey
    ? { name: 'select_by_key', kind: 'read', sql: `${sql} WHERE id = ?` }
    : { name: 'select', kind: 'read', sql };
}

/** As text, as mysqlslap sends them: the server parses each. */
export async function openForm(context: Context, { name, kind, sql }: QueryForm): Promise<LoadStatement> {
  return context.connection.statement(name, kind, sql, { text: true });
}

export async function openQueries(context: Context): Promise<SendQuery> {
  return isAuto(context.options) ? openAuto(context) : openOwn(context);
}

async function openOwn(context: Context): Promise<SendQuery> {
  const opened = new Map<string, LoadStatement>();
  const list: LoadStatement[] = [];
  for (const form of formsOf(context.options)) {
    const statement = opened.get(form.sql) ?? (await openForm(context, form));
    opened.set(form.sql, statement);
    list.push(statement);
  }
  return (position) => list[position % list.length]!.run();
}

async function openAuto(context: Context): Promise<SendQuery> {
  const { options, seed, random } = context;
  const even = await openForm(context, autoForm(options, 0));
  const odd = options.auto_generate_sql_load_type === 'mixed' ? await openForm(context, autoForm(options, 1)) : even;
  const parametersAt = autoParameters(options, seed, valuesOfRun(context));
  const length = listLength(options);
  return async (position) => {
    const statement = (position % length) % 2 === 0 ? even : odd;
    const parameters = parametersAt(position, random);
    if (context.validate) await runChecked(statement, parameters);
    else await statement.run(parameters);
  };
}

/** What stands for the placeholders of query number `position` of a client; keys are drawn from `random`. */
export function autoParameters(
  options: SlapOptions,
  seed: number,
  values: (place: number) => readonly SqlParameter[],
): (position: number, random: Random) => SqlParameter[] {
  const { key } = columnsOf(options);
  const forms = [autoForm(options, 0), autoForm(options, 1)];
  const length = listLength(options);
  const keySeed = keySeedOf(seed);
  const lastRow = rowsOf(options) - 1;
  return (position, random) => {
    const place = position % length;
    const { kind, name } = forms[place % 2]!;
    // The values belong to all sessions, and the key does not; a read has no other value.
    const parameters = kind === 'write' ? [...values(place)] : [];
    if (isByKey(name)) parameters.push(keyAt(key, keySeed, random.integer(0, lastRow)));
    return parameters;
  };
}

function isByKey(name: string): boolean {
  return name === 'select_by_key' || name === 'update_by_key';
}

const valuesByRun = new WeakMap<object, (place: number) => readonly SqlParameter[]>();

/** The values of a query are the same for all sessions and all the time: they are made once in each worker. */
function valuesOfRun({ options, seed }: Context): (place: number) => readonly SqlParameter[] {
  const known = valuesByRun.get(options);
  if (known !== undefined) return known;
  const columns = columnsOf(options);
  const made: (readonly SqlParameter[] | undefined)[] = [];
  const values = (place: number) => {
    made[place] ??= valuesAt(columns, seed, 'queries', place);
    return made[place];
  };
  valuesByRun.set(options, values);
  return values;
}

/** Rows of the beginning are there all the time, and one INSERT makes one row. */
async function runChecked(statement: LoadStatement, parameters: readonly SqlParameter[]): Promise<void> {
  const { name } = statement;
  const outcome = await statement.run(parameters);
  if (name === 'select_by_key' && outcome.rowCount !== 1) {
    throw new ValidationError(`${name} (id ${parameters[0]}): expected one row, got ${outcome.rowCount}.`);
  }
  if (name === 'insert' && outcome.affectedRows !== 1) {
    throw new ValidationError(`${name}: expected one row inserted, got ${outcome.affectedRows}.`);
  }
}
