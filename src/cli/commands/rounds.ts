/** `sqldyno WORKLOAD run` where a run consists of rounds: each makes its data, is a run of its own, and removes it. */
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { nowMs } from '../../base/clock.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import { dropOwnDatabase } from '../../lab/own-database.ts';
import { isWhole, type RoundsResult, type RoundsView, runRounds } from '../../lab/rounds.ts';
import type { RunRequest, RunView } from '../../lab/run.ts';
import type { LoadPlan } from '../../load/plan.ts';
import type { RunRecord } from '../../model/run.ts';
import jsonReport from '../../report/catalog/json.ts';
import { newRunId } from '../../store/run-id.ts';
import type { Round, Rounds } from '../../workload/rounds.ts';
import { explainConnectError } from '../connect-errors.ts';
import { type OpenTarget, openTarget } from '../open-target.ts';
import { TO_STDOUT } from '../output-options.ts';
import { planOf } from '../plan-of.ts';
import { printLines } from '../print-sql.ts';
import { exitCodeOf, lastWords, requestOf, sayReport } from '../run-and-report.ts';
import { headerLines } from '../run-header.ts';
import { openRunMetrics, type RunMetrics } from '../run-metrics.ts';
import { openRunView } from '../run-view.ts';
import type { Session } from '../session.ts';
import { tellError } from '../tell-error.ts';
import { jsonText } from '../terminal.ts';
import type { WorkloadLine } from '../workload-line.ts';
import { noteLinesOf, roundLine, roundsHeaderLines, summaryLines } from './rounds-text.ts';

interface Job {
  readonly line: WorkloadLine;
  readonly rounds: Rounds;
  /** Of all rounds: drawn once, where none is given. */
  readonly seed: number;
  readonly session: Session;
}

export async function roundsCommand(line: WorkloadLine, session: Session): Promise<ExitCode> {
  const { name, workload } = line.found;
  const { seed } = planOf(line);
  const rounds = workload.rounds?.(line.workload as never, { threads: line.load.threads, seed });
  if (rounds === undefined) throw new Error(`${name} has no rounds`);
  const job = { line, rounds, seed, session };
  if (line.command === 'run')
    return rounds.output.printed === undefined ? run(job) : print(rounds.output.printed, session);
  if (line.command === 'cleanup') return cleanup(job);
  throw new UserError(`${name} has no ${line.command}.`, { hint: 'Its run makes the data, and removes it.' });
}

async function print(lines: Iterable<string>, session: Session): Promise<ExitCode> {
  await printLines(lines, session);
  return ExitCode.done;
}

async function run(job: Job): Promise<ExitCode> {
  const { rounds, session } = job;
  const { terminal, interrupts } = session;
  requireWritable(rounds.output.csv);
  await using metrics = await openRunMetrics(job.line.metrics, terminal);
  const target = await open(job);
  // What is too much for this line is found before the first round, and not in the middle.
  const runs = requestsOf(job, target);
  for (const text of headerOf(job, target, runs)) sayTo(job, text);
  const result = await runRounds({ ...rounds, runs }, viewOf(job, runs, metrics), interrupts.signal);
  const { records, error } = result;
  // Nothing has been measured: what is wrong is all there is to tell.
  if (records.length === 0 && error !== undefined) throw explained(error, runs);
  const summary = rounds.summarize(records.filter(isWhole));
  if (runs.length > 1) for (const text of summaryLines(summary)) sayTo(job, text);
  writeCsv(job, summary.csv);
  terminal.json(jsonReport.render({ runs: records }));
  return tellEnd(job, result, runs);
}

async function cleanup(job: Job): Promise<ExitCode> {
  const { rounds, line, session } = job;
  const { database } = rounds;
  if (database.is === 'there') {
    throw new UserError(`Nothing of ${line.found.name} is left: these options make no database.`, {
      hint: 'Give those with which it was made, such as --create-schema.',
    });
  }
  const target = await open(job);
  const [first] = target.connections;
  const isDropped = first !== undefined && (await dropOwnDatabase(first, database));
  const name = `'${database.name}'`;
  session.terminal.say(isDropped ? `Dropped the database ${name}.` : `Nothing to drop: there is no database ${name}.`);
  session.terminal.json(jsonText({ command: 'cleanup', workload: line.found.name, target: target.address, isDropped }));
  return ExitCode.done;
}

async function open({ line, rounds, session }: Job): Promise<OpenTarget> {
  const { terminal, interrupts } = session;
  const target = await openTarget(line, {
    signal: interrupts.signal,
    onNote: (note) => terminal.warn(note),
    database: rounds.database,
    makesData: line.command === 'run',
  });
  for (const note of target.notes) terminal.warn(`Note: ${note}`);
  return target;
}

function requestsOf(job: Job, target: OpenTarget): RunRequest[] {
  const { line, rounds, session } = job;
  const tags = isSingle(job) ? [] : [newTag()];
  return rounds.rounds.map((round, index) => {
    const ofRound = isSingle(job) ? [] : [`round-${index + 1}-of-${rounds.rounds.length}`];
    const output = { ...line.output, tag: [...line.output.tag, ...tags, ...ofRound] };
    const plan = planOfRound(job, round, target);
    const todo = { line: { ...line, workload: round.options, output }, plan, isPrivate: target.isPrivate };
    const request = requestOf(todo, session.command);
    return index === 0 ? request : withoutExamination(request);
  });
}

/** The machines were looked at before the first round. */
function withoutExamination(request: RunRequest): RunRequest {
  const { observe } = request;
  return observe === undefined ? request : { ...request, observe: { ...observe, examines: false } };
}

/** The letters by which runs are told apart will do for rounds too. */
function newTag(): string {
  return `rounds-${newRunId(nowMs(), 'rounds').slice(-4)}`;
}

function planOfRound({ line, rounds, seed }: Job, round: Round, target: OpenTarget): LoadPlan {
  const { threads, reconnectEveryEvents } = round;
  const workers = Math.min(line.load.workers, threads);
  const plan = planOf({ ...line, workload: round.options, load: { ...line.load, threads, workers, rand_seed: seed } });
  const { database } = rounds;
  return {
    ...plan,
    targets: target.connections.map((connection) =>
      database.is === 'made' ? { ...connection, database: database.name } : connection,
    ),
    errors: reconnectEveryEvents === 0 ? plan.errors : { ...plan.errors, reconnectEveryEvents },
  };
}

function isSingle({ rounds }: Job): boolean {
  return rounds.rounds.length === 1;
}

function headerOf(job: Job, target: OpenTarget, runs: readonly RunRequest[]): string[] {
  const { line, rounds, seed } = job;
  const [first] = runs;
  if (first === undefined) throw new Error('there is at least one round');
  const shown = { ...target, connections: first.plan.targets };
  const { name } = line.found;
  if (!isSingle(job)) return roundsHeaderLines({ name, rounds, target: shown, seed, tag: first.tags.at(-2) ?? '' });
  const lines = headerLines(line, shown, first.plan);
  return [...lines.slice(0, -1), ...noteLinesOf(rounds), ...lines.slice(-1)];
}

/** To people, who may have asked for silence, or for stdout to be left to the CSV lines. */
function sayTo({ rounds, session }: Job, text: string): void {
  if (rounds.output.says !== 'nothing') session.terminal.say(text);
}

function viewOf(job: Job, runs: readonly RunRequest[], metrics: RunMetrics): RoundsView {
  const { line, rounds, session } = job;
  const { terminal, interrupts } = session;
  return {
    openRun: (index) => {
      if (!isSingle(job)) sayTo(job, `Round ${index + 1} of ${runs.length}: ${rounds.rounds[index]?.label}`);
      const { plan, tags } = runs[index]!;
      const shown = { plan, reportIntervalS: line.load.report_interval, atOnce: interrupts.atOnce };
      const view = rounds.output.says === 'nothing' ? quietView(session) : openRunView(terminal, shown);
      return metrics.watching(view, { workload: line.found.name, plan, tags });
    },
    onRecord: (_, record) => {
      if (rounds.output.says === 'nothing') return;
      if (hasReports(job)) sayReport(record, line, terminal);
      else terminal.say(roundLine(record));
    },
    onNote: (note) => terminal.warn(note),
  };
}

function hasReports(job: Job): boolean {
  const { says } = job.rounds.output;
  return says === 'all' || (says === 'summary' && isSingle(job));
}

function quietView({ terminal, interrupts }: Session): RunView & Disposable {
  return { atOnce: interrupts.atOnce, onNote: (note) => terminal.warn(note), [Symbol.dispose]: () => {} };
}

/** What is missing, and why; the exit code is that of the first thing that went wrong. */
function tellEnd(job: Job, result: RoundsResult, runs: readonly RunRequest[]): ExitCode {
  const { session } = job;
  const { records, error } = result;
  const { terminal } = session;
  const wordsOf = hasReports(job) ? lastWords : allWords;
  for (const record of records) for (const text of wordsOf(record)) terminal.warn(text);
  for (const text of stopLines(job, result)) terminal.warn(text);
  const codes = records.map(exitCodeOf);
  // The result for programs is out already: the runs that there are.
  if (error !== undefined)
    codes.push(tellError(explained(error, runs), { warn: (text) => terminal.warn(text), json: () => {} }));
  return codes.find((code) => code !== ExitCode.done) ?? ExitCode.done;
}

function stopLines({ rounds: { rounds } }: Job, { stoppedAt }: RoundsResult): string[] {
  if (stoppedAt === undefined || rounds.length === 1) return [];
  const missing = rounds.slice(stoppedAt + 1).map(({ label }) => label);
  return [
    `sqldyno: It ended in round ${stoppedAt + 1} of ${rounds.length} (${rounds[stoppedAt]?.label}).`,
    ...(missing.length === 0 ? [] : [`  Not run: ${missing.join('; ')}.`]),
  ];
}

/** A run that proves nothing says so in its report, which has not been shown. */
function allWords(record: RunRecord): string[] {
  const invalid = record.findings.filter(({ severity }) => severity === 'invalid');
  return [...lastWords(record), ...invalid.flatMap(({ is, because }) => [`sqldyno: ${is}`, `  ${because}`])];
}

function explained(error: unknown, [first]: readonly RunRequest[]): unknown {
  const [target] = first?.plan.targets ?? [];
  return target === undefined ? error : explainConnectError(error, target);
}

/** Asked before the work: a result that cannot be written is found out too late after an hour. */
function requireWritable(path: string): void {
  if (path === '' || path === TO_STDOUT) return;
  withFile(path, () => closeSync(openSync(path, 'a')));
}

function writeCsv({ rounds, session }: Job, lines: readonly string[]): void {
  const { csv: path } = rounds.output;
  if (path === '') return;
  if (path === TO_STDOUT) for (const text of lines) session.terminal.say(text);
  else withFile(path, () => appendFileSync(path, lines.map((text) => `${text}\n`).join('')));
}

function withFile(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UserError(`--csv: ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`, {
      hint: 'Name a file in a directory that you may write, or write --csv alone for stdout.',
      cause: error,
    });
  }
}
