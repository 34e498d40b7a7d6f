/** prepare, prewarm, cleanup and check: what is done to the data before and after the runs. */
import { ExitCode, UserError } from '../base/errors.ts';
import { createKeyDistribution } from '../load/distribution.ts';
import type { RandSettings } from '../load/plan.ts';
import { connect } from '../wire/connection.ts';
import { ServerError } from '../wire/errors.ts';
import type { ConnectOptions } from '../wire/types.ts';
import { databaseMissing, preflight } from '../workload/preflight.ts';
import { quoteName } from '../workload/sql.ts';
import type { CheckResult, MaintenanceContext, TargetProblem, Workload } from '../workload/workload.ts';
import { checkOptions, remediesOf, stopOnProblems } from './target-check.ts';

export type MaintenanceCommand = 'prepare' | 'prewarm' | 'cleanup' | 'check';

export interface MaintenanceRequest {
  /** Connections take them in turn. */
  readonly targets: readonly ConnectOptions[];
  readonly workload: Workload;
  readonly workloadName: string;
  readonly workloadOptions: Readonly<Record<string, unknown>>;
  readonly threads: number;
  readonly seed: number;
  readonly rand: RandSettings;
  /** False with `--db-ps-mode=disable`. */
  readonly preparedStatements: boolean;
}

export interface MaintenanceView {
  onNote(line: string): void;
  /** Steps of one activity, such as rows loaded. */
  onAdvance(activity: string, done: number, total: number): void;
}

/**
 * Throws a `UserError` with the remedy where the server or the data stands in the way, and the signal's reason where it
 * was interrupted: prepare then goes on from there when it is given again.
 */
export async function maintain(
  command: MaintenanceCommand,
  request: MaintenanceRequest,
  view: MaintenanceView,
  signal: AbortSignal,
): Promise<void> {
  checkOptions(request.workload, request.workloadOptions);
  if (command === 'check') return check(request, view, signal);
  const work = request.workload[command];
  if (work === undefined) {
    throw new UserError(`${request.workloadName} has no ${command}.`, { hint: 'It needs none: go on without.' });
  }
  if (command === 'prepare') await checkBeforePrepare(request, view);
  await work(contextOf(request, view, signal));
  signal.throwIfAborted();
}

/** Where the database exists already, nothing is changed. */
export async function createDatabase(target: ConnectOptions): Promise<void> {
  const { database, ...server } = target;
  if (database === undefined) return;
  await using connection = await connect(server);
  await connection.execute(`CREATE DATABASE IF NOT EXISTS ${quoteName(database)}`);
}

/** The same look at the server and the data that each run begins with; then the workload's own conditions. */
async function check(request: MaintenanceRequest, view: MaintenanceView, signal: AbortSignal): Promise<void> {
  const problems = await problemsOf(request, false);
  for (const { severity, is, remedy } of problems) if (severity === 'warning') view.onNote(`Warning: ${is} ${remedy}`);
  const stops = problems.filter(({ severity }) => severity === 'stop');
  if (stops.length === 0) {
    view.onNote(`${request.workloadName}: the server and the data are ready.`);
    return checkConditions(request, view, signal);
  }
  throw new UserError(`${request.workloadName} could not run: ${stops.map(({ is }) => is).join(' ')}`, {
    hint: remediesOf(stops).join(' '),
    exitCode: ExitCode.checkFailed,
  });
}

async function checkConditions(request: MaintenanceRequest, view: MaintenanceView, signal: AbortSignal): Promise<void> {
  const results = (await request.workload.check?.(contextOf(request, view, signal))) ?? [];
  signal.throwIfAborted();
  for (const result of results) view.onNote(checkLine(result));
  const broken = results.filter(({ ok, skipped }) => !ok && skipped !== true);
  if (broken.length === 0) return;
  throw new UserError(`${broken.length} of ${results.length} conditions do not hold.`, {
    hint: 'See the reason beside each. Where none is known, prepare the data again; if they held before a run, the server has lost changes.',
    exitCode: ExitCode.checkFailed,
  });
}

function checkLine({ is, ok, because, skipped }: CheckResult): string {
  const word = skipped === true ? 'skipped' : ok ? 'ok' : 'BROKEN';
  return `${word.padEnd(8)}${is}${because === undefined ? '' : ` (${because})`}`;
}

async function checkBeforePrepare(request: MaintenanceRequest, view: MaintenanceView): Promise<void> {
  const problems = await problemsOf(request, true);
  stopOnProblems(problems);
  for (const { is, remedy } of problems) view.onNote(`Warning: ${is} ${remedy}`);
}

async function problemsOf(request: MaintenanceRequest, isPrepareRun: boolean): Promise<TargetProblem[]> {
  const { workload, workloadOptions, threads, preparedStatements } = request;
  const target = firstOf(request);
  try {
    await using connection = await connect(target);
    return await preflight(connection, workload, workloadOptions, { threads, isPrepareRun, preparedStatements });
  } catch (error) {
    if (!isUnknownDatabase(error)) throw error;
    const { remedy, ...problem } = databaseMissing(target.database ?? '');
    const byPrepare = workload.prepare === undefined ? '' : 'Add --create-database to prepare. ';
    return [{ ...problem, remedy: `${byPrepare}${remedy}` }];
  }
}

function contextOf(request: MaintenanceRequest, view: MaintenanceView, signal: AbortSignal): MaintenanceContext<never> {
  let connected = 0;
  return {
    connect: () => connect(request.targets[connected++ % request.targets.length] ?? firstOf(request)),
    options: request.workloadOptions as never,
    threads: request.threads,
    seed: request.seed,
    keys: createKeyDistribution(request.rand),
    signal,
    progress: {
      note: (line) => view.onNote(line),
      advance: (activity, done, total) => view.onAdvance(activity, done, total),
    },
  };
}

function firstOf({ targets }: MaintenanceRequest): ConnectOptions {
  const [first] = targets;
  if (first === undefined) throw new Error('a request has at least one target');
  return first;
}

/** ER_BAD_DB_ERROR */
function isUnknownDatabase(error: unknown): boolean {
  return error instanceof ServerError && error.code === 1049;
}
