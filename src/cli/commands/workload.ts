/** `sqldyno WORKLOAD COMMAND`. */
import { unreachable } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import { ExitCode } from '../../base/errors.ts';
import { formatDuration } from '../../base/units.ts';
import { type MaintenanceCommand, maintain } from '../../lab/maintenance.ts';
import { explainConnectError } from '../connect-errors.ts';
import type { Interrupts } from '../interrupts.ts';
import { openMaintenanceView } from '../maintenance-view.ts';
import { type OpenTarget, openTarget } from '../open-target.ts';
import { planOf } from '../plan-of.ts';
import { runAndReport } from '../run-and-report.ts';
import { headerLines } from '../run-header.ts';
import { jsonText, type Terminal } from '../terminal.ts';
import { workloadHelp } from '../workload-help.ts';
import type { WorkloadLine } from '../workload-line.ts';

export interface Session {
  readonly terminal: Terminal;
  readonly interrupts: Interrupts;
  /** As typed, secrets removed. */
  readonly command: readonly string[];
}

export async function workloadCommand(line: WorkloadLine, session: Session): Promise<ExitCode> {
  const { terminal } = session;
  for (const note of line.notes) terminal.warn(`Note: ${note}`);
  switch (line.command) {
    case 'help':
      return help(line, terminal);
    case 'run':
      return run(line, session);
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
  const { terminal, interrupts } = session;
  const load = planOf(line);
  const target = await open(line, session);
  const plan = { ...load, targets: target.connections };
  for (const text of headerLines(line, target, plan)) terminal.say(text);
  return runAndReport({ line, plan, isPrivate: target.isPrivate }, { ...session, signal: interrupts.signal });
}

async function maintenance(line: WorkloadLine, command: MaintenanceCommand, session: Session): Promise<ExitCode> {
  const { terminal, interrupts } = session;
  const plan = planOf(line);
  const target = await open(line, session);
  const startMs = monotonicMs();
  const notes: string[] = [];
  const request = {
    targets: target.connections,
    workload: line.found.workload,
    workloadName: line.found.name,
    workloadOptions: line.workload,
    threads: plan.threads,
    seed: plan.seed,
    rand: plan.rand,
    preparedStatements: plan.preparedStatements,
  };
  {
    using view = openMaintenanceView(terminal);
    const keep = (note: string) => {
      notes.push(note);
      view.onNote(note);
    };
    await maintain(command, request, { ...view, onNote: keep }, interrupts.signal).catch((error) => {
      throw explainConnectError(error, target.connections[0] as (typeof target.connections)[number]);
    });
  }
  const elapsedS = (monotonicMs() - startMs) / 1000;
  terminal.say(`${line.found.name} ${command}: done in ${formatDuration(elapsedS)}.`);
  terminal.json(
    jsonText({ command, workload: line.found.name, target: target.address, seed: plan.seed, elapsedS, notes }),
  );
  return ExitCode.done;
}

async function open(line: WorkloadLine, { terminal, interrupts }: Session): Promise<OpenTarget> {
  const target = await openTarget(line, { signal: interrupts.signal, onNote: (note) => terminal.warn(note) });
  for (const note of target.notes) terminal.warn(`Note: ${note}`);
  return target;
}
