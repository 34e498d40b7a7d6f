/** A test of the machine while it runs: how far it is on a terminal, sysbench's interval lines where asked for. */
import { monotonicMs } from '../base/clock.ts';
import { formatDuration } from '../base/units.ts';
import type { HostTestHooks, HostTestPhase, HostTestPlan } from '../machine/plan.ts';
import { hostTestIntervalLine } from '../report/host-test-text.ts';
import { openLiveArea } from './live-area.ts';
import { progressBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

/** An interval cut shorter than this share of the others is the rest at the end, of which sysbench prints no line. */
const WHOLE_SHARE_MIN = 0.99;

/** In a pipe, where there is no live view. */
const SAID: Readonly<Record<Exclude<HostTestPhase, 'getting ready'>, string>> = {
  'measuring commits': 'Measuring commits...',
  measuring: 'Measuring...',
};

export interface ShownHostTest {
  readonly plan: HostTestPlan;
  /** Seconds between lines, as asked for; 0: none. */
  readonly reportIntervalS: number;
}

/** Dispose of it before anything else is printed. */
export function openHostTestView(
  terminal: Terminal,
  { plan, reportIntervalS }: ShownHostTest,
): HostTestHooks & Disposable {
  let phase: HostTestPhase = 'getting ready';
  let sinceMs = monotonicMs();
  const area = openLiveArea(terminal, () => ['', phaseLine(plan, phase, (monotonicMs() - sinceMs) / 1_000)]);
  const say = (line: string) => (area === undefined ? terminal.say(line) : area.persist(line));
  return {
    onPhase: (next) => {
      phase = next;
      sinceMs = monotonicMs();
      if (area === undefined && next !== 'getting ready') terminal.say(SAID[next]);
      area?.redraw();
    },
    onInterval: (interval) => {
      const isWhole = interval.endS - interval.startS >= plan.intervalS * WHOLE_SHARE_MIN;
      if (reportIntervalS > 0 && isWhole) say(hostTestIntervalLine(plan.test.name, interval, plan.percentiles));
    },
    onNote: say,
    [Symbol.dispose]: () => area?.[Symbol.dispose](),
  };
}

function phaseLine({ timeS, values }: HostTestPlan, phase: HostTestPhase, elapsedS: number): string {
  const probeS = phase === 'measuring commits' ? values['commit_probe_time'] : 0;
  const totalS = phase === 'measuring' ? timeS : typeof probeS === 'number' ? probeS : 0;
  if (totalS === 0) return `  ${phase}  ${formatDuration(elapsedS)}`;
  const leftS = Math.max(0, totalS - elapsedS);
  return `  ${phase}  ${progressBar(elapsedS / totalS)} ${leftS === 0 ? 'finishing' : `${formatDuration(leftS)} left`}`;
}
