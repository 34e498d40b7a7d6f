/** prepare, prewarm, check and cleanup, with their progress on the terminal. */
import { monotonicMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import { formatDuration } from '../base/units.ts';
import { type MaintenanceCommand, maintain } from '../lab/maintenance.ts';
import type { LoadPlan } from '../load/plan.ts';
import { openMaintenanceView } from './maintenance-view.ts';
import type { Terminal } from './terminal.ts';
import type { WorkloadLine } from './workload-line.ts';

export interface MaintenanceSummary {
  readonly command: MaintenanceCommand;
  readonly workload: string;
  readonly seed: number;
  readonly elapsedS: number;
  readonly notes: readonly string[];
}

export interface MaintenanceToDo {
  readonly line: WorkloadLine;
  readonly plan: LoadPlan;
  /** The server goes with the command, and what is loaded with it. */
  readonly isTemporary?: boolean;
}

export async function maintainShown(
  command: MaintenanceCommand,
  { line, plan, isTemporary = false }: MaintenanceToDo,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<MaintenanceSummary> {
  const startMs = monotonicMs();
  const notes: string[] = [];
  const request = {
    targets: plan.targets,
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
    const onNote = (note: string) => {
      notes.push(note);
      view.onNote(note);
    };
    await maintain(command, request, { onNote, onAdvance: view.onAdvance }, signal).catch((error) => {
      throw command === 'prepare' && signal.aborted ? interruptedPrepare(signal, isTemporary) : error;
    });
  }
  const elapsedS = (monotonicMs() - startMs) / 1000;
  terminal.say(`${line.found.name} ${command}: done in ${formatDuration(elapsedS)}.`);
  return { command, workload: line.found.name, seed: plan.seed, elapsedS, notes };
}

function interruptedPrepare(signal: AbortSignal, isTemporary: boolean): UserError {
  return new UserError((signal.reason as Error).message, {
    hint: isTemporary
      ? 'The private server is removed, and what was loaded with it.'
      : 'What is loaded stays: prepare goes on from there when the same command is given again.',
    exitCode: ExitCode.interrupted,
  });
}
