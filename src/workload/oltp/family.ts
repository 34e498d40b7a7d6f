/** Makes a workload of the OLTP family out of its groups of statements: what they share is here, once. */
import type { SqlParameter } from '../../wire/types.ts';
import type { LoadStatement, MixLine, Needs, Session, SessionContext, Workload } from '../workload.ts';
import { defineWorkload } from '../workload.ts';
import { type CheckRules, runChecked } from './checks.ts';
import { cleanupTables } from './cleanup.ts';
import { DATA_OPTIONS, OLTP_OPTIONS, type OltpOptions, problemsOfTableOptions, TABLE_DETAILS } from './options.ts';
import { prepareTables } from './prepare.ts';
import { prewarmTables } from './prewarm.ts';
import { type Draws, GROUPS, type Group, type GroupName, STATEMENTS, type StatementName } from './statements.ts';
import { tableName, tableNames, tableNeeds } from './tables.ts';

export interface OltpMix {
  readonly summary: string;
  readonly details?: readonly string[];
  /** Options declared otherwise than the family's. */
  readonly options?: Partial<OltpSchema>;
  /** Its one transaction type, as the report names it. */
  readonly transaction: string;
  /** In the order in which they are sent. */
  readonly groups: readonly GroupName[];
  /** BEGIN … COMMIT around the groups, unless `--skip-trx`. */
  readonly hasTransaction: boolean;
  /** Fewest rows in each table; absent: all of table_size. */
  readonly rowsMin?: number;
}

type OltpSchema = typeof OLTP_OPTIONS;

export function defineOltp(mix: OltpMix): Workload<OltpSchema> {
  return defineWorkload<OltpSchema>({
    summary: mix.summary,
    details: [...(mix.details ?? []), TABLE_DETAILS],
    options: { ...OLTP_OPTIONS, ...mix.options },
    validate: (options) => problemsOf(mix, options),
    needs: (options) => needsOf(mix, options),
    mix: (options) => mixOf(mix, options),
    prepare: prepareTables,
    dataOptions: DATA_OPTIONS,
    prewarm: prewarmTables,
    cleanup: cleanupTables,
    session: (context) => openSession(mix, context),
  });
}

function groupsOf(mix: OltpMix, options: OltpOptions): Group[] {
  return mix.groups.map((name): Group => GROUPS[name]).filter((group) => options.range_selects || !group.isRange);
}

function isTransactional(mix: OltpMix, options: OltpOptions): boolean {
  return mix.hasTransaction && !options.skip_trx;
}

function problemsOf(mix: OltpMix, options: OltpOptions): string[] {
  const problems = problemsOfTableOptions(options);
  if (mixOf(mix, options).length === 0) {
    problems.push('These options leave no statement to send: ask for at least one, such as --point-selects=1.');
  }
  return problems;
}

function mixOf(mix: OltpMix, options: OltpOptions): MixLine[] {
  const lines = groupsOf(mix, options).flatMap((group) =>
    group.statements.map((name) => ({ name, kind: STATEMENTS[name].kind, perTransaction: group.count(options) })),
  );
  const sent: MixLine[] = lines.filter((line) => line.perTransaction > 0);
  if (!isTransactional(mix, options)) return sent;
  const begin = { name: 'begin', kind: 'other', perTransaction: 1 } as const;
  return [begin, ...sent, { ...begin, name: 'commit' }];
}

function needsOf(mix: OltpMix, options: OltpOptions): Needs {
  const names = groupsOf(mix, options).flatMap((group) => group.statements);
  return {
    // As sysbench: every statement of every table, wanted in the end or not, and BEGIN and COMMIT.
    statementsPerSession: names.length * options.tables + (isTransactional(mix, options) ? 2 : 0),
    writes: names.some((name) => STATEMENTS[name].kind === 'write'),
    tables: tableNeeds(options.tables, mix.rowsMin ?? options.table_size),
    probes: names.map((name) => STATEMENTS[name].sql(tableName(1))),
  };
}

/** One statement of a group, prepared on every table. */
interface Step {
  /** Reused for every event. */
  readonly parameters: SqlParameter[];
  readonly runOnTable: readonly ((parameters: readonly SqlParameter[]) => Promise<unknown>)[];
}

interface OpenGroup {
  readonly group: Group;
  readonly count: number;
  readonly steps: readonly Step[];
  readonly parameters: readonly SqlParameter[][];
}

async function openSession(mix: OltpMix, context: SessionContext<OltpSchema>): Promise<Session> {
  const { connection, options } = context;
  const hasTransaction = isTransactional(mix, options);
  const begin = hasTransaction ? await connection.statement('begin', 'other', 'BEGIN') : undefined;
  const commit = hasTransaction ? await connection.statement('commit', 'other', 'COMMIT') : undefined;
  const rules: CheckRules = {
    tableSize: options.table_size,
    rangeSize: options.range_size,
    isEveryIdThere: hasTransaction || !mix.groups.some((name) => isDeleting(GROUPS[name])),
  };
  const groups: OpenGroup[] = [];
  for (const group of groupsOf(mix, options)) groups.push(await openGroup(group, context, rules));
  const draws: Draws = {
    random: context.random,
    keys: context.keys,
    tableSize: options.table_size,
    rangeSize: options.range_size,
  };
  const run =
    begin !== undefined && commit !== undefined
      ? runInTransaction(groups, draws, options.tables, { begin, commit })
      : runAlone(groups, draws, options.tables);
  return { [mix.transaction]: { weight: 1, transactional: hasTransaction, run } };
}

function isDeleting(group: Group): boolean {
  return group.statements.includes('delete');
}

async function openGroup(group: Group, context: SessionContext<OltpSchema>, rules: CheckRules): Promise<OpenGroup> {
  const steps: Step[] = [];
  for (const name of group.statements) steps.push(await openStep(name, context, rules));
  return { group, count: group.count(context.options), steps, parameters: steps.map((step) => step.parameters) };
}

async function openStep(name: StatementName, context: SessionContext<OltpSchema>, rules: CheckRules): Promise<Step> {
  const { kind, sql } = STATEMENTS[name];
  const runOnTable: Step['runOnTable'][number][] = [];
  for (const table of tableNames(context.options.tables)) {
    const statement = await context.connection.statement(name, kind, sql(table));
    runOnTable.push(
      context.validate
        ? (parameters) => runChecked(statement, name, { table, rules }, parameters)
        : (parameters) => statement.run(parameters),
    );
  }
  return { parameters: [], runOnTable };
}

function runInTransaction(
  groups: readonly OpenGroup[],
  draws: Draws,
  tables: number,
  { begin, commit }: { readonly begin: LoadStatement; readonly commit: LoadStatement },
): () => Promise<void> {
  return async () => {
    await begin.run();
    await runGroups(groups, draws, tables);
    await commit.run();
  };
}

function runAlone(groups: readonly OpenGroup[], draws: Draws, tables: number): () => Promise<void> {
  const only = groups.length === 1 ? groups[0] : undefined;
  const step = only?.steps.length === 1 && only.count === 1 ? only.steps[0] : undefined;
  if (only === undefined || step === undefined) return () => runGroups(groups, draws, tables);
  // Hot: one statement is the whole transaction, so its promise is the transaction's.
  return () => {
    const table = draws.random.integer(0, tables - 1);
    only.group.draw(draws, only.parameters);
    return step.runOnTable[table]!(step.parameters) as Promise<void>;
  };
}

/** Hot: the table is drawn once for each group, the keys for each statement. */
async function runGroups(groups: readonly OpenGroup[], draws: Draws, tables: number): Promise<void> {
  for (const { group, count, steps, parameters } of groups) {
    const table = draws.random.integer(0, tables - 1);
    for (let time = 0; time < count; time++) {
      group.draw(draws, parameters);
      for (const step of steps) await step.runOnTable[table]!(step.parameters);
    }
  }
}
