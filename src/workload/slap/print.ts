/** For `--only-print`: what a run would send, client by client the same. */
import { createRandom } from '../../base/random.ts';
import type { SqlParameter } from '../../wire/types.ts';
import type { Round, RoundsDatabase } from '../rounds.ts';
import { quoteName, quoteText } from '../sql.ts';
import {
  isAuto,
  listLength,
  queriesPerClient,
  readEngine,
  rowsOf,
  type SLAP_OPTIONS,
  type SlapOptions,
} from './options.ts';
import { autoForm, autoParameters, formsOf } from './queries.ts';
import { setUpOf } from './session.ts';
import { statementsOf } from './sql-list.ts';
import { columnsOf, createTableSql, insertRowsSql, valuesAt } from './table.ts';

type SlapRound = Round<typeof SLAP_OPTIONS>;

export function* printedLines(rounds: readonly SlapRound[], database: RoundsDatabase, seed: number): Iterable<string> {
  for (const round of rounds) {
    const { options } = round;
    yield `-- ${round.label}`;
    yield* openLines(database);
    for (const sql of [...tableStatements(options, seed), ...statementsOf(options.pre_query, options.delimiter)]) {
      yield `${sql};`;
    }
    yield `-- the first of ${round.threads} ${round.threads === 1 ? 'client' : 'clients'}`;
    for (const sql of setUpOf(options)) yield `${sql};`;
    yield* clientLines(round, seed);
    yield '-- afterwards';
    for (const sql of statementsOf(options.post_query, options.delimiter)) yield `${sql};`;
    if (database.is === 'made' && !database.isKept) yield `DROP DATABASE ${quoteName(database.name)};`;
  }
}

function openLines(database: RoundsDatabase): string[] {
  const { name } = database;
  if (name === undefined) return [];
  const use = `USE ${quoteName(name)};`;
  return database.is === 'made' ? [`CREATE DATABASE ${quoteName(name)};`, use] : [use];
}

function tableStatements(options: SlapOptions, seed: number): string[] {
  const [written] = options.engine;
  const engine = written === undefined ? undefined : readEngine(written);
  if (isAuto(options)) {
    const rows = Array.from({ length: rowsOf(options) }, (_, row) => insertRowsSql(options, seed, row, row + 1));
    return [createTableSql(options, engine), ...rows];
  }
  return [
    ...(engine === undefined ? [] : [`SET SESSION default_storage_engine = ${engine.name}`]),
    ...statementsOf(options.create, options.delimiter),
  ];
}

/** Its events have the numbers 0, `threads`, 2 x `threads` and so on, from which its keys follow. */
function* clientLines({ options, threads }: SlapRound, seed: number): Iterable<string> {
  const queries = queriesPerClient(options, threads);
  const sqlAt = isAuto(options) ? autoSqlAt(options, seed) : ownSqlAt(options);
  const perEvent = Math.max(1, options.commit);
  const random = createRandom(0);
  for (let position = 0; position < queries; position++) {
    if (position % perEvent === 0) random.restart(seed, (position / perEvent) * threads);
    yield `${sqlAt(position, random)};`;
    const isLast = position + 1 === queries;
    if (options.commit > 0 && (isLast || (position + 1) % perEvent === 0)) yield 'COMMIT;';
  }
}

type SqlAt = (position: number, random: ReturnType<typeof createRandom>) => string;

function ownSqlAt(options: SlapOptions): SqlAt {
  const forms = formsOf(options);
  return (position) => forms[position % forms.length]!.sql;
}

function autoSqlAt(options: SlapOptions, seed: number): SqlAt {
  const columns = columnsOf(options);
  const length = listLength(options);
  const parametersAt = autoParameters(options, seed, (place) => valuesAt(columns, seed, 'queries', place));
  return (position, random) => {
    const parameters = parametersAt(position, random).values();
    return autoForm(options, position % length).sql.replaceAll('?', () => literal(parameters.next().value));
  };
}

function literal(value: SqlParameter | undefined): string {
  return typeof value === 'string' ? quoteText(value) : String(value);
}
