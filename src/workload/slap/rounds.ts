/** For each engine, each number of clients and each iteration a round, as mysqlslap has them. */
import { UserError } from '../../base/errors.ts';
import type { Round, Rounds, RoundsContext, RoundsDatabase } from '../rounds.ts';
import {
  CSV_TO_STDOUT,
  clientsOf,
  makesDatabase,
  queriesPerClient,
  readEngine,
  SCHEMA_DEFAULT,
  type SLAP_OPTIONS,
  type SlapOptions,
} from './options.ts';
import { printedLines } from './print.ts';
import { summarize } from './results.ts';

type Schema = typeof SLAP_OPTIONS;

export function roundsOf(options: SlapOptions, context: RoundsContext): Rounds<Schema> {
  const clients = clientsOf(options, context.threads);
  const lacking = clients.find((count) => queriesPerClient(options, count) === 0);
  if (lacking !== undefined) {
    throw new UserError(
      `--number-of-queries=${options.number_of_queries} leaves none for each of ${lacking} clients.`,
      {
        hint: 'Give as many queries as there are clients, or more.',
      },
    );
  }
  const rounds = (options.engine.length === 0 ? [undefined] : options.engine).flatMap((engine) =>
    clients.flatMap((count) =>
      Array.from({ length: options.iterations }, (_, iteration) => roundOf(options, { engine, count, iteration })),
    ),
  );
  const database = databaseOf(options);
  return {
    rounds,
    database,
    shell: { before: options.pre_system, after: options.post_system },
    notes: notesOf(options, clients),
    output: {
      says: options.silent || options.csv === CSV_TO_STDOUT ? 'nothing' : options.verbose ? 'all' : 'summary',
      csv: options.csv,
      ...(options.only_print ? { printed: printedLines(rounds, database, context.seed) } : {}),
    },
    summarize,
  };
}

interface Place {
  readonly engine: string | undefined;
  readonly count: number;
  readonly iteration: number;
}

function roundOf(options: SlapOptions, { engine, count, iteration }: Place): Round<Schema> {
  const parts = [
    ...(engine === undefined ? [] : [readEngine(engine).name]),
    `${count} ${count === 1 ? 'client' : 'clients'}`,
    ...(options.iterations === 1 ? [] : [`iteration ${iteration + 1}`]),
  ];
  return {
    label: parts.join(', '),
    threads: count,
    options: { ...options, concurrency: [String(count)], engine: engine === undefined ? [] : [engine] },
    reconnectEveryEvents: options.detach / Math.max(1, options.commit),
  };
}

function databaseOf(options: SlapOptions): RoundsDatabase {
  const { create_schema: name, drop_existing: dropsOthers, no_drop: isKept } = options;
  if (!makesDatabase(options)) return { is: 'there', name: name === '' ? undefined : name };
  return { is: 'made', name: name === '' ? SCHEMA_DEFAULT : name, dropsOthers, isKept };
}

function notesOf({ number_of_queries: queries }: SlapOptions, clients: readonly number[]): string[] {
  const uneven = clients.filter((count) => queries % count !== 0);
  return uneven.map((count) => {
    const share = Math.floor(queries / count);
    return `--number-of-queries=${queries} is no multiple of ${count} clients: each runs ${share}, ${share * count} together`;
  });
}
