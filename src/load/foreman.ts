/** Leads the workers through one load, and decides when and how it ends. Nothing is measured here. */
import { assert, unreachable } from '../base/assert.ts';
import type { Ending, Interval } from '../model/run.ts';
import { boundaryS } from './boundaries.ts';
import { describeFailure, type Failure } from './failure.ts';
import { type Member, Members, sessionsOfWorker } from './members.ts';
import type { ClientState, FromWorker } from './messages.ts';
import { eventsMaxOf, type LoadHooks, type LoadPlan, type SentCounts } from './plan.ts';
import { Settling } from './settling.ts';
import type { Schedule } from './source.ts';
import { TICKETS_BYTES, Tickets } from './tickets.ts';
import { Timeline } from './timeline.ts';
import { Timers } from './timers.ts';
import type { LoadClock, LoadWorld } from './world.ts';

/** So that every worker has heard of it before it begins. */
const MEASURE_DELAY_MS = 250;
/** So that the last worker has its orders before the first begins. */
const START_DELAY_MS = 20;
/** After Ctrl-C nobody wants to wait longer for a server that may have stopped answering. */
const INTERRUPT_GRACE_MS = 5_000;
/** After a fatal error: transactions that wait for a lock end by innodb_lock_wait_timeout, which may be long. */
const FAILURE_GRACE_MS = 10_000;
/** A worker that is cut answers at once; one that does not by then is caught in the workload's own code. */
const CUT_WAIT_MS = 3_000;
/** Connections say goodbye within two seconds; a thread that has not by then is ended all the same. */
const CLOSE_WAIT_MS = 3_000;

type Stop = Extract<Ending, { cause: string }>;

/** Why the sessions did not all get ready. */
export type NotReady =
  | { readonly is: 'refused'; readonly failure: Failure; readonly session: number }
  | { readonly is: 'stopped'; readonly ending: Stop };

export class Foreman {
  readonly timeline: Timeline;
  schedule: Schedule | undefined;
  readonly #plan: LoadPlan;
  readonly #hooks: LoadHooks;
  readonly #clock: LoadClock;
  readonly #members: Members;
  readonly #timers: Timers;
  readonly #tickets: Tickets;
  readonly #shared = new SharedArrayBuffer(TICKETS_BYTES);
  /** Parts of the sequence that have begun. */
  readonly #parts = new Set<string>();
  #onMeasuring: () => void = () => {};
  #callOffParts: () => void = () => {};
  #settling: Settling | undefined;
  #notReady: NotReady | undefined;
  #connectingMs = Number.POSITIVE_INFINITY;
  #readyMs: number | undefined;
  #stopped: Stop | undefined;
  #stopMs = Number.NEGATIVE_INFINITY;
  #isCut = false;
  #isStopping = false;
  /** All that could be measured has been: nothing changes the ending any more. */
  #isOver = false;
  #mistake: unknown;
  /** Looked at after every message: resolves the step that is awaited. */
  #check: () => void = () => {};

  constructor(plan: LoadPlan, hooks: LoadHooks, clock: LoadClock, world: LoadWorld | undefined) {
    assert(plan.workers >= 1 && plan.workers <= plan.threads, 'every worker has a session');
    this.#plan = plan;
    this.#hooks = hooks;
    this.#clock = clock;
    this.#timers = new Timers(clock);
    this.#members = new Members(plan, this.#shared, world);
    this.#tickets = new Tickets(this.#shared, eventsMaxOf(plan));
    this.#settling = plan.isWarmupAuto ? new Settling() : undefined;
    const sessionsOf = Array.from({ length: plan.workers }, (_, worker) => sessionsOfWorker(plan, worker));
    this.timeline = new Timeline(plan, sessionsOf, {
      onInterval: (interval) => {
        this.#tell(() => hooks.onInterval?.(interval));
        this.#settle(interval);
      },
      onCheckpoint: (checkpoint) => this.#tell(() => hooks.onCheckpoint?.(checkpoint)),
    });
  }

  get connected(): number {
    return this.#members.connected;
  }

  /** Of all workers, from connecting on; of a dead one what it had last told. */
  get sent(): SentCounts {
    return this.#members.sent;
  }

  get clients(): readonly ClientState[] {
    return this.#members.all.map(({ client }) => client);
  }

  /** From the first connect until all sessions were ready; undefined where they never were. */
  get setupS(): number | undefined {
    return this.#readyMs === undefined ? undefined : (this.#readyMs - this.#connectingMs) / 1000;
  }

  /** Undefined once all sessions are ready. */
  async connect(): Promise<NotReady | undefined> {
    this.#members.hire({
      onMessage: (worker, message) => this.#onMessage(worker, message),
      onDeath: (worker, because) => this.#onDeath(worker, because),
    });
    this.#timers.after(this.#plan.threadInitTimeoutS * 1000, () => this.#onTooLate());
    await this.#until(() => this.#notReady !== undefined || this.#members.all.every(({ isReady }) => isReady));
    this.#timers.callOffAll();
    if (this.#notReady !== undefined) this.#members.post('cut');
    else this.#readyMs = this.#clock.now();
    this.#throwMistake();
    return this.#notReady;
  }

  /** Runs the load to its end, whatever that is. `onMeasuring` is called when the measured part begins. */
  async run(onMeasuring: () => void): Promise<void> {
    const { warmupS, timeS } = this.#plan;
    this.#throwMistake();
    if (this.#stopped !== undefined) return;
    const startMs = this.#clock.now() + START_DELAY_MS;
    const measureStartMs = startMs + warmupS * 1000;
    const endMs = timeS === 0 ? Number.POSITIVE_INFINITY : measureStartMs + timeS * 1000;
    this.schedule = { startMs, measureStartMs, endMs };
    for (const { crew } of this.#members.all) crew.post({ is: 'start', schedule: this.schedule });
    if (warmupS > 0) this.#tell(() => this.#hooks.onPhase?.('warming up'));
    this.#onMeasuring = onMeasuring;
    this.#scheduleParts(this.schedule);
    await this.#until(() => this.#members.all.every(({ isEnded, isDead }) => isEnded || isDead));
    this.#timers.callOffAll();
    this.#isOver = true;
    this.#throwMistake();
  }

  #scheduleParts({ measureStartMs, endMs }: Schedule): void {
    const nowMs = this.#clock.now();
    const begin = this.#timers.after(measureStartMs - nowMs, () => {
      this.#onMeasuring();
      if (!this.#isStopping) this.#tell(() => this.#hooks.onPhase?.('measuring'));
    });
    const end =
      endMs === Number.POSITIVE_INFINITY ? () => {} : this.#timers.after(endMs - nowMs, () => this.#onTimeIsUp());
    this.#callOffParts = () => {
      begin();
      end();
    };
  }

  /** `--warmup=auto`: once the load is steady, measuring begins at the boundary after next. */
  #settle(interval: Interval): void {
    const { schedule } = this;
    if (this.#settling === undefined || schedule === undefined || !interval.isWarmup || this.#isStopping) return;
    const found = this.#settling.add(interval);
    if (found === undefined) return;
    const { warmupS, intervalS } = this.#plan;
    const zeroMs = schedule.measureStartMs;
    const soonestMs = this.#clock.now() + MEASURE_DELAY_MS;
    const atS = boundaryS(Math.ceil((soonestMs - zeroMs) / 1000 / intervalS), intervalS);
    this.#settling = undefined;
    if (atS >= 0) return;
    const steadyS = warmupS + interval.endS;
    this.#note(
      `Steady after ${steadyS.toFixed(0)} s (the first ${found.differsS.toFixed(0)} s differ): measuring begins.`,
    );
    const measureStartMs = zeroMs + atS * 1000;
    const endMs = schedule.endMs + atS * 1000;
    this.schedule = { ...schedule, measureStartMs, endMs };
    this.timeline.zeroS = atS;
    this.#callOffParts();
    this.#scheduleParts(this.schedule);
    for (const { crew, isDead } of this.#members.all) {
      if (!isDead) crew.post({ is: 'measure from', atS, measureStartMs, endMs });
    }
  }

  #onTimeIsUp(): void {
    this.#noteStopping();
    const { forcedShutdownS } = this.#plan;
    if (forcedShutdownS === undefined) return;
    this.#timers.after(forcedShutdownS * 1000, () => {
      this.#cut();
      this.#stopped ??= {
        kind: 'forced',
        cause: `What still ran ${forcedShutdownS} s after the end of time was cut off (--forced-shutdown).`,
      };
    });
  }

  interrupt(cause: string): void {
    if (this.#isOver) return;
    const graceS = INTERRUPT_GRACE_MS / 1000;
    const hurry = this.#hooks.atOnce === undefined ? '' : '; once more, and they are cut off';
    this.#note(`Interrupted: waiting up to ${graceS} s for the transactions that are under way${hurry}.`);
    this.#stop({ kind: 'interrupted', cause }, INTERRUPT_GRACE_MS);
  }

  /** Interrupted a second time: nothing is waited for. */
  cutShort(): void {
    if (this.#isOver) return;
    this.#stop({ kind: 'interrupted', cause: 'Interrupted from outside.' }, 0);
    if (this.schedule !== undefined) this.#cut();
  }

  /** The first reason to stop counts. */
  fail(cause: string): void {
    this.#stop({ kind: 'failed', cause }, FAILURE_GRACE_MS);
  }

  #stop(ending: Stop, graceMs: number): void {
    if (this.#stopped === undefined) {
      this.#stopped = ending;
      this.#stopMs = this.#clock.now();
      this.#notReady ??= { is: 'stopped', ending };
      this.#noteStopping();
      if (this.schedule !== undefined) {
        this.#members.post('stop');
        this.#timers.after(graceMs, () => this.#cut());
      }
    }
    this.#check();
  }

  #cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#stopMs = this.#clock.now();
    this.#members.post('cut');
    this.#timers.after(CUT_WAIT_MS, () => {
      for (const [worker, member] of this.#members.all.entries()) {
        if (member.isEnded || member.isDead) continue;
        void member.crew.dismiss();
        this.#onDeath(worker, `it did not answer for ${CUT_WAIT_MS / 1000} s`);
      }
    });
  }

  #noteStopping(): void {
    if (this.#isStopping || this.schedule === undefined) return;
    this.#isStopping = true;
    this.#tell(() => this.#hooks.onPhase?.('stopping'));
  }

  get ending(): Ending {
    if (this.#stopped !== undefined) return this.#stopped;
    return { kind: this.#tickets.isExhausted ? 'events' : 'time' };
  }

  /** Seconds from the start of the measured part to the end of the load; below zero where that was not reached. */
  get endS(): number {
    if (this.schedule === undefined) return 0;
    const { measureStartMs, endMs } = this.schedule;
    const moments = this.#members.all.map(({ lastDoneMs }) => lastDoneMs);
    if (this.#stopped !== undefined || this.#isCut) moments.push(this.#stopMs);
    if (this.ending.kind === 'time') moments.push(endMs);
    return (Math.max(...moments) - measureStartMs) / 1000;
  }

  /** Closes all connections and ends all threads. */
  async dismiss(): Promise<void> {
    this.#timers.callOffAll();
    this.#members.post('close');
    this.#timers.after(CLOSE_WAIT_MS, () => {
      for (const member of this.#members.all) member.isClosed = true;
      this.#check();
    });
    await this.#until(() => this.#members.all.every(({ isClosed, isDead }) => isClosed || isDead));
    this.#timers.callOffAll();
    await Promise.all(this.#members.all.map(({ crew }) => crew.dismiss()));
  }

  #onMessage(worker: number, message: FromWorker): void {
    this.#tell(() => this.#take(worker, this.#members.all[worker]!, message));
    this.#check();
  }

  /** A hook, or our own code, may fail: then the load ends in good order first, and the error is thrown after. */
  #tell(what: () => void): void {
    try {
      what();
    } catch (error) {
      const isFirst = this.#mistake === undefined;
      this.#mistake ??= error;
      if (isFirst) this.fail('An error of the program itself.');
    }
  }

  #throwMistake(): void {
    if (this.#mistake !== undefined) throw this.#mistake;
  }

  #note(line: string): void {
    this.#tell(() => this.#hooks.onNote?.(line));
  }

  #take(worker: number, member: Member, message: FromWorker): void {
    switch (message.is) {
      case 'progress':
        member.connected += message.connected;
        member.ready += message.ready;
        return;
      case 'ready':
        member.isReady = true;
        member.sent = message.sent;
        this.#connectingMs = Math.min(this.#connectingMs, message.connectingMs);
        return;
      case 'not ready':
        member.sent = message.sent;
        this.#notReady ??= { is: 'refused', failure: message.failure, session: message.session };
        return;
      case 'interval':
        member.sent = message.state.sent;
        member.client = message.state.client;
        this.#hooks.onClient?.(worker, message.state.client);
        this.timeline.addInterval(worker, message.delta, message.state);
        return;
      case 'ended':
        member.isEnded = true;
        member.sent = message.state.sent;
        member.client = message.state.client;
        member.lastDoneMs = message.lastDoneMs;
        this.timeline.addLast(worker, message.delta, message.late, message.state);
        return;
      case 'part':
        if (this.#parts.has(message.part)) return;
        this.#parts.add(message.part);
        this.#hooks.onPart?.(message.part);
        return;
      case 'note':
        this.#note(this.#plan.workers === 1 ? message.line : `Worker ${worker + 1}: ${message.line}`);
        return;
      case 'fatal':
        this.#onFatal(message.failure, message.transaction);
        return;
      case 'closed':
        member.isClosed = true;
        return;
      default:
        unreachable(message);
    }
  }

  #onFatal(failure: Failure, transaction: string | undefined): void {
    const where = transaction === undefined ? '' : `Transaction '${transaction}': `;
    const cause = `${where}${describeFailure(failure)}`;
    if (this.#stopped === undefined) this.#note(cause);
    this.fail(cause);
  }

  #onDeath(worker: number, because: string): void {
    const member = this.#members.all[worker]!;
    member.isDead = true;
    // With its port closed a worker has nothing left to wait for, and its thread ends by itself.
    if (member.isClosed) return;
    this.timeline.leaveOut(worker);
    const { workers } = this.#plan;
    this.fail(
      `Worker ${worker + 1} of ${workers} died: ${because}. What its ${member.sessions.length} sessions did after its last report is not in the figures.`,
    );
  }

  #onTooLate(): void {
    const { threads, threadInitTimeoutS } = this.#plan;
    const ready = this.#members.ready;
    if (this.connected === 0) {
      const message = `none within ${threadInitTimeoutS} s (--thread-init-timeout)`;
      this.#notReady ??= { is: 'refused', failure: { is: 'wire', kind: 'timeout', message }, session: 0 };
      this.#check();
      return;
    }
    this.fail(
      `Only ${ready} of ${threads} sessions were ready within ${threadInitTimeoutS} s (${this.connected} were connected). Raise --thread-init-timeout, or take fewer --threads.`,
    );
  }

  #until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#check = () => {
        if (!isDone()) return;
        this.#check = () => {};
        resolve();
      };
      this.#check();
    });
  }
}
