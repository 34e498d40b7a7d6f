/** Keeps count of a run while it runs, from what it tells its view, for whoever asks in between. */
import type { RunView } from '../lab/run.ts';
import type { Interval } from '../model/run.ts';
import { type LivePhase, type LiveTotals, liveOpenMetrics } from '../report/live-openmetrics.ts';
import { percentilesShown } from '../report/percentiles.ts';
import { Histogram } from '../stats/histogram.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';

export interface LiveFacts {
  readonly facts: Readonly<Record<string, string>>;
  /** As asked for with --percentile. */
  readonly percentiles: readonly number[];
}

type Counts = { -readonly [Key in keyof LiveTotals]: LiveTotals[Key] };

export class LiveRun {
  #facts: LiveFacts = { facts: {}, percentiles: [] };
  #phase: LivePhase = 'checking';
  #parts = new Map<LiveTotals['part'], Counts>();
  #last: Interval | undefined;
  #text: string | undefined;

  /** The same view, of a run that is counted here from now on; what was counted before is forgotten. */
  watching<View extends RunView>(view: View, facts: LiveFacts): View {
    this.#facts = facts;
    this.#phase = 'checking';
    this.#parts = new Map();
    this.#last = undefined;
    this.#text = undefined;
    return {
      ...view,
      onPhase: (phase: LivePhase) => {
        this.#phase = phase;
        this.#text = undefined;
        view.onPhase?.(phase);
      },
      onInterval: (interval: Interval) => {
        this.#add(interval);
        view.onInterval?.(interval);
      },
    };
  }

  /** Made once for each change: many who ask cost no more than one. */
  openMetrics(): string {
    this.#text ??= liveOpenMetrics({
      facts: this.#facts.facts,
      phase: this.#phase,
      totals: [...this.#parts.values()],
      interval: this.#last,
      percentiles: percentilesShown(this.#facts.percentiles),
    });
    return this.#text;
  }

  #add(interval: Interval): void {
    const counts = this.#countsOf(interval.isWarmup ? 'warm-up' : 'measured');
    const { read, write, other } = interval.statements;
    counts.transactions += interval.transactions;
    counts.statements = {
      read: counts.statements.read + read,
      write: counts.statements.write + write,
      other: counts.statements.other + other,
    };
    counts.errors += interval.errors;
    counts.retries += interval.retries;
    counts.reconnects += interval.reconnects;
    counts.dropped += interval.dropped ?? 0;
    counts.latency.merge(fromLatencyRecord(interval.latency));
    this.#last = interval;
    this.#text = undefined;
  }

  #countsOf(part: LiveTotals['part']): Counts {
    const known = this.#parts.get(part);
    if (known !== undefined) return known;
    const none = { transactions: 0, errors: 0, retries: 0, reconnects: 0, dropped: 0 };
    const counts = { part, ...none, statements: { read: 0, write: 0, other: 0 }, latency: new Histogram() };
    this.#parts.set(part, counts);
    return counts;
  }
}
