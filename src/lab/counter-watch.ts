/** Reads the servers' counters before, between and after, and says at the end whether they agree with what was sent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../base/clock.ts';
import type { LoadPlan, SentCounts } from '../load/plan.ts';
import type { CrossCheck, CrossCheckRow, Ending, ErrorCount } from '../model/run.ts';
import {
  type CounterChange,
  type CounterReader,
  type CounterSnapshot,
  changeOf,
  counterReader,
  MissingCounter,
} from '../observe/counters.ts';
import { ServerSource } from '../observe/sources/server.ts';
import { WireError } from '../wire/errors.ts';
import type { Connection } from '../wire/types.ts';
import { allEqual, crossCheckRows, isOnlyMoreVerbs, noneMissing, reprepared } from './cross-check.ts';

/**
 * A server may count the last bytes a moment after the client has them, when its thread runs again. With a thousand
 * threads on two cores that moment was seen to last tens of milliseconds.
 */
const PATIENCE = { attemptsMax: 40, pauseMs: 25 };

/** What is known at the end, and explains why counts cannot agree. */
export interface RunEvidence {
  readonly ending: Ending;
  readonly errors: readonly ErrorCount[];
}

interface Moment {
  readonly snapshots: readonly CounterSnapshot[];
}

type WatchedPlan = Pick<LoadPlan, 'threads' | 'errors'>;

export class CounterWatch {
  readonly #readers: readonly CounterReader[];
  readonly #plan: WatchedPlan;
  readonly #patience: typeof PATIENCE;
  #startMs = 0;
  #connects = 0;
  #before: Moment | undefined;
  #ready: Moment | undefined;
  #rows: CrossCheckRow[] = [];
  #notes: string[] = [];
  #strangers: string | undefined;
  /** The database has stored procedures, functions or triggers. */
  #hasPrograms = false;
  #isFinished = false;
  #failure: string | undefined;

  /** One connection for each server of the target, used for nothing else from now on. */
  constructor(connections: readonly Connection[], plan: WatchedPlan, patience = PATIENCE) {
    this.#patience = patience;
    this.#readers = connections.map(counterReader);
    this.#plan = plan;
  }

  /** Before the first connection of the load. */
  async begin(): Promise<void> {
    await this.#guard(async () => {
      this.#startMs = monotonicMs();
      this.#before = await this.#look();
    });
  }

  async ready(setup: SentCounts): Promise<void> {
    await this.#guard(async () => {
      if (this.#before === undefined) return;
      this.#connects = setup.connects;
      this.#ready = await this.#settle(this.#before, setup, 'set-up');
    });
  }

  async finished(sent: SentCounts): Promise<void> {
    await this.#guard(async () => {
      if (this.#before === undefined || this.#ready === undefined) return;
      const end = await this.#settle(this.#ready, sent, 'load');
      if (!allEqual(this.#rows)) {
        this.#strangers = await this.#findStrangers(this.#before, end, this.#connects + sent.connects);
        this.#hasPrograms = await this.#findPrograms();
      }
      this.#isFinished = true;
    });
  }

  /** For sampling while the load runs, which changes nothing of the check. */
  get source(): ServerSource {
    const [first] = this.#readers;
    if (first === undefined) throw new Error('a target has at least one server');
    return new ServerSource(first, monotonicMs);
  }

  /** The counters while the load runs, which changes nothing of the check; undefined where there is not one server. */
  async status(): Promise<ReadonlyMap<string, number> | undefined> {
    if (this.#failure !== undefined || this.#readers.length !== 1) return undefined;
    try {
      return (await this.#look()).snapshots[0]?.values;
    } catch {
      // The look at the end meets the same, and says so.
      return undefined;
    }
  }

  verdict({ ending, errors }: RunEvidence): CrossCheck {
    if (this.#failure !== undefined) return { is: 'impossible', because: this.#failure };
    if (!this.#isFinished) {
      const cause = 'cause' in ending ? `: ${ending.cause}` : '';
      return { is: 'impossible', because: `The run ended (${ending.kind}) before the counters could be read${cause}` };
    }
    const rows = this.#rows;
    if (allEqual(rows)) return { is: 'done', ok: true, rows, ...this.#note([]) };
    const uncertain = whyUncertain(ending, errors);
    if (uncertain !== undefined) return { is: 'impossible', because: uncertain };
    if (this.#strangers === undefined) {
      const isExplained = this.#hasPrograms && isOnlyMoreVerbs(rows);
      return { is: 'done', ok: isExplained, rows, ...this.#note(isExplained ? [PROGRAMS_NOTE] : []) };
    }
    const weaker = `${this.#strangers} Theirs is counted too, so it was only checked that no count is below ours.`;
    return { is: 'done', ok: noneMissing(rows), rows, ...this.#note([weaker]) };
  }

  #note(more: readonly string[]): { note?: string } {
    const notes = [...this.#notes, ...more];
    return notes.length === 0 ? {} : { note: notes.join(' ') };
  }

  /** The run matters more than its check: what goes wrong here is noted, and never ends the run. */
  async #guard(look: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await look();
    } catch (error) {
      const message = (error as Error).message;
      this.#failure =
        error instanceof MissingCounter
          ? `This server keeps other counters: ${message}.`
          : error instanceof WireError
            ? `The server was stopped or restarted, or it dropped the connection that watches it: ${message}`
            : `The server's counters could not be read: ${message}`;
    }
  }

  async #look(): Promise<Moment> {
    return { snapshots: await Promise.all(this.#readers.map((reader) => reader.read())) };
  }

  /** Reads until the counters agree with what was sent, or it is clear that they will not. */
  async #settle(from: Moment, sent: SentCounts, during: 'set-up' | 'load'): Promise<Moment> {
    for (let attempt = 1; ; attempt++) {
      const now = await this.#look();
      const change = sumOf(from, now);
      if (change.of('Uptime') < 0) throw new Error('the server was restarted meanwhile.');
      const isRenewing = this.#plan.errors.reconnectEveryEvents > 0;
      const rows = crossCheckRows({ sent, change, flavor: this.#flavor(), during, isRenewing });
      if (rows.some(({ server }) => server < 0)) throw new Error('they were reset meanwhile (FLUSH STATUS).');
      if (allEqual(rows) || attempt === this.#patience.attemptsMax) {
        this.#rows.push(...rows);
        const again = reprepared(change);
        if (again > 0)
          this.#notes.push(`The server prepared ${again} statements again, which is taken out of its counts.`);
        return now;
      }
      await sleep(this.#patience.pauseMs);
    }
  }

  async #findPrograms(): Promise<boolean> {
    const found = await Promise.all(
      this.#readers.map(({ connection }) =>
        connection.read(
          `SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()
            UNION SELECT 1 FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()`,
        ),
      ),
    );
    return found.some(({ rows }) => rows.length > 0);
  }

  #flavor(): 'mysql' | 'mariadb' {
    return this.#readers.every(({ connection }) => connection.server.flavor === 'mariadb') ? 'mariadb' : 'mysql';
  }

  /** Who else was at work on the servers meanwhile, as a sentence. */
  async #findStrangers(before: Moment, end: Moment, connects: number): Promise<string | undefined> {
    const ours = this.#plan.threads + this.#readers.length;
    const came = sumOf(before, end).of('Connections') - connects;
    if (came > 0) return `${came} connections were made by others during the run.`;
    const elapsedS = (monotonicMs() - this.#startMs) / 1000;
    const lists = await Promise.all(this.#readers.map(({ connection }) => activeSince(connection, elapsedS)));
    const active = lists.reduce((sum, list) => sum + list.active, 0);
    if (active > ours) return `${active - ours} sessions of others were active during the run.`;
    const connected = end.snapshots.reduce((sum, { values }) => sum + (values.get('Threads_connected') ?? 0), 0);
    const unseen = connected - lists.reduce((sum, list) => sum + list.visible, 0);
    if (unseen > 0) return `${unseen} sessions of others were connected, and this user may not see what they do.`;
    return undefined;
  }
}

const PROGRAMS_NOTE =
  'The database has stored procedures, functions or triggers, whose own statements are counted too; so of the verbs it was only checked that none is below ours.';

/** Threads of the server itself appear in the list too. */
const SERVER_USERS = ['system user', 'event_scheduler'];

async function activeSince(connection: Connection, elapsedS: number): Promise<{ active: number; visible: number }> {
  const { rows, columns } = await connection.read('SHOW PROCESSLIST');
  const indexOf = (name: string) => columns.findIndex((column) => column.name.toLowerCase() === name);
  const [user, command, time] = [indexOf('user'), indexOf('command'), indexOf('time')];
  const sessions = rows.filter((row) => !SERVER_USERS.includes(String(row[user])) && row[command] !== 'Daemon');
  // Time counts whole seconds since the session last did something.
  const active = sessions.filter((row) => row[command] !== 'Sleep' || Number(row[time]) <= elapsedS + 1);
  return { active: active.length, visible: sessions.length };
}

/** Why counts of a run that ended or failed like this need not agree; undefined where they must. */
function whyUncertain(ending: Ending, errors: readonly ErrorCount[]): string | undefined {
  const lost = errors.filter(({ code }) => code === 0).reduce((sum, { count }) => sum + count, 0);
  if (lost > 0)
    return `${lost} connections were lost, and whether the server still counted what they had sent is unknown.`;
  if (ending.kind === 'forced') return 'Statements were cut off at the end, and the server may not have counted them.';
  const fatal = errors.find(({ policy }) => policy === 'fatal');
  if (fatal === undefined) return undefined;
  return `Error ${fatal.code} (${fatal.symbol}) ended the run, and a statement that is refused may not be counted.`;
}

function sumOf(from: Moment, to: Moment): CounterChange {
  const changes = from.snapshots.map((snapshot, index) => changeOf(snapshot, to.snapshots[index] ?? snapshot));
  return {
    of: (...names) => changes.reduce((sum, change) => sum + change.of(...names), 0),
    has: (name) => changes.every((change) => change.has(name)),
  };
}
