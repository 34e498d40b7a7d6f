/**
 * One source that is sampled beside a load, with the points that its probes make of it. Each source has a time of its
 * own: one that hangs neither thins the samples of another nor moves the moments between which those are reckoned.
 */
import type { Series, WatchedSource } from '../model/observed.ts';
import type { SampleLook } from '../observe/host-sample.ts';
import type { Moment, Probe, ProbeFacts, Reading } from '../observe/probe.ts';

/** Rejects where the source cannot be read, with the reason as a sentence. */
export type Ask = (look: SampleLook) => Promise<Omit<Moment, 'atMs'>>;

interface TrackParts {
  readonly of: Probe['source'];
  readonly sample: Ask;
  readonly lateMs: number;
  readonly world: { now(): number; after(delayMs: number, fire: () => void): () => void };
  readonly probes: ReadonlyMap<string, Probe>;
  readonly facts: ProbeFacts;
  readonly intervalMs: number;
}

/** The moments at which a part begins or ends fall between two ticks: a shorter piece says little, and has no point. */
const LENGTH_SHARE_MIN = 0.5;

const NOTHING_TOLD = 'It was read, and told nothing of which a figure could be made.';

interface Points {
  readonly atMs: number[];
  readonly values: Map<string, { readonly unit: string; readonly points: (number | null)[] }>;
}

export class SourceTrack {
  readonly #parts: TrackParts;
  readonly #points = new Map<string, Points>();
  readonly #unseen = new Map<string, string>();
  #fromMs: number | undefined;
  /** The first of the measured part; it may end with either of the last two. */
  #first: Moment | undefined;
  #lastTwo: readonly Moment[] = [];
  /** With which the last points end. */
  #previous: Moment | undefined;
  #edges: Promise<unknown> = Promise.resolve();
  #asked: Promise<boolean> = Promise.resolve(true);
  #askedMs = 0;
  #isBusy = false;
  #answers = 0;
  #missed = 0;

  constructor(parts: TrackParts) {
    this.#parts = parts;
  }

  /** Whether there was an answer. A source that is still busy is not asked. */
  tick(): Promise<boolean> {
    if (!this.#isBusy) return this.#begin({});
    // What has just been asked at the edge of a part is the answer to this one, too.
    const isRecent = this.#parts.world.now() - this.#askedMs < this.#parts.intervalMs;
    return isRecent ? this.#asked : Promise.resolve(this.#miss());
  }

  /** As a tick, but the answer of a source that is busy is waited for first, until it is late. */
  edge(): Promise<boolean> {
    const edge = this.#edges.then(async () => {
      if (this.#isBusy) await this.#asked;
      // All processes at once: what each used is then of the same time as what all of them did.
      return this.#isBusy ? this.#miss() : this.#begin({ isWhole: true });
    });
    this.#edges = edge;
    return edge;
  }

  /** From now on. */
  beginMeasuring(): void {
    this.#fromMs = this.#parts.world.now();
  }

  get unseen(): { readonly what: string; readonly because: string }[] {
    return [...this.#unseen].map(([what, because]) => ({ what, because }));
  }

  told(endMs: number): WatchedSource {
    const last = this.#lastOf(endMs);
    const seenMs = this.#first === undefined || last === undefined ? 0 : last.atMs - this.#first.atMs;
    const { of } = this.#parts;
    return { of, answers: this.#answers, missed: this.#missed, seenS: rounded(Math.max(0, seenMs) / 1000) };
  }

  seriesOf(zeroMs: number, endMs: number): Record<string, Series> {
    const series: Record<string, Series> = {};
    for (const [name, { atMs, values }] of this.#points) {
      series[name] = {
        atS: atMs.map((ms) => rounded((ms - zeroMs) / 1000)),
        values: Object.fromEntries(values),
        measured: this.#measured(name, endMs),
      };
    }
    return series;
  }

  #begin(look: SampleLook): Promise<boolean> {
    this.#askedMs = this.#parts.world.now();
    this.#asked = this.#ask(look);
    return this.#asked;
  }

  async #ask(look: SampleLook): Promise<boolean> {
    const { world, lateMs, sample } = this.#parts;
    const askedMs = world.now();
    this.#isBusy = true;
    const asked = sample(look).finally(() => {
      this.#isBusy = false;
    });
    let callOff = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      callOff = world.after(lateMs, () => resolve(undefined));
    });
    try {
      const read = await Promise.race([asked, late]);
      if (read === undefined) return this.#miss(`It did not answer within ${lateMs / 1000} s.`);
      this.#answers++;
      // The middle of asking: a reply that took long was made somewhere in between.
      this.#note({ atMs: (askedMs + world.now()) / 2, ...read });
      return true;
    } catch (error) {
      return this.#miss(error instanceof Error ? error.message : String(error));
    } finally {
      callOff();
      asked.catch(() => {});
    }
  }

  #miss(because?: string): false {
    this.#missed++;
    const { of } = this.#parts;
    if (because !== undefined && !this.#unseen.has(of)) this.#unseen.set(of, because);
    return false;
  }

  #note(moment: Moment): void {
    const { intervalMs, probes, facts, of } = this.#parts;
    if (this.#fromMs !== undefined && moment.atMs >= this.#fromMs) this.#first ??= moment;
    this.#lastTwo = [...this.#lastTwo.slice(-1), moment];
    const earlier = this.#previous;
    const elapsedMs = moment.atMs - (earlier?.atMs ?? moment.atMs);
    if (earlier !== undefined && elapsedMs < intervalMs * LENGTH_SHARE_MIN) return;
    this.#previous = moment;
    if (earlier === undefined) return;
    for (const [name, probe] of probes) {
      if (probe.source !== of) continue;
      const readings = probe.between(earlier, moment, elapsedMs / 1000, facts);
      const isNothing = typeof readings !== 'string' && Object.keys(readings).length === 0;
      if (isNothing && !this.#points.has(name)) this.#unseen.set(name, this.#unseen.get(name) ?? NOTHING_TOLD);
      else if (typeof readings === 'string') this.#unseen.set(name, this.#unseen.get(name) ?? readings);
      else addPoints(this.#pointsOf(name), moment.atMs, readings);
    }
  }

  #pointsOf(name: string): Points {
    const known = this.#points.get(name);
    if (known !== undefined) return known;
    const points: Points = { atMs: [], values: new Map() };
    this.#points.set(name, points);
    return points;
  }

  /** The one that is nearest to the end: an answer that came long after it would count time without a load. */
  #lastOf(endMs: number): Moment | undefined {
    const distance = ({ atMs }: Moment) => Math.abs(atMs - endMs);
    return [...this.#lastTwo].sort((one, other) => distance(one) - distance(other))[0];
  }

  #measured(name: string, endMs: number): Record<string, number> {
    const [first, last] = [this.#first, this.#lastOf(endMs)];
    const probe = this.#parts.probes.get(name);
    if (first === undefined || last === undefined || probe === undefined || last.atMs <= first.atMs) return {};
    const readings = probe.between(first, last, (last.atMs - first.atMs) / 1000, this.#parts.facts);
    if (typeof readings === 'string') return {};
    return Object.fromEntries(Object.entries(readings).map(([key, { value }]) => [key, significant(value)]));
  }
}

function addPoints(track: Points, atMs: number, readings: Readonly<Record<string, Reading>>): void {
  for (const [name, { value, unit }] of Object.entries(readings)) {
    let values = track.values.get(name);
    if (values === undefined) {
      values = { unit, points: track.atMs.map(() => null) };
      track.values.set(name, values);
    }
    values.points.push(Number.isFinite(value) ? significant(value) : null);
  }
  track.atMs.push(atMs);
  for (const { points } of track.values.values()) if (points.length < track.atMs.length) points.push(null);
}

/** Milliseconds are enough, and shorter in a file. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

const DIGITS = 6;

function significant(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
