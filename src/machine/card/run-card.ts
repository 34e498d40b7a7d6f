/**
 * Runs the measurements of a card in rounds: each once, then all again. What changes slowly, a processor's heat or a
 * neighbour, then comes between the repeats of one figure, and is seen as scatter instead of taken for a property.
 */
import { UserError } from '../../base/errors.ts';
import type { MachineCard, MachineFigure } from '../../model/machine-card.ts';
import type { Ending, Finding, LatencyRecord } from '../../model/run.ts';
import type { Histogram } from '../../stats/histogram.ts';
import { fromLatencyRecord, toLatencyRecord } from '../../stats/latency-record.ts';
import { summaryOf } from '../../stats/repeats.ts';
import type { Stops } from '../crew.ts';
import { hasEndedWell } from '../work.ts';
import type { Measured, Measurement } from './measurement.ts';
import { trustOf } from './trust.ts';

/** The least of which a median and a range say anything. */
export const REPEATS = 3;

export interface CardPlan {
  readonly measurements: readonly Measurement[];
  /** Of all measurements and repeats together, without getting ready. */
  readonly timeS: number;
}

export interface CardProgress {
  readonly label: string;
  /** From 1. */
  readonly round: number;
  /** Of the measurements' time that lies behind, 0 … 1. */
  readonly done: number;
}

export interface CardHooks {
  onMeasuring?(progress: CardProgress): void;
}

export type CardResult = Pick<MachineCard, 'ending' | 'figures' | 'latencies' | 'missing' | 'findings'>;

export async function runCard(plan: CardPlan, hooks: CardHooks, stops: Stops): Promise<CardResult> {
  const books = plan.measurements.map((measurement) => new Book(measurement));
  const weight = plan.measurements.reduce((sum, each) => sum + each.weight, 0) * REPEATS;
  let done = 0;
  for (let round = 1; round <= REPEATS; round++) {
    for (const book of books) {
      const { label, weight: ofThis } = book.measurement;
      hooks.onMeasuring?.({ label, round, done: done / weight });
      await book.measure((plan.timeS * ofThis) / weight, stops);
      if (stops.signal.aborted) return resultOf(books, { kind: 'interrupted', cause: reasonOf(stops.signal) });
      done += ofThis;
    }
  }
  return resultOf(books, { kind: 'time' });
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}

function resultOf(books: readonly Book[], ending: Ending): CardResult {
  const latencies: Record<string, LatencyRecord> = Object.assign({}, ...books.map((book) => book.latencies));
  return {
    ending,
    figures: books.flatMap((book) => book.figures()),
    latencies,
    missing: books.flatMap(({ measurement, failure }) =>
      failure === undefined ? [] : [{ what: measurement.label, because: failure }],
    ),
    findings: eachOnce(books.flatMap((book) => book.findings)),
  };
}

/** What each of them is about is told beside its figures. */
function eachOnce(all: readonly Finding[]): Finding[] {
  return [...new Set(all.map(({ id }) => id))].flatMap((id) => {
    const [first, ...others] = all.filter((finding) => finding.id === id);
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : ` So it was, or alike, in ${others.length + 1} measurements.`;
    return [{ ...first, is: first.is + more }];
  });
}

/** All repeats of one measurement. */
class Book {
  readonly measurement: Measurement;
  /** Why it is not measured any more. */
  failure: string | undefined;
  readonly #repeats = new Map<string, number[]>();
  readonly #histograms = new Map<string, Histogram>();
  #elapsedS = 0;
  #cpuS = 0;

  constructor(measurement: Measurement) {
    this.measurement = measurement;
  }

  async measure(timeS: number, stops: Stops): Promise<void> {
    if (this.failure !== undefined || stops.signal.aborted) return;
    try {
      const measured = await this.measurement.measure(timeS, stops);
      if (hasEndedWell(measured.ending)) this.#add(measured);
      else if (measured.ending.kind !== 'interrupted') this.failure = causeOf(measured.ending);
    } catch (error) {
      if (stops.signal.aborted) return;
      // One thing that a machine refuses must not cost all the others; a mistake of ours must be seen.
      if (!(error instanceof UserError)) throw error;
      this.failure = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    }
  }

  get latencies(): Record<string, LatencyRecord> {
    return Object.fromEntries([...this.#histograms].map(([name, all]) => [name, toLatencyRecord(all)]));
  }

  get findings(): readonly Finding[] {
    if (this.#repeats.size === 0) return [];
    const total = { elapsedS: this.#elapsedS, cpuS: this.#cpuS, latencies: this.latencies };
    return this.measurement.judge?.(total) ?? [];
  }

  figures(): MachineFigure[] {
    const wrong = this.findings.find(({ severity }) => severity !== 'info')?.is;
    return this.measurement.figures.flatMap(({ doubt = wrong, ...figure }) => {
      const repeats = this.#repeats.get(figure.id);
      if (repeats === undefined) return [];
      const { median, min, max } = summaryOf(repeats);
      return [{ ...figure, repeats, median, min, max, trust: trustOf(repeats, doubt) }];
    });
  }

  #add({ values, latencies = {}, elapsedS, cpuS }: Measured): void {
    for (const [id, value] of Object.entries(values)) {
      const repeats = this.#repeats.get(id);
      if (repeats === undefined) this.#repeats.set(id, [value]);
      else repeats.push(value);
    }
    for (const [name, record] of Object.entries(latencies)) {
      const all = this.#histograms.get(name);
      if (all === undefined) this.#histograms.set(name, fromLatencyRecord(record));
      else all.merge(fromLatencyRecord(record));
    }
    this.#elapsedS += elapsedS;
    this.#cpuS += cpuS;
  }
}

function causeOf(ending: Ending): string {
  return 'cause' in ending ? ending.cause : 'It was cut off.';
}
