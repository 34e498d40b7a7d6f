/**
 * What one worker has measured since it last reported: counts and histograms by small ids. There is one recorder for
 * the warm-up and one for the measured part; an event writes to the one of the phase in which it was due.
 */
import type { ErrorCount } from '../model/run.ts';
import { Histogram, type HistogramSnapshot } from '../stats/histogram.ts';
import type { StatementKind } from '../workload/workload.ts';
import { type Failure, toFailure } from './failure.ts';

/** Names of one worker, in the order of their ids. */
export class Names {
  readonly statements: { readonly name: string; readonly kind: StatementKind; isPrepared: boolean }[] = [];
  readonly transactions: string[] = [];
  readonly tallies: string[] = [];

  /** Statements of one name are one line, whatever their table. */
  statementId(name: string, kind: StatementKind): number {
    const known = this.statements.findIndex((statement) => statement.name === name);
    if (known === -1) return this.statements.push({ name, kind, isPrepared: false }) - 1;
    if (this.statements[known]!.kind === kind) return known;
    throw new Error(`The workload calls statement '${name}' both ${this.statements[known]!.kind} and ${kind}.`);
  }

  transactionId(name: string): number {
    const known = this.transactions.indexOf(name);
    return known === -1 ? this.transactions.push(name) - 1 : known;
  }

  tallyId(name: string): number {
    const known = this.tallies.indexOf(name);
    return known === -1 ? this.tallies.push(name) - 1 : known;
  }
}

export interface StatementTally {
  committed: number;
  wasted: number;
  /** Of every reply, errors included. */
  readonly latency: Histogram;
}
export interface TransactionTally {
  committed: number;
  /** On purpose. */
  rolledBack: number;
  readonly service: Histogram;
  readonly response: Histogram;
  readonly queue: Histogram;
}

export type Policy = ErrorCount['policy'];

/** A recorder's content on its way to the main thread. */
export interface Tally {
  readonly transactions: readonly {
    readonly name: string;
    readonly committed: number;
    readonly rolledBack: number;
    readonly service: HistogramSnapshot;
    readonly response: HistogramSnapshot;
    readonly queue: HistogramSnapshot;
  }[];
  readonly statements: readonly {
    readonly name: string;
    readonly kind: StatementKind;
    readonly isPrepared: boolean;
    readonly committed: number;
    readonly wasted: number;
    readonly latency: HistogramSnapshot;
  }[];
  /** The workload's own counts. */
  readonly tallies: readonly { readonly name: string; readonly count: number }[];
  readonly errors: readonly ErrorCount[];
  readonly counts: Counts;
  /** Open loop: how late events began although a session was free. */
  readonly lag: HistogramSnapshot;
  /** By the worker's own numbering of its sessions. */
  readonly sessionTransactions: Float64Array<ArrayBuffer>;
  readonly sessionLatencyMs: Float64Array<ArrayBuffer>;
}

export interface Counts {
  /** Writes of committed transactions that changed no row. */
  writesWithoutEffect: number;
  rowsRead: number;
  bytesSent: number;
  bytesReceived: number;
  errors: number;
  retries: number;
  rollbacks: number;
  reconnects: number;
  dropped: number;
  /** Events that were due and neither committed nor given up: under way at the end, or never begun. */
  unfinished: number;
  /** Given up after the last attempt. */
  skipped: number;
  /** Given up because of a wrong result. */
  invalid: number;
  /** Ended while the server still had their transaction open: what they did need not be committed. */
  leftOpen: number;
  /** Errors of the server that the workload itself caught. */
  swallowed: number;
}

export function zeroCounts(): Counts {
  return {
    writesWithoutEffect: 0,
    rowsRead: 0,
    bytesSent: 0,
    bytesReceived: 0,
    errors: 0,
    retries: 0,
    rollbacks: 0,
    reconnects: 0,
    dropped: 0,
    unfinished: 0,
    skipped: 0,
    invalid: 0,
    leftOpen: 0,
    swallowed: 0,
  };
}

export function addCounts(sum: Counts, added: Counts): void {
  for (const key of Object.keys(added) as (keyof Counts)[]) sum[key] += added[key];
}

export class Recorder {
  readonly statements: StatementTally[] = [];
  readonly transactions: TransactionTally[] = [];
  /** By the ids of `Names.tallies`. */
  readonly tallies: number[] = [];
  readonly lag = new Histogram();
  counts: Counts = zeroCounts();
  /** When the last event of this phase ended. */
  lastDoneMs = Number.NEGATIVE_INFINITY;
  readonly #names: Names;
  readonly #sessionTransactions: Float64Array<ArrayBuffer>;
  readonly #sessionLatencyMs: Float64Array<ArrayBuffer>;
  readonly #errors = new Map<string, ErrorCount & { count: number }>();

  constructor(names: Names, sessions: number) {
    this.#names = names;
    this.#sessionTransactions = new Float64Array(sessions);
    this.#sessionLatencyMs = new Float64Array(sessions);
    this.makeRoom();
  }

  /** Called whenever a session has registered its names. */
  makeRoom(): void {
    while (this.statements.length < this.#names.statements.length) {
      this.statements.push({ committed: 0, wasted: 0, latency: new Histogram() });
    }
    while (this.transactions.length < this.#names.transactions.length) {
      const [service, response, queue] = [new Histogram(), new Histogram(), new Histogram()];
      this.transactions.push({ committed: 0, rolledBack: 0, service, response, queue });
    }
    while (this.tallies.length < this.#names.tallies.length) this.tallies.push(0);
  }

  /** Hot: once per transaction. `queueUs` is whole, and negative in the closed loop. */
  commit(transactionId: number, session: number, serviceUs: number, queueUs: number): void {
    const tally = this.transactions[transactionId]!;
    tally.committed++;
    tally.service.record(serviceUs);
    if (queueUs >= 0) {
      tally.queue.record(queueUs);
      tally.response.record(queueUs + serviceUs);
    }
    this.#sessionTransactions[session]!++;
    this.#sessionLatencyMs[session]! += serviceUs / 1000;
  }

  countError(error: unknown, policy: Policy): void {
    const { code, sqlState, symbol, example } = describeError(toFailure(error));
    const key = `${policy}:${code}:${symbol}`;
    const known = this.#errors.get(key);
    if (known === undefined) this.#errors.set(key, { code, sqlState, symbol, count: 1, policy, example });
    else known.count++;
    this.counts.errors++;
  }

  /** Gives what was recorded, and begins anew. */
  take(): Tally {
    const tally: Tally = {
      transactions: this.transactions.map((transaction, id) => ({
        name: this.#names.transactions[id]!,
        committed: transaction.committed,
        rolledBack: transaction.rolledBack,
        service: transaction.service.toSnapshot(),
        response: transaction.response.toSnapshot(),
        queue: transaction.queue.toSnapshot(),
      })),
      statements: this.statements.map((statement, id) => ({
        ...this.#names.statements[id]!,
        committed: statement.committed,
        wasted: statement.wasted,
        latency: statement.latency.toSnapshot(),
      })),
      tallies: this.tallies.map((count, id) => ({ name: this.#names.tallies[id]!, count })),
      errors: [...this.#errors.values()],
      counts: this.counts,
      lag: this.lag.toSnapshot(),
      sessionTransactions: this.#sessionTransactions.slice(),
      sessionLatencyMs: this.#sessionLatencyMs.slice(),
    };
    this.#reset();
    return tally;
  }

  #reset(): void {
    for (const transaction of this.transactions) {
      transaction.committed = 0;
      transaction.rolledBack = 0;
      transaction.service.reset();
      transaction.response.reset();
      transaction.queue.reset();
    }
    for (const statement of this.statements) {
      statement.committed = 0;
      statement.wasted = 0;
      statement.latency.reset();
    }
    this.tallies.fill(0);
    this.#errors.clear();
    this.counts = zeroCounts();
    this.lag.reset();
    this.#sessionTransactions.fill(0);
    this.#sessionLatencyMs.fill(0);
  }
}

function describeError(failure: Failure): Pick<ErrorCount, 'code' | 'sqlState' | 'symbol' | 'example'> {
  switch (failure.is) {
    case 'server': {
      const { code, sqlState, symbol, message } = failure;
      return { code, sqlState, symbol, example: message };
    }
    case 'wire':
      return { code: 0, sqlState: '', symbol: `CONNECTION_${failure.kind.toUpperCase()}`, example: failure.message };
    case 'validation':
      return { code: 0, sqlState: '', symbol: 'VALIDATION', example: failure.message };
    default:
      return { code: 0, sqlState: '', symbol: 'WORKLOAD', example: failure.message };
  }
}
