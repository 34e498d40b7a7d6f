/** The load, from the first connection to the last: connect, warm up, measure, stop, tell. Start reading here. */
import { nowMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import type { ClientRecord } from '../model/run.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import { describeFailure, toError } from './failure.ts';
import { findingsOf } from './findings.ts';
import { Foreman, type NotReady } from './foreman.ts';
import {
  type ApplyLoad,
  hasDueTimes,
  type LoadHooks,
  type LoadPlan,
  type LoadResult,
  type SentCounts,
} from './plan.ts';
import { nothingSent, subtractSent } from './sent.ts';
import { settingsOf } from './settings.ts';
import { type LoadClock, type LoadWorld, threadClock } from './world.ts';

export const applyLoad: ApplyLoad = (plan, hooks, signal) => applyLoadIn(undefined, plan, hooks, signal);

/** With a world given, everything runs in this thread: for tests. */
export async function applyLoadIn(
  world: LoadWorld | undefined,
  plan: LoadPlan,
  hooks: LoadHooks,
  signal: AbortSignal,
): Promise<LoadResult> {
  const clock = world?.clock ?? threadClock();
  const foreman = new Foreman(plan, hooks, clock, world);
  const stopwatch = new Stopwatch(clock);
  const interrupt = () => foreman.interrupt(whyAborted(signal));
  const cutShort = () => foreman.cutShort();
  let setup = nothingSent();
  try {
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    hooks.atOnce?.addEventListener('abort', cutShort, { once: true });
    hooks.onPhase?.('connecting');
    const notReady = await foreman.connect();
    setup = foreman.sent;
    if (notReady === undefined) {
      await onReady(foreman, hooks, setup);
      await foreman.run(() => stopwatch.start());
      stopwatch.stop();
      await onFinished(foreman, hooks, setup);
    } else if (notReady.is === 'refused') {
      // What the person asked for is wrong, or nobody gets in: nothing of the load has begun.
      if (foreman.connected === 0 || notReady.failure.is === 'user') throw refusal(plan, notReady);
      foreman.fail(`Session ${notReady.session + 1} of ${plan.threads}: ${describeFailure(notReady.failure)}`);
    }
  } finally {
    signal.removeEventListener('abort', interrupt);
    hooks.atOnce?.removeEventListener('abort', cutShort);
    await foreman.dismiss();
  }
  return resultOf({ plan, foreman, stopwatch, setup });
}

/** The lab looks at the server before the first statement of the load, or there is no load. */
async function onReady(foreman: Foreman, hooks: LoadHooks, setup: SentCounts): Promise<void> {
  try {
    await hooks.onReady?.(setup);
  } catch (error) {
    foreman.fail(`The server could not be looked at before the load: ${messageOf(error)}`);
  }
}

/** The server may be gone by now, and what was measured must not go with it. */
async function onFinished(foreman: Foreman, hooks: LoadHooks, setup: SentCounts): Promise<void> {
  try {
    await hooks.onFinished?.(subtractSent(foreman.sent, setup));
  } catch (error) {
    hooks.onNote?.(`The server could not be looked at after the load: ${messageOf(error)}`);
  }
}

/** The measured part on both clocks, and what it cost. */
class Stopwatch {
  readonly #clock: LoadClock;
  #startMs: number;
  #startWallMs = nowMs();
  #endMs: number;
  #endWallMs = this.#startWallMs;
  #cpuStart = process.cpuUsage();
  cpuS = 0;

  constructor(clock: LoadClock) {
    this.#clock = clock;
    this.#startMs = clock.now();
    this.#endMs = this.#startMs;
  }

  start(): void {
    this.#startMs = this.#clock.now();
    this.#startWallMs = nowMs();
    this.#cpuStart = process.cpuUsage();
  }

  stop(): void {
    const { user, system } = process.cpuUsage(this.#cpuStart);
    this.cpuS = (user + system) / 1e6;
    this.#endMs = this.#clock.now();
    this.#endWallMs = nowMs();
  }

  /** Wall clock at a time of the shared clock that is near the start. */
  wallAtStart(sharedMs: number): number {
    return this.#startWallMs + sharedMs - this.#startMs;
  }

  wallAtEnd(sharedMs: number): number {
    return this.#endWallMs + sharedMs - this.#endMs;
  }

  /** By how much the wall clock went ahead of the monotonic one. */
  get jumpMs(): number {
    return this.#endWallMs - this.#startWallMs - (this.#endMs - this.#startMs);
  }
}

interface Outcome {
  readonly plan: LoadPlan;
  readonly foreman: Foreman;
  readonly stopwatch: Stopwatch;
  readonly setup: SentCounts;
}

function resultOf({ plan, foreman, stopwatch, setup }: Outcome): LoadResult {
  const { timeline, endS, schedule } = foreman;
  timeline.finish(endS + timeline.zeroS);
  const { measured, warmup } = timeline;
  // What ended the load is told, also where it happened before anything was measured.
  for (const error of warmup.errors) if (error.policy === 'fatal') measured.addError(error);
  const { setupS } = foreman;
  const totals = { ...measured.toTotals(Math.max(0, endS)), ...(setupS === undefined ? {} : { setupS }) };
  const client = clientOf({ plan, foreman, stopwatch });
  const zeroMs = schedule?.measureStartMs;
  // A workload may send all of its statements as text, whatever was asked for.
  const wasPrepared = plan.preparedStatements && foreman.sent.prepares > 0;
  return {
    ending: foreman.ending,
    startedAtMs: Math.round(zeroMs === undefined ? nowMs() : stopwatch.wallAtStart(zeroMs)),
    endedAtMs: Math.round(zeroMs === undefined ? nowMs() : stopwatch.wallAtEnd(zeroMs + endS * 1000)),
    // A warm-up that ended when the load was steady is told as long as it was.
    settings: settingsOf({ ...plan, warmupS: plan.warmupS + timeline.zeroS, preparedStatements: wasPrepared }),
    totals,
    latency: { transactions: measured.transactionLatencies(), statements: measured.statementLatencies() },
    intervals: timeline.intervals,
    checkpoints: timeline.checkpoints,
    client,
    findings: findingsOf({
      plan,
      totals,
      isUnsettled: plan.isWarmupAuto && timeline.zeroS === 0,
      intervals: timeline.intervals,
      client,
      skipped: measured.counts.skipped,
      invalid: measured.counts.invalid,
      leftOpen: measured.counts.leftOpen,
      swallowed: measured.counts.swallowed,
      neverSent: measured.neverSent,
      clockJumpMs: stopwatch.jumpMs,
    }),
    setup,
    sent: subtractSent(foreman.sent, setup),
  };
}

function clientOf({ plan, foreman, stopwatch }: Omit<Outcome, 'setup'>): ClientRecord {
  const { measured } = foreman.timeline;
  const statements = measured.committedOf('read') + measured.committedOf('write') + measured.committedOf('other');
  const all = statements + measured.wasted;
  const { cpuS } = stopwatch;
  return {
    cpuS,
    cpuUsPerStatement: all === 0 ? 0 : (cpuS * 1e6) / all,
    eventLoopUtilizationMax: Math.max(0, ...foreman.clients.map(({ eventLoopUtilization }) => eventLoopUtilization)),
    eventLoopDelayP99Ms: Math.max(0, ...foreman.clients.map(({ eventLoopDelayP99Ms }) => eventLoopDelayP99Ms)),
    ...(hasDueTimes(plan) ? { scheduleLagP99Ms: measured.lag.percentileUs(99) / 1000 } : {}),
    memoryPeakBytes: process.resourceUsage().maxRSS * 1024,
    workers: plan.workers,
    node: process.version,
  };
}

/** Nothing of the load exists yet: what the person at the terminal has to put right. */
function refusal(plan: LoadPlan, { failure, session }: Extract<NotReady, { is: 'refused' }>): Error {
  const error = toError(failure);
  if (!(error instanceof ServerError) && !(error instanceof WireError)) return error;
  const target = plan.targets[session % plan.targets.length]!;
  const address = target.socketPath ?? `${target.host ?? 'localhost'}:${target.port ?? 3306}`;
  return new UserError(`No connection to ${address} as user '${target.user}': ${error.message}`, {
    hint:
      error instanceof ServerError
        ? 'Check user, password and database, and what the server allows this user.'
        : 'Check host, port or socket, and that the server runs and listens there.',
    exitCode: ExitCode.targetUnavailable,
    cause: error,
  });
}

/** Whoever aborts may say why: by which signal, for one. */
function whyAborted({ reason }: AbortSignal): string {
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'Interrupted from outside.';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
