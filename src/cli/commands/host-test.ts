/** `sqldyno cpu|memory|fileio|threads|mutex COMMAND`: what the machine itself can do, without a database. */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { unreachable } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatBytes, formatCount, formatDuration, formatFixed } from '../../base/units.ts';
import { planLoad } from '../../load/plan-load.ts';
import { prepareFiles, removedText, removeFiles } from '../../machine/fileio/files.ts';
import { type FileioValues, fileSetOf } from '../../machine/fileio/options.ts';
import type { HostTestPlan } from '../../machine/plan.ts';
import { runHostTest } from '../../machine/run.ts';
import type { HostTestName, HostTestRecord } from '../../model/host-test.ts';
import { hostFacts } from '../../observe/host.ts';
import { hostTestText } from '../../report/host-test-text.ts';
import { latencyHistogramText } from '../../report/latency-histogram.ts';
import { valueLines } from '../../report/layout.ts';
import { hostTestHelp } from '../host-test-help.ts';
import { type HostTestLine, readHostTestLine } from '../host-test-line.ts';
import { openHostTestView } from '../host-test-view.ts';
import { openMaintenanceView } from '../maintenance-view.ts';
import type { Session } from '../session.ts';
import { jsonText, type Terminal } from '../terminal.ts';
import { programVersion } from '../version.ts';

export async function hostTestCommand(
  name: HostTestName,
  args: readonly string[],
  { session, readText }: { readonly session: Session; readText(path: string): string },
): Promise<ExitCode> {
  const line = readHostTestLine(name, args, readText);
  for (const note of line.notes) session.terminal.warn(`Note: ${note}`);
  switch (line.command) {
    case 'help':
      return help(line, session.terminal);
    case 'run':
      return run(line, session);
    case 'prepare':
      return prepare(line.values as FileioValues, session);
    case 'cleanup':
      return cleanup(line.values as FileioValues, session.terminal);
    default:
      return unreachable(line.command);
  }
}

function help({ test }: HostTestLine, terminal: Terminal): ExitCode {
  const { name, summary, options } = test;
  if (terminal.wantsJson) terminal.json(jsonText({ name, summary, options }));
  else terminal.say(hostTestHelp(test, terminal.columns));
  return ExitCode.done;
}

async function run(line: HostTestLine, { terminal, interrupts, command }: Session): Promise<ExitCode> {
  const plan = planOf(line);
  const host = hostFacts();
  for (const text of headerLines(plan, host)) terminal.say(text);
  const record = await runShown(line, plan, {
    terminal,
    interrupts,
    about: { version: programVersion(), command, host },
  });
  if (line.load.histogram && record.work !== undefined) terminal.say(latencyHistogramText(record.work.latency));
  terminal.say(hostTestText(record).trimEnd());
  terminal.json(jsonText(record));
  const { ending } = record;
  if (ending.kind === 'failed' || ending.kind === 'forced') terminal.warn(`sqldyno: ${ending.cause}`);
  return exitCodeOf(record);
}

/** Short enough to be read out and typed again. */
const DRAWN_SEED_MAX = 1_000_000_000;

function planOf({ test, values, load }: HostTestLine): HostTestPlan {
  const world = { cores: availableParallelism(), drawSeed: () => randomInt(1, DRAWN_SEED_MAX) };
  const { threads, timeS, events, intervalS, percentiles, seed, forcedShutdownS } = planLoad(load, world);
  const common = { test, values, threads, timeS, events, intervalS, percentiles, seed };
  return forcedShutdownS === undefined ? common : { ...common, forcedShutdownS };
}

function headerLines(plan: HostTestPlan, host: HostTestRecord['host']): string[] {
  const { test, seed } = plan;
  return [
    `sqldyno ${programVersion()}`,
    ...valueLines('test', test.name),
    ...valueLines('processor', `${host['cpu']}, ${host['coresUsable']} usable`),
    ...valueLines('load', loadText(plan)),
    ...valueLines('seed', String(seed)),
    '',
  ];
}

function loadText({ test, values, threads, timeS, events }: HostTestPlan): string {
  const probeS = test.name === 'fileio' ? (values as FileioValues).commit_probe_time : 0;
  const hasWork = test.name !== 'fileio' || (values as FileioValues).file_test_mode !== 'none';
  const load = [
    `${formatCount(threads)} ${threads === 1 ? 'thread' : 'threads'}`,
    ...(timeS > 0 ? [formatDuration(timeS)] : []),
    ...(events > 0 ? [`${formatCount(events)} events`] : []),
  ];
  return [...(probeS > 0 ? [`${formatDuration(probeS)} of commits`] : []), ...(hasWork ? load : [])].join(', ');
}

async function runShown(
  line: HostTestLine,
  plan: HostTestPlan,
  { terminal, interrupts, about }: Omit<Session, 'command'> & { readonly about: Parameters<typeof runHostTest>[1] },
): Promise<HostTestRecord> {
  using view = openHostTestView(terminal, { plan, reportIntervalS: line.load.report_interval });
  return await runHostTest({ plan, hooks: view, stops: interrupts }, about);
}

export function exitCodeOf({ ending, findings }: Pick<HostTestRecord, 'ending' | 'findings'>): ExitCode {
  if (ending.kind === 'interrupted') return ExitCode.interrupted;
  if (ending.kind === 'failed' || ending.kind === 'forced') return ExitCode.runFailed;
  return findings.some(({ severity }) => severity === 'invalid') ? ExitCode.runFailed : ExitCode.done;
}

const MIB = 2 ** 20;

async function prepare(values: FileioValues, { terminal, interrupts }: Session): Promise<ExitCode> {
  const set = fileSetOf(values);
  const startMs = monotonicMs();
  const prepared = await prepareShown(set, { terminal, interrupts });
  const elapsedS = (monotonicMs() - startMs) / 1_000;
  const { files, kept, writtenBytes, isInterrupted } = prepared;
  if (isInterrupted) {
    throw new UserError((interrupts.signal.reason as Error).message, {
      hint:
        `${formatCount(kept + Math.round(writtenBytes / set.fileBytes))} of ${formatCount(files)} files are whole and stay in ` +
        `${set.directory}. prepare goes on from there; to remove them: sqldyno fileio --file-dir=${set.directory} cleanup`,
      exitCode: ExitCode.interrupted,
    });
  }
  if (kept > 0) terminal.say(`${formatCount(kept)} of ${formatCount(files)} files were there already.`);
  const mibPerS = formatFixed(writtenBytes / MIB / elapsedS, 2);
  const written = `${writtenBytes} bytes written and flushed in ${elapsedS.toFixed(2)} seconds (${mibPerS} MiB/sec).`;
  terminal.say(writtenBytes === 0 ? `Nothing had to be written to ${set.directory}.` : written);
  const remedy = `To remove them: sqldyno fileio --file-dir=${set.directory} cleanup`;
  terminal.say(
    `${formatCount(files)} files with ${formatBytes(files * set.fileBytes)} are in ${set.directory}. ${remedy}`,
  );
  terminal.json(
    jsonText({ command: 'prepare', test: 'fileio', directory: set.directory, files, kept, writtenBytes, elapsedS }),
  );
  return ExitCode.done;
}

async function prepareShown(
  set: ReturnType<typeof fileSetOf>,
  { terminal, interrupts }: Pick<Session, 'terminal' | 'interrupts'>,
) {
  using view = openMaintenanceView(terminal);
  return await prepareFiles(set, {
    signal: interrupts.signal,
    onProgress: (writtenBytes, totalBytes) =>
      view.onAdvance?.('MiB written', Math.floor(writtenBytes / MIB), Math.ceil(totalBytes / MIB)),
  });
}

async function cleanup({ file_dir: directory }: FileioValues, terminal: Terminal): Promise<ExitCode> {
  const removed = await removeFiles(directory);
  terminal.say(removedText(removed, directory));
  terminal.json(jsonText({ command: 'cleanup', test: 'fileio', directory, ...removed }));
  return ExitCode.done;
}
