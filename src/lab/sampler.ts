/**
 * Watches while a load runs: samples all sources once a tick, lets the probes make figures of every two moments, and of
 * the first and the last moment of the measured part. A source that is late or gone costs its figures, never the run.
 */
import type { Series, WatchedSource } from '../model/observed.ts';
import type { SampleLook } from '../observe/host-sample.ts';
import type { ClientSample, Moment, Probe, ProbeFacts } from '../observe/probe.ts';
import { type Ask, SourceTrack } from './source-track.ts';

/** What the sampler needs of the world, handed in: tests turn the clock and answer in place of servers and hosts. */
export interface SamplerWorld {
  /** Milliseconds of the clock that the load uses. */
  now(): number;
  /** Calls `fire` once after `delayMs`; returns what calls it off. */
  after(delayMs: number, fire: () => void): () => void;
}

export interface SamplerSources {
  readonly server?: { sample(): Promise<NonNullable<Moment['server']>> };
  readonly host?: { sample(look?: SampleLook): Promise<NonNullable<Moment['host']>> };
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
  /** Ticks, and those of them at which a source had no answer. */
  readonly samples: number;
  readonly missed: number;
  readonly sources: readonly WatchedSource[];
  readonly unseen: readonly { readonly what: string; readonly because: string }[];
}

/** A source that takes longer is left out of its tick; while it is still busy it is not asked again. */
const LATE_MS = 5_000;

export class Sampler {
  readonly #parts: SamplerParts;
  readonly #tracks: readonly SourceTrack[];
  #measureMs: number | undefined;
  #endMs: number | undefined;
  #callOff: (() => void) | undefined;
  #isOver = false;
  #samples = 0;
  #missed = 0;

  constructor(parts: SamplerParts) {
    const { server, host, client } = parts.sources;
    this.#parts = parts;
    const track = (of: 'server' | 'host' | 'client', sample: Ask | undefined) =>
      sample === undefined ? [] : [new SourceTrack({ of, sample, lateMs: LATE_MS, ...parts })];
    this.#tracks = [
      ...track('server', server && (async () => ({ server: await server.sample() }))),
      ...track('host', host && (async (look) => ({ host: await host.sample(look) }))),
      ...track('client', client && (async () => ({ client: client() }))),
    ];
  }

  /** Takes the first sample, and one every interval from then on. */
  async start(): Promise<void> {
    await this.#edge();
    this.#schedule(this.#parts.world.now() + this.#parts.intervalMs);
  }

  /** The measured part begins now: times count from here, and the exact means. */
  async beginMeasuring(): Promise<void> {
    this.#measureMs = this.#parts.world.now();
    for (const track of this.#tracks) track.beginMeasuring();
    await this.#edge();
  }

  /** The load has ended. Nothing is asked any more once this has resolved. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#callOff?.();
    this.#endMs = this.#parts.world.now();
    await this.#edge();
  }

  #schedule(dueMs: number): void {
    const { world, intervalMs } = this.#parts;
    this.#callOff = world.after(Math.max(0, dueMs - world.now()), () => {
      if (this.#isOver) return;
      // Whoever has not answered yet is left out, and holds up nobody else.
      void this.#count(this.#tracks.map((track) => track.tick()));
      // By the schedule, not by when this one was done; ticks that have passed meanwhile are left out.
      const passed = Math.max(0, Math.floor((world.now() - dueMs) / intervalMs));
      this.#samples += passed;
      this.#missed += passed;
      this.#schedule(dueMs + (passed + 1) * intervalMs);
    });
  }

  /** Where a part begins or ends: each source is asked once it has answered what it was asked before. */
  #edge(): Promise<void> {
    return this.#count(this.#tracks.map((track) => track.edge()));
  }

  async #count(asked: readonly Promise<boolean>[]): Promise<void> {
    this.#samples++;
    const answers = await Promise.all(asked);
    if (answers.includes(false)) this.#missed++;
  }

  get watched(): Watched {
    const endMs = this.#endMs ?? this.#parts.world.now();
    const zeroMs = this.#measureMs ?? endMs;
    const series = Object.assign({}, ...this.#tracks.map((track) => track.seriesOf(zeroMs, endMs)));
    const sources = this.#tracks.map((track) => track.told(endMs));
    // The probe of the client has the name of its source.
    const unseen = this.#tracks
      .flatMap((track) => track.unseen)
      .filter(({ what }) => series[what] === undefined || sources.some(({ of, missed }) => of === what && missed > 0));
    return { series, samples: this.#samples, missed: this.#missed, sources, unseen };
  }
}
