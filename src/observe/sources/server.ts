/**
 * The server's own account of itself, read once a tick. What a server refuses to tell is said once, and not asked for
 * again. Names differ between vendors and versions: what is there is found out by asking, never by comparing versions.
 */
import type { ServerAccount, Unseen } from '../../model/observed.ts';
import { ServerError } from '../../wire/errors.ts';
import type { ResultSet } from '../../wire/types.ts';
import type { CounterReader } from '../counters.ts';
import type { ServerSample } from '../probe.ts';
import { refusalOf } from '../refusal.ts';
import { type ReplicaState, readReplica } from '../replica.ts';
import { AccountSource, type Ask } from './server-account.ts';

/** In INNODB_METRICS only, on servers that do not have them among their status variables. */
const METRICS = ['buffer_flush_sync_total_pages', 'log_lsn_checkpoint_age', 'trx_rseg_history_len'];
const METRICS_SQL = `SELECT NAME, COUNT FROM information_schema.INNODB_METRICS WHERE NAME IN (${METRICS.map((name) => `'${name}'`).join(', ')})`;

interface Part {
  readonly what: string;
  /** The counter of the server that its statements raise. */
  readonly counter: string;
  /** What lets a user see it. */
  readonly grant: string;
  /** There is nothing to be had. */
  isOver: boolean;
}

export class ServerSource {
  readonly #reader: CounterReader;
  readonly #metrics: Part;
  readonly #replication: Part;
  readonly #unseen: Unseen[] = [];
  readonly #account: AccountSource;
  #last: Promise<unknown> = Promise.resolve();
  #statements = 0;
  #bytes = 0;

  /** `nowMs`: of the clock that the load uses. */
  constructor(reader: CounterReader, nowMs: () => number) {
    const isMySql = reader.connection.server.flavor === 'mysql';
    this.#reader = reader;
    this.#metrics = { what: 'InnoDB metrics', counter: 'Com_select', grant: 'PROCESS', isOver: !isMySql };
    this.#replication = {
      what: 'replication',
      counter: 'Com_show_slave_status',
      grant: isMySql ? 'REPLICATION CLIENT' : 'SLAVE MONITOR',
      isOver: false,
    };
    this.#account = new AccountSource((sql) => {
      this.#statements++;
      return reader.ask(sql, 'Com_select');
    }, nowMs);
  }

  /** What this server does not tell, each with the reason; grows while sampling. */
  get unseen(): readonly Unseen[] {
    return [...this.#unseen, ...this.#account.unseen];
  }

  /** What sampling has cost so far, both directions together. */
  get traffic(): { readonly statements: number; readonly bytes: number } {
    return { statements: this.#statements, bytes: this.#bytes };
  }

  /** Rejects where the status cannot be read. */
  sample(): Promise<ServerSample> {
    return this.#inTurn(() => this.#sample());
  }

  /** What the server counts of statements and waits from now on, by its performance_schema; never rejects. */
  beginAccount(performanceSchema: string | undefined): Promise<void> {
    return this.#inTurn(() => this.#account.begin(performanceSchema));
  }

  finishAccount(): Promise<void> {
    return this.#inTurn(() => this.#account.finish());
  }

  get account(): ServerAccount | undefined {
    return this.#account.account;
  }

  /** One after another, so that the bytes of each are counted once. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asked = this.#last.then(async () => {
      const bytesBefore = this.#bytesOfConnection;
      try {
        return await ask();
      } finally {
        this.#bytes += this.#bytesOfConnection - bytesBefore;
      }
    });
    this.#last = asked.catch(() => {});
    return asked;
  }

  get #bytesOfConnection(): number {
    const { bytesSent, bytesReceived } = this.#reader.connection;
    return bytesSent + bytesReceived;
  }

  async #sample(): Promise<ServerSample> {
    this.#statements++;
    const { values: status } = await this.#reader.read();
    const metrics = numbersOf(await this.#ask(this.#metrics, (ask) => ask(METRICS_SQL)));
    const replica = await this.#replica();
    return {
      status,
      ...(metrics === undefined ? {} : { metrics }),
      ...(replica === undefined ? {} : { replica }),
    };
  }

  /** A server that is no replica is not asked again. */
  async #replica(): Promise<ReplicaState | undefined> {
    const part = this.#replication;
    const state = await this.#ask(part, (ask) => readReplica(ask, this.#reader.connection.server.flavor));
    part.isOver ||= state === undefined;
    return state;
  }

  async #ask<T>(part: Part, question: (ask: Ask) => Promise<T>): Promise<T | undefined> {
    if (part.isOver) return undefined;
    try {
      return await question((sql) => {
        this.#statements++;
        return this.#reader.ask(sql, part.counter);
      });
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      part.isOver = true;
      this.#unseen.push({ what: part.what, because: refusalOf(error, `${part.grant} ON *.*`) });
      return undefined;
    }
  }
}

function numbersOf(result: ResultSet | undefined): Map<string, number> | undefined {
  if (result === undefined) return undefined;
  const numbers = result.rows.map(([name, value]): [string, number | undefined] => [String(name), numberOf(value)]);
  return new Map(numbers.filter((each): each is [string, number] => each[1] !== undefined));
}

function numberOf(value: unknown): number | undefined {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value ?? '');
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}
