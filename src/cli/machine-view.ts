/** A card while it is measured: what is being done and how long it will take, or a line a round in a pipe. */
import { monotonicMs } from '../base/clock.ts';
import { formatDuration } from '../base/units.ts';
import type { MachineHooks } from '../machine/card/measure-machine.ts';
import { type CardProgress, REPEATS } from '../machine/card/run-card.ts';
import { openLiveArea } from './live-area.ts';
import { progressBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

/** Dispose of it before anything else is printed. */
export function openMachineView(terminal: Terminal): MachineHooks & Disposable {
  let progress: CardProgress | undefined;
  let startMs = monotonicMs();
  const area = openLiveArea(terminal, () => ['', lineOf(progress, (monotonicMs() - startMs) / 1_000)]);
  return {
    onGettingReady: () => {
      if (area === undefined) terminal.say('Getting ready: writing a file...');
    },
    onMeasuring: (next) => {
      if (progress === undefined) startMs = monotonicMs();
      const isNewRound = progress?.round !== next.round;
      progress = next;
      if (area === undefined && isNewRound) terminal.say(`Measuring, round ${next.round} of ${REPEATS}...`);
      area?.redraw();
    },
    [Symbol.dispose]: () => area?.[Symbol.dispose](),
  };
}

function lineOf(progress: CardProgress | undefined, elapsedS: number): string {
  if (progress === undefined) return `  getting ready: writing a file  ${formatDuration(elapsedS)}`;
  const { round, label, done } = progress;
  // What starting threads takes is not in the plan, so what is left is told from what was needed until now.
  const left = done > 0 ? ` ${formatDuration((elapsedS / done) * (1 - done))} left` : '';
  return `  ${progressBar(done)}${left}  round ${round} of ${REPEATS}: ${label}`;
}
