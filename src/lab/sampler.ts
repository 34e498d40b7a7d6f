/**
 * Watches while a load runs: samples all sources once a tick, lets the probes make figures of every two moments, and of
 * the first and the last moment of the measured part. A source that is late or gone costs its figures, never the run.
 */
import type { Series } from '../model/observed.ts';
import type { ClientSample, Moment, Probe, ProbeFacts, Reading } from '../observe/probe.ts';

/** What the sampler needs of the world, handed in: tests turn the clock and answer in place of servers and hosts. */
export interface SamplerWorld {
  /** Milliseconds of the clock that the load uses. */
  now(): number;
  /** Calls `fire` once after `delayMs`; returns what calls it off. */
  after(delayMs: number, fire: () => void): () => void;
}

export interface SamplerSources {
  readonly server?: { sample(): Promise<NonNullable<Moment['server']>> };
  readonly host?: { sample(): Promise<NonNullable<Moment['host']>> };
  readonly client?: () => ClientSample;
}

export interface SamplerParts {
  readonly world: SamplerWorld;
  readonly sources: SamplerSources;
  /** By name. */
  readonly probes: ReadonlyMap<string, Probe>;
  readonly facts: ProbeFacts;
  readonly intervalMs: number;
}

export interface Watched {
  readonly series: Readonly<Record<string, Series>>;
  readonly samples: number;
  readonly missed: number;
  readonly unseen: readonly { readonly what: string; readonly because: string }[];
}

/** A source that takes longer is left out of its tick; while it is still busy it is not asked again. */
const LATE_MS = 5_000;
/** The moments at which a part begins or ends fall between two ticks: a shorter piece says little, and has no point. */
const LENGTH_SHARE_MIN = 0.5;

interface Track {
  readonly atMs: number[];
  readonly values: Map<string, { readonly unit: string; readonly points: (number | null)[] }>;
}

export class Sampler {
  readonly #parts: SamplerParts;
  readonly #tracks = new Map<string, Track>();
  readonly #unseen = new Map<string, string>();
  readonly #busy = new Set<string>();
  #latest: Moment | undefined;
  /** With which the last points end. */
  #previous: Moment | undefined;
  #first: Moment | undefined;
  #last: Moment | undefined;
  #zeroMs: number | undefined;
  #ticking: Promise<void> = Promise.resolve();
  #callOff: (() => void) | undefined;
  #isOver = false;
  #samples = 0;
  #missed = 0;

  constructor(parts: SamplerParts) {
    this.#parts = parts;
  }

  /** Takes the first sample, and one every interval from then on. */
  async start(): Promise<void> {
    await this.#tick();
    this.#schedule(this.#parts.world.now() + this.#parts.intervalMs);
  }

  /** The measured part begins now: times count from here, and the exact means. */
  async beginMeasuring(): Promise<void> {
    this.#zeroMs = this.#parts.world.now();
    await this.#tick();
    this.#first = this.#latest;
  }

  /** The load has ended. Nothing is asked any more once this has resolved. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#callOff?.();
    await this.#tick();
    this.#last = this.#latest;
  }

  #schedule(dueMs: number): void {
    const { world, intervalMs } = this.#parts;
    this.#callOff = world.after(Math.max(0, dueMs - world.now()), () => {
      if (this.#isOver) return;
      void this.#tick().then(() => {
        if (this.#isOver) return;
        // By the schedule, not by when the last one was done; ticks that have passed meanwhile are left out.
        const missed = Math.max(0, Math.floor((world.now() - dueMs) / intervalMs));
        this.#missed += missed;
        this.#schedule(dueMs + (missed + 1) * intervalMs);
      });
    });
  }

  /** One after another: two ticks at once would read the same moment twice. */
  #tick(): Promise<void> {
    this.#ticking = this.#ticking.then(() => this.#sample());
    return this.#ticking;
  }

  async #sample(): Promise<void> {
    const { world, sources } = this.#parts;
    const askedMs = world.now();
    const [server, host] = await Promise.all([this.#ask('server', sources.server), this.#ask('host', sources.host)]);
    const client = sources.client?.();
    // The middle of asking: a reply that took long was made somewhere in between.
    const moment: Moment = {
      atMs: (askedMs + world.now()) / 2,
      ...(server === undefined ? {} : { server }),
      ...(host === undefined ? {} : { host }),
      ...(client === undefined ? {} : { client }),
    };
    this.#samples++;
    this.#note(moment);
  }

  async #ask<T>(name: string, source: { sample(): Promise<T> } | undefined): Promise<T | undefined> {
    if (source === undefined) return undefined;
    if (this.#busy.has(name)) {
      this.#missed++;
      return undefined;
    }
    this.#busy.add(name);
    const asked = source.sample().finally(() => this.#busy.delete(name));
    let callOff = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      callOff = this.#parts.world.after(LATE_MS, () => resolve(undefined));
    });
    try {
      const sample = await Promise.race([asked, late]);
      if (sample === undefined) this.#miss(name, `It did not answer within ${LATE_MS / 1000} s.`);
      return sample;
    } catch (error) {
      this.#miss(name, error instanceof Error ? error.message : String(error));
      return undefined;
    } finally {
      callOff();
      asked.catch(() => {});
    }
  }

  #miss(source: string, because: string): void {
    this.#missed++;
    if (!this.#unseen.has(source)) this.#unseen.set(source, because);
  }

  #note(moment: Moment): void {
    const earlier = this.#previous;
    this.#latest = moment;
    if (earlier === undefined) {
      this.#previous = moment;
      return;
    }
    const elapsedMs = moment.atMs - earlier.atMs;
    if (elapsedMs < this.#parts.intervalMs * LENGTH_SHARE_MIN) return;
    for (const [name, probe] of this.#parts.probes) {
      const readings = probe.between(earlier, moment, elapsedMs / 1000, this.#parts.facts);
      if (typeof readings === 'string') {
        if (!this.#unseen.has(name)) this.#unseen.set(name, readings);
      } else {
        addPoints(this.#trackOf(name), moment.atMs, readings);
      }
    }
    this.#previous = moment;
  }

  #trackOf(name: string): Track {
    const known = this.#tracks.get(name);
    if (known !== undefined) return known;
    const track: Track = { atMs: [], values: new Map() };
    this.#tracks.set(name, track);
    return track;
  }

  get watched(): Watched {
    const zeroMs = this.#zeroMs ?? this.#last?.atMs ?? 0;
    const series: Record<string, Series> = {};
    for (const [name, track] of this.#tracks) {
      if (track.atMs.length === 0) continue;
      series[name] = {
        atS: track.atMs.map((atMs) => rounded((atMs - zeroMs) / 1000)),
        values: Object.fromEntries(track.values),
        measured: this.#measured(name),
      };
    }
    const unseen = [...this.#unseen]
      .filter(([name]) => series[name] === undefined)
      .map(([what, because]) => ({ what, because }));
    return { series, samples: this.#samples, missed: this.#missed, unseen };
  }

  #measured(name: string): Record<string, number> {
    const [first, last] = [this.#first, this.#last];
    const probe = this.#parts.probes.get(name);
    if (first === undefined || last === undefined || probe === undefined || last.atMs <= first.atMs) return {};
    const readings = probe.between(first, last, (last.atMs - first.atMs) / 1000, this.#parts.facts);
    if (typeof readings === 'string') return {};
    return Object.fromEntries(Object.entries(readings).map(([key, { value }]) => [key, significant(value)]));
  }
}

function addPoints(track: Track, atMs: number, readings: Readonly<Record<string, Reading>>): void {
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
