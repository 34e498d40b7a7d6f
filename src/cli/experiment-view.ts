/** An experiment while it is conducted: the run at hand with what is left on a terminal, a line a run in a pipe. */
import { formatDuration } from '../base/units.ts';
import type { ExperimentView, Progress } from '../lab/experiment/conduct.ts';
import type { MaintenanceView } from '../lab/maintenance.ts';
import type { Metric } from '../stats/metrics.ts';
import { openMaintenanceView } from './maintenance-view.ts';
import { openRunView } from './run-view.ts';
import type { Session } from './session.ts';

const VARIANT_LENGTH = 24;

/** Shows the metric that decides of each run. Dispose of it before anything else is printed. */
export function openExperimentView({ terminal, interrupts }: Session, metric: Metric): ExperimentView & Disposable {
  const told = new Set<string>();
  let progress: Progress = { done: 0, total: 0, elapsedS: 0 };
  let maintenance: (MaintenanceView & Disposable) | undefined;
  const settle = () => {
    maintenance?.[Symbol.dispose]();
    maintenance = undefined;
  };
  const say = (line: string) => {
    settle();
    terminal.say(line);
  };
  // What is true of every run is told once.
  const onNote = (line: string) => {
    if (told.has(line)) return;
    told.add(line);
    say(`  ${line}`);
  };
  return {
    onStep: (text) => {
      if (!terminal.isLive) return;
      maintenance ??= openMaintenanceView(terminal);
      maintenance.onAdvance(text, 0, 0);
    },
    onAdvance: (activity, done, total) => {
      maintenance ??= openMaintenanceView(terminal);
      maintenance.onAdvance(activity, done, total);
    },
    onNote,
    onBegin: ({ id }, now) => {
      progress = now;
      say(`Experiment ${id}: ${now.total} runs${now.done > 0 ? `, of which ${now.done} are done` : ''}.`);
    },
    openRun: ({ number, block, variant }, plan) => {
      settle();
      const left = progress.leftS === undefined ? '' : `, ${leftText(progress.leftS)}`;
      const heading = `  run ${number} of ${progress.total}, block ${block}: ${variant}${left}`;
      const shown = { plan: { ...plan, targets: [] }, reportIntervalS: 0, atOnce: interrupts.atOnce, heading };
      return { ...withNote(openRunView(terminal, shown), onNote) };
    },
    onRun: ({ number, block, variant }, record, now) => {
      progress = now;
      const value = metric.of(record);
      const figure = value === undefined ? '-' : `${value.toPrecision(5)} ${metric.unit}`;
      const left = now.leftS === undefined || now.done === now.total ? '' : `  ${leftText(now.leftS)}`;
      const place = `${String(number).padStart(String(now.total).length)}/${now.total} block ${block}`;
      say(`${place}  ${variant.padEnd(VARIANT_LENGTH)} ${figure}${left}`);
    },
    onInvalid: ({ number, variant }, because) => {
      say(`Run ${number} (${variant}) does not count, and is done again: ${because}`);
    },
    onLook: (blocks, { is }, ends) => {
      say(`Look after ${blocks} blocks: ${ends ? `clear. ${is}` : 'not clear yet; it goes on.'}`);
    },
    [Symbol.dispose]: settle,
  };
}

function withNote<T extends { onNote?(line: string): void }>(view: T, onNote: (line: string) => void): T {
  return { ...view, onNote };
}

function leftText(leftS: number): string {
  return `about ${formatDuration(Math.round(leftS))} left`;
}
