/**
 * Runs that belong together, one after another, each on data of its own: make, run, remove. What is finished is kept,
 * whatever happens to the next; the first that fails is the last.
 */
import { nowMs } from '../base/clock.ts';
import type { RunRecord } from '../model/run.ts';
import type { RoundsDatabase } from '../workload/rounds.ts';
import { maintain } from './maintenance.ts';
import { dropMadeDatabase, makeOwnDatabase, noteTables } from './own-database.ts';
import { type RunRequest, type RunView, runOnce } from './run.ts';
import { runShell } from './shell.ts';

export interface RoundsRequest {
  /** Their targets are in the database of the rounds. */
  readonly runs: readonly RunRequest[];
  readonly database: RoundsDatabase;
  readonly shell: { readonly before: string; readonly after: string };
}

export interface RoundsView {
  /** Round number `index`, from 0, is about to begin. What is returned is disposed of when its load is over. */
  openRun(index: number): RunView & Disposable;
  onRecord(index: number, record: RunRecord): void;
  onNote(line: string): void;
}

export interface RoundsResult {
  /** Of the rounds in order, as far as it came; the last one may have failed or been interrupted. */
  readonly records: readonly RunRecord[];
  /** The round, from 0, in which it ended early. */
  readonly stoppedAt?: number;
  /** Why, where its record does not say it, or where it has none. */
  readonly error?: unknown;
}

/** Never rejects: what went wrong is in the result, beside what had been measured by then. */
export async function runRounds(request: RoundsRequest, view: RoundsView, signal: AbortSignal): Promise<RoundsResult> {
  const records: RunRecord[] = [];
  let stoppedAt = 0;
  const onRecord = (record: RunRecord) => {
    records.push(record);
    view.onRecord(records.length - 1, record);
  };
  try {
    for (const [index, run] of request.runs.entries()) {
      stoppedAt = index;
      signal.throwIfAborted();
      await runRound({ run, index, request }, { ...view, onRecord }, signal);
      if (!isWhole(records[index]!)) return { records, stoppedAt };
    }
    return { records };
  } catch (error) {
    return { records, stoppedAt, error };
  }
}

/** Ended as planned, so that the next round may begin. */
export function isWhole({ ending }: RunRecord): boolean {
  return ending.kind === 'time' || ending.kind === 'events';
}

const SILENT = { onNote: () => {}, onAdvance: () => {} };

interface RoundToRun {
  readonly run: RunRequest;
  readonly index: number;
  readonly request: RoundsRequest;
}

type View = Pick<RoundsView, 'openRun' | 'onNote'> & { onRecord(record: RunRecord): void };

async function runRound({ run, index, request }: RoundToRun, view: View, signal: AbortSignal): Promise<void> {
  const { database, shell } = request;
  const isLast = index === request.runs.length - 1;
  const ownDatabase = database.is === 'made' ? database : undefined;
  const [target] = run.plan.targets;
  if (target === undefined) throw new Error('a plan has at least one target');
  if (ownDatabase !== undefined) await makeOwnDatabase(target, ownDatabase);
  try {
    const startedAtMs = nowMs();
    await maintain('prepare', maintenanceOf(run), { ...SILENT, onNote: view.onNote }, signal);
    const prepared = { startedAtMs, endedAtMs: nowMs() };
    if (ownDatabase !== undefined) await noteTables(target, ownDatabase);
    if (shell.before !== '') await runShell(shell.before, view.onNote, signal);
    const record = await runInView({ ...run, prepared }, view.openRun(index), signal);
    view.onRecord(record);
    if (!isWhole(record)) return;
    if (shell.after !== '') await runShell(shell.after, view.onNote, signal);
    await maintain('cleanup', maintenanceOf(run), SILENT, signal);
  } finally {
    if (ownDatabase !== undefined && !(isLast && ownDatabase.isKept)) await leave(ownDatabase, run, view);
  }
}

async function runInView(run: RunRequest, opened: RunView & Disposable, signal: AbortSignal): Promise<RunRecord> {
  using view = opened;
  return await runOnce(run, view, signal);
}

/** After a failure too; a server that is gone keeps it, and the next run drops it. */
async function leave(
  database: Extract<RoundsDatabase, { is: 'made' }>,
  run: RunRequest,
  view: Pick<RoundsView, 'onNote'>,
): Promise<void> {
  try {
    await dropMadeDatabase(run.plan.targets[0]!, database);
  } catch (error) {
    view.onNote(
      `The database '${database.name}' could not be dropped, which the next run will do: ${(error as Error).message}`,
    );
  }
}

function maintenanceOf({ plan, workload, workloadOptions }: RunRequest): Parameters<typeof maintain>[1] {
  const { targets, threads, seed, rand, preparedStatements } = plan;
  const { name } = plan.workload;
  return { targets, workload, workloadName: name, workloadOptions, threads, seed, rand, preparedStatements };
}
