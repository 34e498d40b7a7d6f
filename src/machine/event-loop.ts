/**
 * One thread of a test: runs its events one after the other, times them, and tells at the end of every interval. It
 * blocks its thread; nothing else happens there meanwhile.
 */
import type { HistogramSnapshot } from '../stats/histogram.ts';
import type { Control } from './control.ts';
import { LatencyRecorder } from './recorder.ts';

export type Counts = Readonly<Record<string, number>>;

/** The work of one test on one thread. */
export interface EventRunner {
  /**
   * Most events between two looks at the clock. With 1 each is timed by itself; with more, those that are shorter than
   * a look at the clock is worth are timed together, and each is counted with their mean.
   */
  readonly eventsTogetherMax: number;
  /** Hot: runs that many events. */
  run(events: number): void;
  /** Counters of its own, which only rise. */
  counts(): Counts;
}

export interface LoopLimits {
  /** Infinity: no limit. */
  readonly timeMs: number;
  readonly intervalMs: number;
  /** Of this thread; Infinity: no limit. */
  readonly eventsMax: number;
}

/** Since the tally before. */
export interface Tally {
  readonly latency: HistogramSnapshot;
  readonly counts: Counts;
}

export interface LoopEnd {
  readonly because: 'time' | 'events' | 'stopped';
  readonly elapsedMs: number;
  /** Since the last whole interval. */
  readonly rest: Tally;
}

export interface LoopWorld {
  /** Fractional milliseconds, monotonic. Hot. */
  now(): number;
  /** Called once for every interval that has ended, in order. */
  onInterval(tally: Tally): void;
}

/** Events are timed together until they take this long: a look at the clock costs a five-hundredth of it. */
const LOOK_MS = 0.02;

/** Hot. */
export function runEvents(runner: EventRunner, limits: LoopLimits, control: Control, world: LoopWorld): LoopEnd {
  const recorder = new LatencyRecorder();
  const tallies = new Tallies(runner, recorder);
  const startMs = world.now();
  const endMs = startMs + limits.timeMs;
  let boundaryMs = startMs + limits.intervalMs;
  let left = limits.eventsMax;
  let together = 1;
  let nowMs = startMs;
  let because: LoopEnd['because'] = 'time';
  while (nowMs < endMs) {
    if (control.isStopping) {
      because = 'stopped';
      break;
    }
    const events = left === 0 ? 0 : control.take(Math.min(together, left));
    if (events === 0) {
      because = 'events';
      break;
    }
    runner.run(events);
    left -= events;
    const doneMs = world.now();
    recorder.record(((doneMs - nowMs) * 1_000) / events, events);
    if (doneMs - nowMs < LOOK_MS) together = Math.min(together * 2, runner.eventsTogetherMax);
    nowMs = doneMs;
    while (nowMs >= boundaryMs) {
      world.onInterval(tallies.take());
      boundaryMs += limits.intervalMs;
    }
  }
  return { because, elapsedMs: nowMs - startMs, rest: tallies.take() };
}

class Tallies {
  readonly #runner: EventRunner;
  readonly #recorder: LatencyRecorder;
  #before: Counts;

  constructor(runner: EventRunner, recorder: LatencyRecorder) {
    this.#runner = runner;
    this.#recorder = recorder;
    this.#before = runner.counts();
  }

  take(): Tally {
    const before = this.#before;
    const now = this.#runner.counts();
    this.#before = now;
    const counts = Object.fromEntries(Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)]));
    return { latency: this.#recorder.take(), counts };
  }
}
