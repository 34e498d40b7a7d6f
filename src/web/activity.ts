/**
 * The one thing that is done at a time: a load beside another would spoil both. It is told to all who watch, and what
 * came of it stays to be seen until the next begins.
 */
import { nowMs } from '../base/clock.ts';
import type { Activity, ActivityEvents, ApiProblem, LiveInterval } from './api.ts';
import { Busy } from './failure.ts';

export type ActivityEvent = {
  readonly [Name in keyof ActivityEvents]: { readonly name: Name; readonly data: ActivityEvents[Name] };
}[keyof ActivityEvents];
export type Listener = (event: ActivityEvent) => void;

/** An hour at one a second; what is older is in the record when the run is over. */
const INTERVALS_KEPT_MAX = 3_600;
/** More would be read by nobody. */
const NOTES_KEPT_MAX = 200;
/** What changes faster is told together. */
const TELL_EVERY_MS = 150;

type Going = Exclude<Activity, { is: 'idle' }>;

/** How whoever does the work tells of it. */
export interface Teller<Live extends Going> {
  readonly live: Live;
  change(change: Partial<Live>): void;
  note(line: string): void;
  /** Its intervals follow, and those of the load before are forgotten. */
  beginLoad(load: NonNullable<Live['load']>): void;
  interval(interval: LiveInterval): void;
  readonly signal: AbortSignal;
  /** Aborted when it is stopped a second time. */
  readonly atOnce: AbortSignal;
}

/** Without what every activity begins with. */
export type Begun<Live extends Going> = Omit<Live, 'number' | 'startedAt' | 'state' | 'notes'>;

export interface ActivityWorld {
  /** Undefined for a mistake in this program, which is then told there. */
  problemsOf(error: unknown): readonly ApiProblem[] | undefined;
  onMistake(error: unknown): void;
}

const MISTAKE: ApiProblem = {
  is: 'This is a mistake in sqldyno itself, not yours.',
  remedy: 'The terminal shows it; please report it.',
};

function nothing(): void {}

export class Activities {
  readonly #world: ActivityWorld;
  readonly #listeners = new Set<Listener>();
  #activity: Activity = { is: 'idle' };
  #intervals: LiveInterval[] = [];
  #number = 0;
  #stop: { readonly soon: AbortController; readonly atOnce: AbortController } | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** What excludes loads, and is no load itself: `the doctor looks at this machine`. */
  #other: { readonly what: string; readonly patience: AbortController; readonly over: Promise<void> } | undefined;
  #isClosed = false;
  #telling: NodeJS.Timeout | undefined;

  constructor(world: ActivityWorld) {
    this.#world = world;
  }

  get activity(): Activity {
    return this.#activity;
  }

  /** Throws `Busy` where something is under way. Returns at once; `work` goes on. */
  begin<Live extends Going>(begun: Begun<Live>, work: (teller: Teller<Live>) => Promise<Partial<Live>>): Live {
    this.#refuseSecond();
    this.#number++;
    const live = {
      ...begun,
      number: this.#number,
      startedAt: new Date(nowMs()).toISOString(),
      state: 'going',
      notes: [],
    } as unknown as Live;
    this.#activity = live;
    this.#intervals = [];
    const stop = { soon: new AbortController(), atOnce: new AbortController() };
    this.#stop = stop;
    this.#tellSnapshot();
    this.#ended = this.#conduct(this.#teller<Live>(stop), work);
    return live;
  }

  /** For what is no load, and would be disturbed by one or disturb it. */
  async alone<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#refuseSecond();
    const patience = new AbortController();
    const working = work(patience.signal);
    const over = working.then(nothing, nothing);
    this.#other = { what, patience, over };
    try {
      return await working;
    } finally {
      this.#other = undefined;
    }
  }

  /** Once: in good order. Twice: at once. False where nothing is under way. */
  stop(because: Error): boolean {
    if (!this.#isGoing()) return false;
    if (this.#stop?.soon.signal.aborted === true) this.#stop.atOnce.abort(because);
    this.#stop?.soon.abort(because);
    this.#change({ state: 'stopping', step: 'stopping' });
    return true;
  }

  /** Nothing is begun any more; resolves when nothing is under way. */
  async close(because: Error): Promise<void> {
    this.#isClosed = true;
    this.stop(because);
    this.#other?.patience.abort(because);
    await Promise.all([this.settled(), this.#other?.over]);
    clearTimeout(this.#telling);
    this.#listeners.clear();
  }

  /** When what is under way is over. */
  settled(): Promise<void> {
    return this.#ended;
  }

  /** The first event is the snapshot. Returns what ends it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    listener(this.#snapshot());
    return () => this.#listeners.delete(listener);
  }

  async #conduct<Live extends Going>(
    teller: Teller<Live>,
    work: (teller: Teller<Live>) => Promise<Partial<Live>>,
  ): Promise<void> {
    try {
      const outcome = await work(teller);
      this.#end({ state: 'done', step: 'done', ...outcome } as Partial<Going>);
    } catch (error) {
      if (teller.signal.aborted && error === teller.signal.reason) {
        this.#end({ state: 'done', step: (error as Error).message });
        return;
      }
      const problems = this.#world.problemsOf(error);
      if (problems === undefined) this.#world.onMistake(error);
      this.#end({ state: 'failed', step: 'failed', problems: problems ?? [MISTAKE] });
    }
  }

  #end(change: Partial<Going>): void {
    this.#stop = undefined;
    const { load: _load, progress: _progress, ...rest } = this.#activity as Going;
    this.#activity = { ...rest, ...change } as Activity;
    this.#tellNow();
  }

  #teller<Live extends Going>(stop: { soon: AbortController; atOnce: AbortController }): Teller<Live> {
    const current = () => this.#activity as Live;
    return {
      get live() {
        return current();
      },
      signal: stop.soon.signal,
      atOnce: stop.atOnce.signal,
      change: (change) => this.#change(change),
      note: (line) => {
        const { notes } = current();
        // What is true of every run of an experiment is told once.
        if (!notes.includes(line)) this.#change({ notes: [...notes, line].slice(-NOTES_KEPT_MAX) });
      },
      beginLoad: (load) => {
        this.#intervals = [];
        this.#change({ load } as Partial<Going>);
        this.#tellNow();
      },
      interval: (interval) => {
        this.#intervals.push(interval);
        if (this.#intervals.length > INTERVALS_KEPT_MAX) this.#intervals.shift();
        this.#tell({ name: 'interval', data: { load: current().load?.number ?? 0, interval } });
      },
    };
  }

  #refuseSecond(): void {
    if (this.#isClosed) throw new Busy('The program is about to end.');
    if (this.#other !== undefined) {
      throw new Busy(`Wait a moment: ${this.#other.what}.`, { hint: 'What is measured meanwhile would be disturbed.' });
    }
    if (!this.#isGoing()) return;
    const { title } = this.#activity as Going;
    throw new Busy(`${title} is under way, and two loads at a time would spoil each other.`, {
      hint: 'Wait for its end, or stop it.',
    });
  }

  #isGoing(): boolean {
    return this.#activity.is !== 'idle' && (this.#activity.state === 'going' || this.#activity.state === 'stopping');
  }

  #change(change: Partial<Going>): void {
    const isStopping = this.#activity.is !== 'idle' && this.#activity.state === 'stopping';
    this.#activity = { ...this.#activity, ...change, ...(isStopping ? { state: 'stopping' } : {}) } as Activity;
    this.#telling ??= setTimeout(() => this.#tellNow(), TELL_EVERY_MS);
  }

  #tellNow(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#tell({ name: 'activity', data: this.#activity });
  }

  #tellSnapshot(): void {
    this.#tell(this.#snapshot());
  }

  #snapshot(): ActivityEvent {
    return { name: 'snapshot', data: { activity: this.#activity, intervals: [...this.#intervals] } };
  }

  #tell(event: ActivityEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
