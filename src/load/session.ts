/**
 * One session: a connection, and a loop that takes events and runs each until it is committed or given up. The
 * engine's rules about errors are carried out here: ROLLBACK before a retry, pauses, reconnecting, and when to stop.
 */
import { unreachable } from '../base/assert.ts';
import { UserError } from '../base/errors.ts';
import { createRandom, deriveSeed, type Random } from '../base/random.ts';
import { WireError } from '../wire/errors.ts';
import type { Connection, ConnectOptions } from '../wire/types.ts';
import type { Transaction } from '../workload/workload.ts';
import { type Choice, choicesOf, choose } from './choices.ts';
import { pauseMs, RECONNECT_BACKOFF, RETRY_BACKOFF, reactionTo } from './error-policy.ts';
import { describeFailure, toFailure } from './failure.ts';
import { MeasuredConnection } from './measured-connection.ts';
import type { Recorder } from './recorder.ts';
import { choiceInSequence } from './sequence.ts';
import type { SessionParts } from './session-parts.ts';
import { type EventSource, NO_TERMINAL, NOT_DUE, OVER, type Taker, WAIT } from './source.ts';
import { Tallies } from './tallies.ts';

/** A connect that takes longer while the server is coming back is given up and tried again. */
const RECONNECT_TIMEOUT_MS = 5_000;
/** A server that is gone does not answer COM_QUIT. */
const CLOSE_TIMEOUT_MS = 2_000;

/** What became of an event. */
type Fate = 'committed' | 'rolled back' | 'given up';

export class LoadSession implements Taker {
  nowMs = 0;
  dueMs = NOT_DUE;
  terminal = NO_TERMINAL;
  isAwaited = true;
  recorder: Recorder;
  /** Number within the worker. */
  readonly place: number;
  /** Its loop has ended or was cut: nothing is counted any more. */
  isOver = false;
  #isBusy = false;
  readonly #parts: SessionParts;
  /** Number over all sessions. */
  readonly #index: number;
  readonly #target: ConnectOptions;
  readonly #random: Random = createRandom(0);
  readonly #pauses: Random;
  readonly #event = { index: 0, terminal: NO_TERMINAL };
  readonly #tallies: Tallies;
  #connection!: MeasuredConnection;
  /** What it can be asked to do, once it is open. */
  choices: readonly Choice[] = [];
  #eventsOnConnection = 0;

  constructor(parts: SessionParts, index: number, place: number) {
    const { plan } = parts;
    this.#parts = parts;
    this.#index = index;
    this.place = place;
    this.#target = plan.targets[index % plan.targets.length]!;
    this.#pauses = createRandom(deriveSeed(plan.seed, 'pauses'), index);
    this.recorder = parts.scratch;
    this.#tallies = new Tallies(parts.names);
  }

  /** Connects, and has the workload prepare its statements. `onConnected` is told once the server has let us in. */
  async open(timeoutMs: number, onConnected: () => void = () => {}): Promise<void> {
    const { plan, world, names, sent, scratch, onNames } = this.#parts;
    const connectTimeoutMs = Math.min(this.#target.connectTimeoutMs || timeoutMs, timeoutMs);
    const connection = await world.connect({ ...this.#target, connectTimeoutMs });
    if (this.isOver) {
      connection.destroy();
      return;
    }
    sent.opened(connection);
    onConnected();
    const { clock } = world;
    const { preparedStatements } = plan;
    const parts = { connection, clock, names, sent, recorder: scratch, preparedStatements, onNames };
    this.#connection = new MeasuredConnection(parts);
    this.#eventsOnConnection = 0;
    try {
      this.choices = await this.#setUp();
      this.#connection.waste();
    } catch (error) {
      this.#retire();
      throw error;
    }
    if (this.isOver) this.#retire();
    else connection.onEnd = (because) => this.#onEnd(connection, because);
  }

  async #setUp(): Promise<readonly Choice[]> {
    const { plan, workload, keys, names, onNames } = this.#parts;
    const session = await workload.session({
      connection: this.#connection,
      // The plan carries what the workload's own schema has parsed.
      options: plan.workload.options as never,
      random: this.#random,
      keys,
      sessionIndex: this.#index,
      threads: plan.threads,
      terminals: plan.terminals,
      tally: (name) => this.#tallies.counter(name),
      pause: (ms) => this.#parts.signal.sleep(ms),
      validate: plan.validate,
      seed: plan.seed,
    });
    const choices = choicesOf(session, names);
    if (plan.terminals > 0 && !choices.some(({ transaction }) => takesTime(transaction))) throw noTimes();
    onNames();
    return choices;
  }

  /** Resolves when no event comes any more, or after an error that ends the load. */
  async run(source: EventSource, startMs: number): Promise<void> {
    const { reconnectEveryEvents } = this.#parts.plan.errors;
    this.nowMs = startMs;
    while (!this.isOver) {
      let index = source.take(this);
      if (index === WAIT) index = await source.arrival(this);
      if (index === OVER) break;
      this.#isBusy = true;
      this.#connection.begin(this.recorder);
      const choice = this.#prepareEvent(index);
      let fate: Fate = 'committed';
      try {
        fate = fateOf(await choice.transaction.run(this.#event));
      } catch (error) {
        fate = await this.#recover(error, choice, index);
      }
      // Cut, or ended by an error: what there was to count has been counted.
      if (this.isOver) return;
      this.#endEvent(choice, fate);
      // A workload that sends nothing would keep timers and sockets from ever having their turn.
      if (this.#connection.firstSendMs === 0) await this.#parts.world.clock.turn();
      if (++this.#eventsOnConnection === reconnectEveryEvents) await this.#renew();
    }
    this.isOver = true;
  }

  /** Hot: equal for every attempt of one event, so that a retry sends the same statements. */
  #prepareEvent(index: number): Choice {
    const { seed, sequence } = this.#parts.plan;
    this.#random.restart(seed, index);
    this.#event.index = index;
    this.#event.terminal = this.terminal;
    this.#tallies.drop();
    if (sequence.length === 0) return choose(this.choices, this.#random);
    const choice = choiceInSequence(sequence, this.choices, index);
    this.#parts.onPart(choice.name);
    return choice;
  }

  /** Hot: once per event. */
  #endEvent(choice: Choice, fate: Fate): void {
    const connection = this.#connection;
    const { firstSendMs, lastReplyMs } = connection;
    const doneMs = fate !== 'given up' && firstSendMs !== 0 ? lastReplyMs : this.#parts.world.clock.now();
    this.nowMs = doneMs;
    this.#parts.onEventEnd(doneMs);
    const { recorder, dueMs } = this;
    if (fate !== 'given up') this.#tallies.keep(recorder);
    if (fate === 'rolled back') {
      recorder.transactions[choice.id]!.rolledBack++;
      connection.waste();
    }
    if (fate === 'committed') {
      const beginMs = firstSendMs === 0 ? doneMs : firstSendMs;
      const serviceUs = Math.round((doneMs - beginMs) * 1000);
      const queueUs = dueMs === NOT_DUE ? NOT_DUE : Math.max(0, Math.round((beginMs - dueMs) * 1000));
      recorder.commit(choice.id, this.place, serviceUs, queueUs);
      recorder.counts.swallowed += connection.failures;
      if (connection.isInTransaction) recorder.counts.leftOpen++;
      connection.commit();
    }
    if (doneMs > recorder.lastDoneMs) recorder.lastDoneMs = doneMs;
    this.#isBusy = false;
  }

  /** Tries the event again as long as the policy allows. */
  async #recover(error: unknown, choice: Choice, index: number): Promise<Fate> {
    let failure = error;
    for (let attempt = 1; !this.isOver; attempt++) {
      this.#connection.waste();
      if (!(await this.#react(failure, choice, attempt)) || this.isOver) return 'given up';
      try {
        return fateOf(await this.#prepareEvent(index).transaction.run(this.#event));
      } catch (next) {
        failure = next;
      }
    }
    return 'given up';
  }

  /** True where the event is to be tried again. */
  async #react(error: unknown, choice: Choice, attempt: number): Promise<boolean> {
    const reaction = reactionTo(error, this.#parts.plan.errors);
    switch (reaction) {
      case 'retry':
        return this.#retry(error, choice, attempt);
      case 'reconnect':
        return this.#reconnect(error);
      case 'note':
        this.recorder.countError(error, 'validation');
        if (await this.#leaveTransaction(choice)) this.recorder.counts.invalid++;
        return false;
      case 'stop':
        // Its locks must not keep the others from ending their transactions.
        await this.#rollBack(choice).catch(() => {});
        if (!this.isOver) this.#failWith(error, choice);
        return false;
      default:
        return unreachable(reaction);
    }
  }

  async #retry(error: unknown, choice: Choice, attempt: number): Promise<boolean> {
    const { plan, signal } = this.#parts;
    const { recorder } = this;
    const isLast = attempt >= plan.errors.attemptsMax;
    recorder.countError(error, isLast ? 'skipped' : 'retried');
    if (!(await this.#leaveTransaction(choice))) return false;
    if (isLast) {
      recorder.counts.skipped++;
      return false;
    }
    await signal.sleep(pauseMs(RETRY_BACKOFF, attempt, this.#pauses));
    if (this.isOver) return false;
    if (signal.isStopping) {
      recorder.counts.unfinished++;
      return false;
    }
    recorder.counts.retries++;
    return true;
  }

  /** True where the session can go on. After a ROLLBACK that failed nobody knows what the connection still holds. */
  async #leaveTransaction(choice: Choice): Promise<boolean> {
    try {
      await this.#rollBack(choice);
      return !this.isOver;
    } catch (error) {
      if (this.isOver) return false;
      this.#connection.waste();
      if (this.#parts.plan.errors.lostConnection === 'resume') return this.#reconnect(error);
      this.#failWith(error, choice);
      return false;
    }
  }

  async #rollBack(choice: Choice): Promise<void> {
    const connection = this.#connection;
    const isNeeded = choice.transaction.transactional === true || connection.isInTransaction;
    if (!isNeeded || !connection.connection.isOpen) return;
    await connection.rollBack();
    if (this.isOver) return;
    this.recorder.counts.rollbacks++;
    connection.waste();
  }

  /** True once the connection is back; the event is then tried again. */
  async #reconnect(error: unknown): Promise<boolean> {
    const { signal } = this.#parts;
    this.recorder.countError(error, signal.isStopping ? 'skipped' : 'reconnected');
    if (await this.#comeBack(error)) return true;
    if (!this.isOver && this.#isBusy) this.recorder.counts.unfinished++;
    return false;
  }

  /** False where the load ended first, or the deadline did: then the load has failed. */
  async #comeBack(because: unknown): Promise<boolean> {
    const { plan, signal, world, onLost, onResumed } = this.#parts;
    const { recorder } = this;
    const { firstSendMs } = this.#connection;
    const deadlineMs = world.clock.now() + plan.errors.reconnectDeadlineS * 1000;
    this.#retire();
    onLost(because);
    for (let failures = 1; !this.isOver && !signal.isStopping; failures++) {
      try {
        await this.open(RECONNECT_TIMEOUT_MS);
        if (this.isOver) return false;
        // The event began before the connection was lost: its latency contains the outage.
        this.#connection.begin(recorder, firstSendMs);
        recorder.counts.reconnects++;
        onResumed();
        return true;
      } catch (error) {
        if (this.isOver) return false;
        if (world.clock.now() >= deadlineMs) {
          this.#failWith(didNotComeBack(plan.errors.reconnectDeadlineS, error), undefined);
          return false;
        }
      }
      await signal.sleep(pauseMs(RECONNECT_BACKOFF, failures, this.#pauses));
    }
    return false;
  }

  /** `--reconnect=N`: a new connection between two events. */
  async #renew(): Promise<void> {
    const { recorder } = this;
    if (this.#parts.signal.isStopping) return;
    await this.close();
    try {
      await this.open(RECONNECT_TIMEOUT_MS);
      if (!this.isOver) recorder.counts.reconnects++;
    } catch (error) {
      if (this.isOver) return;
      if (this.#parts.plan.errors.lostConnection === 'resume') await this.#reconnect(error);
      else this.#failWith(error, undefined);
    }
    this.nowMs = this.#parts.world.clock.now();
  }

  #failWith(error: unknown, choice: Choice | undefined): void {
    const { recorder } = this;
    const nowMs = this.#parts.world.clock.now();
    this.isOver = true;
    recorder.countError(error, 'fatal');
    if (this.#isBusy) recorder.counts.unfinished++;
    if (nowMs > recorder.lastDoneMs) recorder.lastDoneMs = nowMs;
    this.#connection.waste();
    this.#parts.onFatal(error, choice?.name);
  }

  /** A connection that ends while its session waits for an arrival: nobody else would notice. */
  #onEnd(connection: Connection, because: Error | undefined): void {
    if (this.isOver || this.#isBusy || this.#connection.connection !== connection) return;
    if (this.#parts.plan.errors.lostConnection === 'resume') return;
    this.#failWith(because ?? new WireError('closed', 'the server closed the connection'), undefined);
  }

  /** Ends it at once. An event that runs is unfinished, and what it has sent was in vain. */
  cut(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.#isBusy) {
      this.recorder.counts.unfinished++;
      this.#connection.waste();
    }
    this.destroy();
  }

  destroy(): void {
    if (this.#connection !== undefined) this.#retire();
  }

  /** Says goodbye to the server, as long as it listens. */
  async close(): Promise<void> {
    if (this.#connection === undefined) return;
    const { world, sent } = this.#parts;
    const { connection } = this.#connection;
    connection.onEnd = undefined;
    const callOff = world.clock.after(CLOSE_TIMEOUT_MS, () => connection.destroy());
    // Whether the server took it well makes no difference any more.
    await connection.close().catch(() => {});
    callOff();
    sent.closed(connection);
  }

  #retire(): void {
    const { connection } = this.#connection;
    connection.onEnd = undefined;
    connection.destroy();
    this.#parts.sent.closed(connection);
  }
}

function didNotComeBack(deadlineS: number, error: unknown): UserError {
  return new UserError(`The server did not come back within ${deadlineS} s: ${describeFailure(toFailure(error))}`, {
    hint: 'Raise --reconnect-deadline where it needs longer.',
    cause: error,
  });
}

function takesTime({ keyingS = 0, thinkMeanS = 0 }: Transaction): boolean {
  return keyingS + thinkMeanS > 0;
}

function noTimes(): UserError {
  return new UserError('This workload has no keying and no thinking times: terminals would not wait.', {
    hint: 'Leave out --terminals; --threads and --rate load the server with any workload.',
  });
}

/** Hot: a transaction of one statement may resolve with whatever that did, in a workload of JavaScript or by a cast. */
function fateOf(result: unknown): Fate {
  return result === 'rolled back' ? 'rolled back' : 'committed';
}
