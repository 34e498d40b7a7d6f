/** `sqldyno WORKLOAD COMMAND`. */
import { unreachable } from '../../base/assert.ts';
import { ExitCode } from '../../base/errors.ts';
import type { MaintenanceCommand } from '../../lab/maintenance.ts';
import { tellLeftoversBeforeRun } from '../leftovers-text.ts';
import { maintainShown } from '../maintain-shown.ts';
import { type OpenTarget, openTarget } from '../open-target.ts';
import { planOf } from '../plan-of.ts';
import { printSql } from '../print-sql.ts';
import { runAndReport } from '../run-and-report.ts';
import { headerLines } from '../run-header.ts';
import { openRunMetrics } from '../run-metrics.ts';
import type { Session } from '../session.ts';
import { jsonText, type Terminal } from '../terminal.ts';
import { workloadHelp } from '../workload-help.ts';
import type { WorkloadLine } from '../workload-line.ts';
import { roundsCommand } from './rounds.ts';

export async function workloadCommand(line: WorkloadLine, session: Session): Promise<ExitCode> {
  const { terminal } = session;
  for (const note of line.notes) terminal.warn(`Note: ${note}`);
  if (line.command === 'run') await tellLeftoversBeforeRun(line.output.store || undefined, terminal);
  if (line.found.workload.rounds !== undefined && line.command !== 'help') return roundsCommand(line, session);
  switch (line.command) {
    case 'help':
      return help(line, terminal);
    case 'run':
      return run(line, session);
    case 'print-sql':
      return printSql(line, session);
    case 'prepare':
    case 'prewarm':
    case 'check':
    case 'cleanup':
      return maintenance(line, line.command, session);
    default:
      return unreachable(line.command);
  }
}

function help({ found }: WorkloadLine, terminal: Terminal): ExitCode {
  const { name, workload } = found;
  if (terminal.wantsJson) terminal.json(jsonText({ name, summary: workload.summary, options: workload.options }));
  else terminal.say(workloadHelp(found, terminal.columns));
  return ExitCode.done;
}

async function run(line: WorkloadLine, session: Session): Promise<ExitCode> {
  const { terminal } = session;
  const load = planOf(line);
  await using metrics = await openRunMetrics(line.metrics, terminal);
  // Where it needs no tables it makes its own.
  const { tables } = line.found.workload.needs(line.workload as never, load.threads);
  const target = await open(line, session, tables.length === 0);
  const plan = { ...load, targets: target.connections };
  for (const text of headerLines(line, target, plan)) terminal.say(text);
  // Waited for here: the figures can be read until it is over.
  return await runAndReport({ line, plan, isPrivate: target.isPrivate }, session, metrics);
}

async function maintenance(line: WorkloadLine, command: MaintenanceCommand, session: Session): Promise<ExitCode> {
  const { terminal, interrupts } = session;
  const load = planOf(line);
  const target = await open(line, session, command === 'prepare');
  const plan = { ...load, targets: target.connections };
  const summary = await maintainShown(command, { line, plan }, { terminal, signal: interrupts.signal });
  terminal.json(jsonText({ ...summary, target: target.address }));
  return ExitCode.done;
}

async function open(line: WorkloadLine, { terminal, interrupts }: Session, makesData: boolean): Promise<OpenTarget> {
  const onNote = (note: string) => terminal.warn(note);
  const target = await openTarget(line, { signal: interrupts.signal, onNote, makesData });
  for (const note of target.notes) terminal.warn(`Note: ${note}`);
  return target;
}
