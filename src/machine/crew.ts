/** Runs one test on its threads, from the first to the last, and decides when and how it ends. */
import { Worker } from 'node:worker_threads';
import { assert, unreachable } from '../base/assert.ts';
import { monotonicMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import type { HostTestInterval } from '../model/host-test.ts';
import type { Ending } from '../model/run.ts';
import { CONTROL_BYTES, Control } from './control.ts';
import type { LoopEnd } from './event-loop.ts';
import type { ThreadNeeds } from './host-test.ts';
import { IntervalBook } from './interval-book.ts';
import type { FromThread, RunnerName, ThreadJob } from './messages.ts';
import { PARTNER_BYTES } from './partner.ts';

export interface CrewPlan {
  readonly runner: RunnerName;
  readonly values: Readonly<Record<string, unknown>>;
  readonly threads: number;
  readonly seed: number;
  /** 0: no limit. */
  readonly timeS: number;
  readonly events: number;
  readonly intervalS: number;
  /** After the end of time; absent: what still runs is waited for. */
  readonly forcedShutdownS?: number;
  readonly needs: ThreadNeeds;
  readonly fileDescriptors: readonly number[];
}

export interface CrewHooks {
  onStart?(): void;
  onInterval?(interval: HostTestInterval): void;
  onNote?(line: string): void;
}

export interface Stops {
  /** No event is begun any more. */
  readonly signal: AbortSignal;
  /** Nothing is waited for. */
  readonly atOnce: AbortSignal;
}

export interface CrewResult {
  readonly ending: Ending;
  readonly elapsedS: number;
  readonly cpuS: number;
  readonly book: IntervalBook;
  readonly shared: SharedArrayBuffer | undefined;
}

/** After Ctrl-C: an event that takes longer is cut off. */
const INTERRUPT_GRACE_MS = 5_000;
/** Most events end sooner; of others it must be said that they are waited for. */
const INTERRUPT_NOTE_MS = 500;

/** Longest delay that a timer of Node takes, 24 days; a longer one would fire at once. */
const TIMER_MS_MAX = 2_147_483_647;

/**
 * Threads inherit the flags of this process, V8's among them. Not where it was given its program by `--input-type`: a
 * thread runs a file, and refuses that flag.
 */
const THREAD_FLAGS = process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {};

/** Throws a `UserError` where the threads cannot be made ready; whatever happens after that is an ending. */
export async function runCrew(plan: CrewPlan, hooks: CrewHooks, stops: Stops): Promise<CrewResult> {
  await using crew = new Crew(plan, hooks);
  stops.signal.throwIfAborted();
  const onSignal = () => crew.interrupt(reasonOf(stops.signal));
  const onAtOnce = () => crew.cut({ kind: 'interrupted', cause: reasonOf(stops.atOnce) });
  stops.signal.addEventListener('abort', onSignal);
  stops.atOnce.addEventListener('abort', onAtOnce);
  try {
    return await crew.run();
  } finally {
    stops.signal.removeEventListener('abort', onSignal);
    stops.atOnce.removeEventListener('abort', onAtOnce);
  }
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}

interface Member {
  readonly thread: Worker;
  isReady: boolean;
  end: LoopEnd | undefined;
}

class Crew implements AsyncDisposable {
  readonly #plan: CrewPlan;
  readonly #hooks: CrewHooks;
  readonly #control: Control;
  readonly #shared: SharedArrayBuffer | undefined;
  readonly #book: IntervalBook;
  readonly #members: Member[] = [];
  readonly #partners: Worker[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #failure: UserError | undefined;
  #stopped: Ending | undefined;
  #isCut = false;
  /** Looked at after everything that happens: resolves the step that is awaited. */
  #check: () => void = () => {};

  constructor(plan: CrewPlan, hooks: CrewHooks) {
    this.#plan = plan;
    this.#hooks = hooks;
    this.#shared = sharedMemory(plan.needs.sharedBytes);
    const control = new SharedArrayBuffer(CONTROL_BYTES);
    this.#control = new Control(control, eventsMaxOf(plan));
    this.#book = new IntervalBook(plan.threads, plan.intervalS, (interval) => hooks.onInterval?.(interval));
    for (let thread = 0; thread < plan.threads; thread++) this.#hire(thread, control);
  }

  async run(): Promise<CrewResult> {
    await this.#until(() => this.#members.every(({ isReady }) => isReady));
    if (this.#failure !== undefined) throw this.#failure;
    const { timeS, forcedShutdownS } = this.#plan;
    const cpuBefore = process.cpuUsage();
    const startMs = monotonicMs();
    this.#hooks.onStart?.();
    this.#control.go();
    if (timeS > 0 && forcedShutdownS !== undefined) {
      const cause = `What still ran ${forcedShutdownS} s after the end of time was cut off (--forced-shutdown).`;
      this.#after((timeS + forcedShutdownS) * 1_000, () => this.cut({ kind: 'forced', cause }));
    }
    await this.#until(() => this.#members.every(({ end }) => end !== undefined));
    const cpu = process.cpuUsage(cpuBefore);
    const ends = this.#members.flatMap(({ end }) => (end === undefined ? [] : [end.elapsedMs]));
    const isComplete = ends.length === this.#members.length;
    const elapsedS = (isComplete ? Math.max(...ends) : monotonicMs() - startMs) / 1_000;
    this.#book.close(elapsedS);
    return {
      ending: this.#ending(),
      elapsedS,
      cpuS: (cpu.user + cpu.system) / 1e6,
      book: this.#book,
      shared: this.#shared,
    };
  }

  interrupt(cause: string): void {
    this.#stopped ??= { kind: 'interrupted', cause };
    this.#control.stop();
    const note = `Interrupted: waiting up to ${INTERRUPT_GRACE_MS / 1_000} s for the events that are under way; once more, and they are cut off.`;
    this.#after(INTERRUPT_NOTE_MS, () => this.#hooks.onNote?.(note));
    this.#after(INTERRUPT_GRACE_MS, () => this.cut({ kind: 'interrupted', cause }));
    this.#check();
  }

  cut(ending: Ending): void {
    this.#stopped ??= ending;
    this.#isCut = true;
    this.#check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(
      [...this.#members.map(({ thread }) => thread), ...this.#partners].map((each) => each.terminate()),
    );
  }

  #hire(thread: number, control: SharedArrayBuffer): void {
    const plan = this.#plan;
    const shared = this.#shared;
    const { partnersAtByte } = plan.needs;
    if (partnersAtByte !== undefined && shared !== undefined) {
      const atByte = partnersAtByte + thread * PARTNER_BYTES;
      this.#partners.push(this.#start({ is: 'partner', shared, atByte }, `partner ${thread}`));
    }
    const job: ThreadJob = {
      is: 'runner',
      runner: plan.runner,
      values: plan.values,
      place: { thread, seed: plan.seed, shared, fileDescriptors: plan.fileDescriptors },
      limits: {
        timeMs: plan.timeS === 0 ? Number.POSITIVE_INFINITY : plan.timeS * 1_000,
        intervalMs: plan.intervalS * 1_000,
        eventsMax: plan.needs.eventsPerThread ?? Number.POSITIVE_INFINITY,
      },
      eventsMax: eventsMaxOf(plan),
      control,
    };
    const worker = this.#start(job, `${plan.runner} ${thread}`);
    worker.on('message', (message: FromThread) => this.#onMessage(thread, message));
    this.#members.push({ thread: worker, isReady: false, end: undefined });
  }

  #start(job: ThreadJob, name: string): Worker {
    assert(
      import.meta.url.endsWith('.js'),
      'Node runs no thread from TypeScript: only the compiled program has threads',
    );
    const worker = new Worker(new URL('./worker.js', import.meta.url), { name, workerData: job, ...THREAD_FLAGS });
    worker.on('error', (error) => {
      this.#fail(`A thread ended: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    });
    return worker;
  }

  #onMessage(thread: number, message: FromThread): void {
    const member = this.#members[thread]!;
    switch (message.is) {
      case 'ready':
        member.isReady = true;
        break;
      case 'interval':
        this.#book.add(thread, message.tally);
        break;
      case 'ended':
        member.end = message.end;
        this.#book.end(thread, message.end.rest);
        break;
      case 'failed':
        this.#fail(message.because, message.remedy);
        break;
      default:
        unreachable(message);
    }
    this.#check();
  }

  /** The first failure counts. The others may wait for a lock that nobody frees any more: they are not waited for. */
  #fail(because: string, remedy?: string): void {
    this.#failure ??= new UserError(because, {
      exitCode: ExitCode.runFailed,
      ...(remedy === undefined ? {} : { hint: remedy }),
    });
    this.cut({ kind: 'failed', cause: remedy === undefined ? because : `${because} ${remedy}` });
  }

  #ending(): Ending {
    if (this.#stopped !== undefined) return this.#stopped;
    const isTime = this.#members.some(({ end }) => end?.because === 'time');
    return { kind: isTime ? 'time' : 'events' };
  }

  async #until(isDone: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#check = () => {
        if (isDone() || this.#isCut) resolve();
      };
      this.#check();
    });
  }

  #after(delayMs: number, fire: () => void): void {
    if (delayMs > TIMER_MS_MAX) return;
    this.#timers.add(setTimeout(fire, delayMs));
  }
}

function eventsMaxOf({ events, needs }: CrewPlan): number {
  const limits = [events, needs.eventsMax ?? 0].filter((limit) => limit > 0);
  return limits.length === 0 ? 0 : Math.min(...limits);
}

function sharedMemory(bytes: number | undefined): SharedArrayBuffer | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new SharedArrayBuffer(bytes);
  } catch (cause) {
    throw new UserError(`There are no ${bytes} bytes of memory for the threads to share.`, {
      hint: 'Ask for a smaller block, or for fewer locks.',
      cause,
    });
  }
}
