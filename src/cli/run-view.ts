/** A run while it runs: a live view on a terminal, sysbench's interval lines in a pipe. */
import { monotonicMs } from '../base/clock.ts';
import { formatDuration, formatLatency, formatRate } from '../base/units.ts';
import type { RunView } from '../lab/run.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { Interval } from '../model/run.ts';
import { checkpointText } from '../report/checkpoint.ts';
import { intervalLines } from '../report/interval-line.ts';
import { sparkline } from '../report/sparkline.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';
import { openLiveArea } from './live-area.ts';
import { progressBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

const SPARKLINE_LENGTH = 40;
const LABEL_LENGTH = 12;
const VALUE_LENGTH = 14;

type Phase = Parameters<NonNullable<RunView['onPhase']>>[0];

export interface ShownRun {
  readonly plan: LoadPlan;
  /** Seconds between lines, as asked for; 0: none. */
  readonly reportIntervalS: number;
  /** Aborted by a second Ctrl-C. */
  readonly atOnce: AbortSignal;
  /** Above the live view: which of several runs it is. */
  readonly heading?: string;
}

/** Dispose of it before anything else is printed. */
export function openRunView(
  terminal: Terminal,
  { plan, reportIntervalS, atOnce, heading }: ShownRun,
): RunView & Disposable {
  const state = new RunState(plan);
  const area = openLiveArea(terminal, () =>
    heading === undefined ? state.lines() : ['', heading, ...state.lines().slice(1)],
  );
  const say = (line: string) => (area === undefined ? terminal.say(line) : area.persist(line));
  return {
    atOnce,
    onPhase: (phase) => {
      state.enter(phase);
      area?.redraw();
    },
    onInterval: (interval) => {
      state.add(interval);
      if (reportIntervalS > 0) for (const line of intervalLines(interval, plan.percentiles)) say(line);
      area?.redraw();
    },
    onCheckpoint: (checkpoint) => say(checkpointText(checkpoint, plan.percentiles)),
    onNote: (line) => say(line),
    [Symbol.dispose]: () => area?.[Symbol.dispose](),
  };
}

/** What the live view shows, kept apart from how it is drawn. */
class RunState {
  readonly #plan: LoadPlan;
  #phase: Phase = 'checking';
  #phaseStartMs = monotonicMs();
  readonly #perS: number[] = [];
  readonly #latencyUs: number[] = [];
  #errors = 0;
  #retries = 0;
  #last: Interval | undefined;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
  }

  enter(phase: Phase): void {
    this.#phase = phase;
    this.#phaseStartMs = monotonicMs();
  }

  add(interval: Interval): void {
    const lengthS = interval.endS - interval.startS;
    this.#last = interval;
    this.#errors += interval.errors;
    this.#retries += interval.retries;
    this.#perS.push(lengthS > 0 ? interval.transactions / lengthS : 0);
    this.#latencyUs.push(fromLatencyRecord(interval.latency).percentileUs(this.#percentile));
  }

  get #percentile(): number {
    return this.#plan.percentiles.find((percentile) => percentile > 0) ?? 95;
  }

  lines(): string[] {
    return ['', this.#phaseLine(), ...this.#figureLines()];
  }

  #phaseLine(): string {
    const elapsedS = (monotonicMs() - this.#phaseStartMs) / 1000;
    const totalS =
      this.#phase === 'measuring' ? this.#plan.timeS : this.#phase === 'warming up' ? this.#plan.warmupS : 0;
    const name = `  ${this.#phase}`.padEnd(LABEL_LENGTH + 2);
    if (totalS === 0) return `${name}${formatDuration(elapsedS)}`;
    const leftS = Math.max(0, totalS - elapsedS);
    return `${name}${progressBar(elapsedS / totalS)} ${formatDuration(Math.min(elapsedS, totalS))}, ${leftText(leftS)}`;
  }

  #figureLines(): string[] {
    if (this.#last === undefined) return [];
    const { queueLength } = this.#last;
    return [
      figureLine(
        'throughput',
        formatRate(this.#perS.at(-1) ?? 0),
        sparkline(this.#perS.slice(-SPARKLINE_LENGTH), SPARKLINE_LENGTH),
      ),
      figureLine(
        `p${this.#percentile}`,
        this.#last.latency.count === 0 ? '-' : formatLatency(this.#latencyUs.at(-1) ?? 0),
        sparkline(this.#latencyUs.slice(-SPARKLINE_LENGTH), SPARKLINE_LENGTH),
      ),
      figureLine('errors', String(this.#errors), this.#retries === 0 ? '' : `${this.#retries} retries`),
      ...(queueLength === undefined ? [] : [figureLine('waiting', String(queueLength), '')]),
    ];
  }
}

function leftText(leftS: number): string {
  return leftS === 0 ? 'finishing' : `${formatDuration(Math.ceil(leftS)).replace(/\.\d+ s$/, ' s')} left`;
}

function figureLine(label: string, value: string, rest: string): string {
  return `  ${label.padEnd(LABEL_LENGTH)}${value.padEnd(VALUE_LENGTH)}${rest}`.trimEnd();
}
