/** Adds up what the workers report, and gives it in the record's form. Sums only: any order gives the same. */
import type { ErrorCount, LatencyRecord, RunTotals, StatementCount, TransactionLatency } from '../model/run.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import type { StatementKind } from '../workload/workload.ts';
import { addCounts, type Counts, type Tally, zeroCounts } from './recorder.ts';

interface StatementSum {
  readonly kind: StatementKind;
  /** On the server, by at least one session. */
  isPrepared: boolean;
  committed: number;
  wasted: number;
  readonly latency: Histogram;
}
interface TransactionSum {
  committed: number;
  rolledBack: number;
  readonly service: Histogram;
  readonly response: Histogram;
  readonly queue: Histogram;
}

/** Under which the record keeps all transactions together. */
const ALL = 'all';

export class Aggregate {
  readonly counts: Counts = zeroCounts();
  readonly lag = new Histogram();
  readonly #hasDueTimes: boolean;
  readonly #statements = new Map<string, StatementSum>();
  readonly #transactions = new Map<string, TransactionSum>();
  readonly #tallies = new Map<string, number>();
  readonly #errors = new Map<string, ErrorCount & { count: number }>();
  readonly #sessionTransactions: Float64Array;
  readonly #sessionLatencyMs: Float64Array;

  constructor(threads: number, hasDueTimes: boolean) {
    this.#hasDueTimes = hasDueTimes;
    this.#sessionTransactions = new Float64Array(threads);
    this.#sessionLatencyMs = new Float64Array(threads);
  }

  /** `sessions` are the numbers, over all workers, of the sessions of the worker that measured it. */
  add(tally: Tally, sessions: readonly number[]): void {
    this.#addStatements(tally);
    this.#addTransactions(tally);
    for (const { name, count } of tally.tallies) this.#tallies.set(name, (this.#tallies.get(name) ?? 0) + count);
    for (const error of tally.errors) this.addError(error);
    addCounts(this.counts, tally.counts);
    this.lag.mergeSnapshot(tally.lag);
    sessions.forEach((session, place) => {
      this.#sessionTransactions[session]! += tally.sessionTransactions[place]!;
      this.#sessionLatencyMs[session]! += tally.sessionLatencyMs[place]!;
    });
  }

  #addStatements(tally: Tally): void {
    for (const { name, kind, isPrepared, committed, wasted, latency } of tally.statements) {
      let sum = this.#statements.get(name);
      if (sum === undefined) {
        sum = { kind, isPrepared, committed: 0, wasted: 0, latency: new Histogram() };
        this.#statements.set(name, sum);
      }
      sum.isPrepared ||= isPrepared;
      sum.committed += committed;
      sum.wasted += wasted;
      sum.latency.mergeSnapshot(latency);
    }
  }

  #addTransactions(tally: Tally): void {
    for (const { name, committed, rolledBack, service, response, queue } of tally.transactions) {
      let sum = this.#transactions.get(name);
      if (sum === undefined) {
        sum = {
          committed: 0,
          rolledBack: 0,
          service: new Histogram(),
          response: new Histogram(),
          queue: new Histogram(),
        };
        this.#transactions.set(name, sum);
      }
      sum.committed += committed;
      sum.rolledBack += rolledBack;
      sum.service.mergeSnapshot(service);
      sum.response.mergeSnapshot(response);
      sum.queue.mergeSnapshot(queue);
    }
  }

  addError(error: ErrorCount): void {
    const key = `${error.policy}:${error.code}:${error.symbol}`;
    const known = this.#errors.get(key);
    if (known === undefined) this.#errors.set(key, { ...error });
    else known.count += error.count;
  }

  get errors(): readonly ErrorCount[] {
    return [...this.#errors.values()].sort((one, other) => other.count - one.count || one.code - other.code);
  }

  get committed(): number {
    return sum([...this.#transactions.values()].map((transaction) => transaction.committed));
  }

  committedOf(kind: StatementKind): number {
    return sum(this.#of(kind).map((statement) => statement.committed));
  }

  get wasted(): number {
    return sum([...this.#statements.values()].map((statement) => statement.wasted));
  }

  /** Names of statements that were prepared and never answered. */
  get neverSent(): readonly string[] {
    const isSilent = ({ isPrepared, committed, wasted }: StatementSum) => isPrepared && committed + wasted === 0;
    return [...this.#statements].filter(([, statement]) => isSilent(statement)).map(([name]) => name);
  }

  #of(kind: StatementKind): StatementSum[] {
    return [...this.#statements.values()].filter((statement) => statement.kind === kind);
  }

  toTotals(elapsedS: number): RunTotals {
    const { writesWithoutEffect, rowsRead, bytesSent, bytesReceived } = this.counts;
    const { retries, rollbacks, reconnects, dropped, unfinished } = this.counts;
    const byName = [...this.#transactions].map(([name, { committed }]) => [name, committed] as const);
    const rolledBack = [...this.#transactions]
      .filter(([, transaction]) => transaction.rolledBack > 0)
      .map(([name, transaction]) => [name, transaction.rolledBack] as const);
    const statements = [...this.#statements].map(([name, { kind, committed, wasted }]): [string, StatementCount] => [
      name,
      { kind, committed, wasted },
    ]);
    return {
      elapsedS,
      transactions: {
        committed: this.committed,
        byName: Object.fromEntries(byName),
        ...(rolledBack.length > 0 ? { rolledBack: Object.fromEntries(rolledBack) } : {}),
      },
      statements: {
        read: this.committedOf('read'),
        write: this.committedOf('write'),
        other: this.committedOf('other'),
        wasted: this.wasted,
        writesWithoutEffect,
        byName: Object.fromEntries(statements),
      },
      rowsRead,
      bytes: { sent: bytesSent, received: bytesReceived },
      errors: this.errors,
      retries,
      rollbacks,
      reconnects,
      dropped,
      unfinished,
      ...(this.#tallies.size > 0 ? { tallies: Object.fromEntries(this.#tallies) } : {}),
      perSession: {
        transactions: [...this.#sessionTransactions],
        latencyS: [...this.#sessionLatencyMs].map((latencyMs) => latencyMs / 1000),
      },
    };
  }

  /** What a user would feel: response where events have due times, service in the closed loop. */
  latency(): LatencyRecord {
    return toLatencyRecord(this.#all(this.#hasDueTimes ? 'response' : 'service'));
  }

  #all(part: 'service' | 'response' | 'queue'): Histogram {
    const all = new Histogram();
    for (const transaction of this.#transactions.values()) all.merge(transaction[part]);
    return all;
  }

  transactionLatencies(): Record<string, TransactionLatency> {
    const all = { service: this.#all('service'), response: this.#all('response'), queue: this.#all('queue') };
    const latencies = [[ALL, all] as const, ...this.#transactions].map(
      ([name, { service, response, queue }]): [string, TransactionLatency] => [
        name,
        {
          service: toLatencyRecord(service),
          ...(this.#hasDueTimes ? { response: toLatencyRecord(response), queue: toLatencyRecord(queue) } : {}),
        },
      ],
    );
    return Object.fromEntries(latencies);
  }

  statementLatencies(): Record<string, LatencyRecord> {
    const latencies = [...this.#statements].map(([name, { latency }]) => [name, toLatencyRecord(latency)] as const);
    return Object.fromEntries(latencies);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
