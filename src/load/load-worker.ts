/** One worker: connects its sessions, runs them by the schedule, and reports at the end of every interval. */
import type { MessagePort } from 'node:worker_threads';
import { assert, unreachable } from '../base/assert.ts';
import { TimerAlarm } from './alarm.ts';
import { Boundaries } from './boundaries.ts';
import { ClosedLoop } from './closed-loop.ts';
import { createKeyDistribution } from './distribution.ts';
import { EventLoopWatch } from './event-loop-watch.ts';
import { describeFailure, toFailure } from './failure.ts';
import type { FromWorker, ToWorker, WorkerState } from './messages.ts';
import { OpenLoop } from './open-loop.ts';
import { createPacer } from './pacer.ts';
import { eventsMaxOf, hasDueTimes } from './plan.ts';
import { Names, Recorder } from './recorder.ts';
import { Sent } from './sent.ts';
import { LoadSession } from './session.ts';
import type { SessionParts } from './session-parts.ts';
import type { EventSource, Phases, Schedule } from './source.ts';
import { StopSignal } from './stop-signal.ts';
import { TerminalLoop } from './terminal-loop.ts';
import { Tickets } from './tickets.ts';
import type { LoadWorld } from './world.ts';

/** A listening socket's backlog is 80 and more; this many attempts of every worker fit into it. */
const CONNECTS_AT_ONCE = 16;

type ConnectMessage = Extract<ToWorker, { is: 'connect' }>;

/** Serves the main thread through `port` until it is told to close. */
export function serveLoad(port: MessagePort, world: LoadWorld): void {
  const worker = new LoadWorker(port, world);
  port.on('message', (message: ToWorker) => worker.handle(message));
}

class LoadWorker {
  readonly #port: MessagePort;
  readonly #world: LoadWorld;
  readonly #names = new Names();
  readonly #sent = new Sent();
  readonly #signal: StopSignal;
  readonly #watch = new EventLoopWatch();
  readonly #callOffs = new Set<() => void>();
  readonly #lost = { sessions: 0, sinceMs: 0 };
  #job!: ConnectMessage;
  #phases!: Phases;
  #sessions: readonly LoadSession[] = [];
  #schedule!: Schedule;
  #source!: EventSource;
  #boundaries!: Boundaries;
  #boundaryMs = Number.POSITIVE_INFINITY;
  /** Where boundaries count from, and that at which the measured part begins. */
  #zeroMs = 0;
  #measureFromS = 0;
  #callOffStop: () => void = () => {};
  #part: string | undefined;
  #isFatal = false;
  #isEnded = false;

  constructor(port: MessagePort, world: LoadWorld) {
    this.#port = port;
    this.#world = world;
    this.#signal = new StopSignal(world.clock);
  }

  handle(message: ToWorker): void {
    switch (message.is) {
      case 'connect':
        void this.#connect(message);
        return;
      case 'start':
        this.#start(message.schedule);
        return;
      case 'measure from':
        this.#measureFrom(message);
        return;
      case 'stop':
        this.#stop();
        return;
      case 'cut':
        this.#cut();
        return;
      case 'close':
        void this.#close();
        return;
      default:
        unreachable(message);
    }
  }

  #post(message: FromWorker): void {
    this.#port.postMessage(message);
  }

  async #connect(job: ConnectMessage): Promise<void> {
    this.#job = job;
    let failing = job.sessions[0] ?? 0;
    try {
      const parts = await this.#sessionParts(job);
      this.#sessions = job.sessions.map((index, place) => new LoadSession(parts, index, place));
      const waiting = this.#sessions.keys();
      const timeoutMs = job.plan.threadInitTimeoutS * 1000;
      const connectingMs = this.#world.clock.now();
      const connectSome = async () => {
        for (const place of waiting) {
          if (this.#signal.isStopping) return;
          await this.#sessions[place]!.open(timeoutMs, () =>
            this.#post({ is: 'progress', connected: 1, ready: 0 }),
          ).catch((error) => {
            failing = job.sessions[place]!;
            throw error;
          });
          this.#post({ is: 'progress', connected: 0, ready: 1 });
        }
      };
      await Promise.all(Array.from({ length: CONNECTS_AT_ONCE }, connectSome));
      if (!this.#signal.isStopping) this.#post({ is: 'ready', sent: this.#sent.toCounts(), connectingMs });
    } catch (error) {
      if (this.#signal.isStopping) return;
      this.#signal.stop();
      this.#post({ is: 'not ready', failure: toFailure(error), session: failing, sent: this.#sent.toCounts() });
    }
  }

  async #sessionParts({ plan, sessions }: ConnectMessage): Promise<SessionParts> {
    const workload = await this.#world.loadWorkload(plan.workload.path ?? plan.workload.name);
    const recorders = Array.from({ length: 3 }, () => new Recorder(this.#names, sessions.length));
    const [warmup, measured, scratch] = recorders as [Recorder, Recorder, Recorder];
    this.#phases = { warmup, measured, isMeasuring: false };
    return {
      plan,
      world: this.#world,
      workload,
      keys: createKeyDistribution(plan.rand),
      names: this.#names,
      sent: this.#sent,
      signal: this.#signal,
      scratch,
      onNames: () => {
        for (const recorder of recorders) recorder.makeRoom();
      },
      onFatal: (error, transaction) => this.#onFatal(error, transaction),
      onLost: (error) => this.#onLost(error),
      onResumed: () => this.#onResumed(),
      onPart: (part) => this.#onPart(part),
      onEventEnd: (nowMs) => {
        if (nowMs >= this.#boundaryMs) this.#roll(nowMs);
      },
    };
  }

  #start(schedule: Schedule): void {
    const { plan } = this.#job;
    this.#schedule = { ...schedule };
    this.#zeroMs = schedule.measureStartMs;
    this.#boundaries = new Boundaries(plan);
    this.#noteBoundary();
    this.#source = this.#createSource();
    this.#phases.isMeasuring = plan.warmupS === 0;
    this.#at(schedule.startMs, () => {
      this.#watch.start();
      void this.#run();
    });
    this.#rollOnTime();
    this.#stopAtEnd();
  }

  #stopAtEnd(): void {
    this.#callOffStop();
    const { endMs } = this.#schedule;
    if (endMs !== Number.POSITIVE_INFINITY) this.#callOffStop = this.#at(endMs, () => this.#stop());
  }

  #measureFrom({ atS, measureStartMs, endMs }: Extract<ToWorker, { is: 'measure from' }>): void {
    this.#measureFromS = atS;
    this.#schedule.measureStartMs = measureStartMs;
    this.#schedule.endMs = endMs;
    this.#stopAtEnd();
    // A thread that had no turn for so long has passed the boundary without knowing.
    if (this.#boundaries.nextS > atS && !this.#phases.isMeasuring) this.#beginMeasuring();
  }

  #beginMeasuring(): void {
    this.#phases.isMeasuring = true;
    this.#watch.start();
  }

  #createSource(): EventSource {
    const { plan, worker, sessions, tickets, ticker } = this.#job;
    const { clock } = this.#world;
    const parts = {
      schedule: this.#schedule,
      phases: this.#phases,
      tickets: new Tickets(tickets, eventsMaxOf(plan)),
      signal: this.#signal,
    };
    const ofAll = { sessions, sessionsOfAll: plan.threads };
    if (!hasDueTimes(plan)) return new ClosedLoop({ ...parts, ...ofAll, eventsPerSession: plan.eventsPerThread });
    const queueMax = Math.max(1, Math.floor(plan.queueMax / plan.workers));
    const alarm = new TimerAlarm(clock, () => loop.advance(clock.now()), ticker);
    const loop: EventSource =
      plan.terminals > 0
        ? new TerminalLoop({
            ...parts,
            choices: this.#sessions[0]!.choices,
            terminals: plan.terminals,
            worker,
            workers: plan.workers,
            timeFactor: plan.terminalTimeFactor,
            seed: plan.seed,
            queueMax,
            alarm,
          })
        : new OpenLoop({ ...parts, ...ofAll, pacer: createPacer(plan), queueMax, alarm });
    return loop;
  }

  async #run(): Promise<void> {
    const { startMs } = this.#schedule;
    const runs = this.#sessions.map((session) =>
      session.run(this.#source, startMs).catch((error) => {
        // Not the server's and not the workload's: a mistake of ours, which must not leave the load hanging.
        session.cut();
        this.#onFatal(error, undefined);
      }),
    );
    await Promise.all(runs);
    this.#end();
  }

  /** Calls `fire` at this time of the shared clock, and no earlier: timers may be a fraction of a millisecond early. */
  #at(timeMs: number, fire: () => void): () => void {
    const { clock } = this.#world;
    let callOff = () => {};
    const wait = () => {
      callOff = clock.after(Math.max(0, timeMs - clock.now()), () => {
        if (clock.now() < timeMs) return wait();
        this.#callOffs.delete(callOffLatest);
        fire();
      });
    };
    const callOffLatest = () => {
      callOff();
      this.#callOffs.delete(callOffLatest);
    };
    this.#callOffs.add(callOffLatest);
    wait();
    return callOffLatest;
  }

  /** For the intervals in which no event ends. */
  #rollOnTime(): void {
    if (this.#boundaryMs === Number.POSITIVE_INFINITY) return;
    this.#at(this.#boundaryMs, () => {
      this.#roll(this.#world.clock.now());
      this.#rollOnTime();
    });
  }

  #noteBoundary(): void {
    this.#boundaryMs = this.#zeroMs + this.#boundaries.nextS * 1000;
  }

  /** Reports all intervals that have ended. Called before an event is counted, so that it falls into its own. */
  #roll(nowMs: number): void {
    if (nowMs < this.#boundaryMs) return;
    const phases = this.#phases;
    this.#source.advance(nowMs);
    while (nowMs >= this.#boundaryMs) {
      const endS = this.#boundaries.nextS;
      const isWarmup = endS <= this.#measureFromS;
      const tally = (isWarmup ? phases.warmup : phases.measured).take();
      this.#post({ is: 'interval', delta: { endS, isWarmup, tally }, state: this.#state() });
      if (isWarmup && endS === this.#measureFromS) this.#beginMeasuring();
      this.#boundaries.advance();
      this.#noteBoundary();
    }
  }

  #state(): WorkerState {
    return {
      sessionsActive: this.#sessions.reduce((sum, session) => sum + (session.isOver ? 0 : 1), 0),
      queueLength: this.#source.queueLength,
      sent: this.#sent.toCounts(),
      client: this.#watch.state(),
    };
  }

  /** Nothing is begun any more; what runs goes on to its end. */
  #stop(): void {
    if (this.#signal.isStopping) return;
    this.#signal.stop();
    // Stopped before it was started: the sessions will find out when they ask for their first event.
    if (this.#source === undefined) return;
    const nowMs = this.#world.clock.now();
    this.#roll(nowMs);
    this.#source.stop(nowMs);
  }

  #cut(): void {
    this.#stop();
    for (const session of this.#sessions) session.cut();
    if (this.#source !== undefined) this.#end();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const callOff of this.#callOffs) callOff();
    this.#roll(this.#world.clock.now());
    const { warmup, measured, isMeasuring } = this.#phases;
    const tally = (isMeasuring ? measured : warmup).take();
    this.#post({
      is: 'ended',
      delta: { endS: this.#boundaries.nextS, isWarmup: !isMeasuring, tally },
      late: (isMeasuring ? warmup : measured).take(),
      lastDoneMs: measured.lastDoneMs,
      // They have ended by now; during this last piece they were active.
      state: { ...this.#state(), sessionsActive: this.#sessions.length },
    });
  }

  /** Hot: once per event of a sequence. */
  #onPart(part: string): void {
    if (part === this.#part) return;
    this.#part = part;
    this.#post({ is: 'part', part });
  }

  #onFatal(error: unknown, transaction: string | undefined): void {
    if (this.#isFatal) return;
    this.#isFatal = true;
    this.#post({ is: 'fatal', failure: toFailure(error), transaction });
    this.#stop();
  }

  #onLost(error: unknown): void {
    if (this.#lost.sessions++ > 0) return;
    this.#lost.sinceMs = this.#world.clock.now();
    this.#post({ is: 'note', line: `Reconnecting: ${describeFailure(toFailure(error))}` });
  }

  #onResumed(): void {
    assert(this.#lost.sessions > 0, 'a session that comes back was lost');
    if (--this.#lost.sessions > 0) return;
    const lostS = (this.#world.clock.now() - this.#lost.sinceMs) / 1000;
    this.#post({
      is: 'note',
      line: `All sessions are connected again after ${lostS.toFixed(1)} s.`,
    });
  }

  async #close(): Promise<void> {
    this.#signal.stop();
    for (const callOff of this.#callOffs) callOff();
    await Promise.all(this.#sessions.map((session) => session.close()));
    // Those that were still connecting find out when they get through.
    for (const session of this.#sessions) session.cut();
    this.#watch.stop();
    this.#post({ is: 'closed' });
    this.#port.close();
  }
}
