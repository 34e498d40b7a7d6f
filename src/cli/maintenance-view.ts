/** prepare and its kin while they work: a bar with the time left on a terminal, a line now and then in a pipe. */
import { monotonicMs } from '../base/clock.ts';
import { formatCount, formatDuration, formatPercent } from '../base/units.ts';
import type { MaintenanceView } from '../lab/maintenance.ts';
import { openLiveArea } from './live-area.ts';
import { progressBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

/** In a log, a line this often shows that it goes on without filling it. */
const LINE_EVERY_MS = 10_000;

/** Dispose of it before anything else is printed. */
export function openMaintenanceView(terminal: Terminal): MaintenanceView & Disposable {
  const activities = new Map<string, Activity>();
  const area = openLiveArea(terminal, () => [...activities.values()].filter(({ isDone }) => !isDone).map(liveLine));
  let lastLineMs = monotonicMs();
  return {
    onNote: (line) => (area === undefined ? terminal.say(line) : area.persist(line)),
    onAdvance: (name, done, total) => {
      const activity = activities.get(name) ?? new Activity(name, done);
      activities.set(name, activity);
      activity.advance(done, total);
      if (area !== undefined || monotonicMs() - lastLineMs < LINE_EVERY_MS) return;
      lastLineMs = monotonicMs();
      terminal.say(`${name}: ${activity.text()}`);
    },
    [Symbol.dispose]: () => area?.[Symbol.dispose](),
  };
}

export class Activity {
  readonly name: string;
  readonly #startMs: number;
  /** Work that an earlier prepare had done already must not count as speed. */
  readonly #doneBefore: number;
  #done: number;
  #total = 0;

  constructor(name: string, done: number, startMs: number = monotonicMs()) {
    this.name = name;
    this.#startMs = startMs;
    this.#doneBefore = done;
    this.#done = done;
  }

  advance(done: number, total: number): void {
    this.#done = done;
    this.#total = total;
  }

  get isDone(): boolean {
    return this.#total > 0 && this.#done >= this.#total;
  }

  get share(): number {
    return this.#total === 0 ? 0 : this.#done / this.#total;
  }

  /** `45.0 % (450,000 of 1,000,000), 12.3 s left` */
  text(nowMs: number = monotonicMs()): string {
    const far = `${formatPercent(this.share)} (${formatCount(this.#done)} of ${formatCount(this.#total)})`;
    const perMs = (this.#done - this.#doneBefore) / (nowMs - this.#startMs);
    if (!(perMs > 0) || !Number.isFinite(perMs)) return far;
    return `${far}, ${formatDuration((this.#total - this.#done) / perMs / 1000)} left`;
  }
}

function liveLine(activity: Activity): string {
  return `  ${progressBar(activity.share)} ${activity.name}: ${activity.text()}`;
}
