/**
 * The server's own account of itself, read once a tick. What a server refuses to tell is said once, and not asked for
 * again. Names differ between vendors and versions: what is there is found out by asking, never by comparing versions.
 */
import { ServerError } from '../../wire/errors.ts';
import type { ResultSet } from '../../wire/types.ts';
import type { CounterReader } from '../counters.ts';
import type { ServerSample } from '../probe.ts';

/** In INNODB_METRICS only, on servers that do not have them among their status variables. */
const METRICS = ['buffer_flush_sync_total_pages', 'log_lsn_checkpoint_age', 'trx_rseg_history_len'];
const METRICS_SQL = `SELECT NAME, COUNT FROM information_schema.INNODB_METRICS WHERE NAME IN (${METRICS.map((name) => `'${name}'`).join(', ')})`;

interface Part {
  readonly what: string;
  readonly sql: string;
  /** The counter of the server that the statement raises. */
  readonly counter: string;
  /** There is nothing to be had. */
  isOver: boolean;
}

export class ServerSource {
  readonly #reader: CounterReader;
  readonly #metrics: Part;
  readonly #replica: Part;
  readonly #unseen: { what: string; because: string }[] = [];
  #statements = 0;
  #bytes = 0;

  constructor(reader: CounterReader) {
    const isMySql = reader.connection.server.flavor === 'mysql';
    this.#reader = reader;
    this.#metrics = { what: 'InnoDB metrics', sql: METRICS_SQL, counter: 'Com_select', isOver: !isMySql };
    this.#replica = {
      what: 'replication',
      sql: isMySql ? 'SHOW REPLICA STATUS' : 'SHOW ALL SLAVES STATUS',
      counter: 'Com_show_slave_status',
      isOver: false,
    };
  }

  /** What this server does not tell, each with the reason; grows while sampling. */
  get unseen(): readonly { readonly what: string; readonly because: string }[] {
    return this.#unseen;
  }

  /** What sampling has cost so far, both directions together. */
  get traffic(): { readonly statements: number; readonly bytes: number } {
    return { statements: this.#statements, bytes: this.#bytes };
  }

  /** Rejects where the status cannot be read. */
  async sample(): Promise<ServerSample> {
    const bytesBefore = this.#bytesOfConnection;
    try {
      return await this.#sample();
    } finally {
      this.#bytes += this.#bytesOfConnection - bytesBefore;
    }
  }

  get #bytesOfConnection(): number {
    const { bytesSent, bytesReceived } = this.#reader.connection;
    return bytesSent + bytesReceived;
  }

  async #sample(): Promise<ServerSample> {
    this.#statements++;
    const { values: status } = await this.#reader.read();
    const metrics = numbersOf(await this.#ask(this.#metrics));
    const replication = await this.#replication();
    return {
      status,
      ...(metrics === undefined ? {} : { metrics }),
      ...(replication === undefined ? {} : { replication }),
    };
  }

  /** A server that is no replica has no row, and is not asked again. */
  async #replication(): Promise<Map<string, number> | undefined> {
    const result = await this.#ask(this.#replica);
    const [row] = result?.rows ?? [];
    if (result === undefined || row === undefined) {
      this.#replica.isOver = true;
      return undefined;
    }
    const numbers = result.columns.map(({ name }, at): [string, number | undefined] => [name, numberOf(row[at])]);
    return new Map(numbers.filter((each): each is [string, number] => each[1] !== undefined));
  }

  async #ask(part: Part): Promise<ResultSet | undefined> {
    if (part.isOver) return undefined;
    this.#statements++;
    try {
      return await this.#reader.ask(part.sql, part.counter);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      part.isOver = true;
      this.#unseen.push({ what: part.what, because: error.message });
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
