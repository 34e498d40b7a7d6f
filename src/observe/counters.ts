/** The server's own counters, and what reading them adds to them. */
import type { Connection, ResultSet } from '../wire/types.ts';

/** A moment's counters, with what the observing connection itself had contributed to them by then. */
export interface CounterSnapshot {
  readonly values: ReadonlyMap<string, number>;
  readonly own: OwnTraffic;
}

export interface OwnTraffic {
  /** Statements, the one that read this snapshot included. */
  readonly statements: number;
  /** Those statements by the counter that each raises. */
  readonly byCounter: ReadonlyMap<string, number>;
  /** Bytes as the server sees them: its request has arrived, its reply is not yet sent. */
  readonly bytesToServer: number;
  readonly bytesFromServer: number;
}

/**
 * While one is in use, its connection must be used for nothing else. One question at a time: what each adds to the
 * counters is reckoned from one to the next.
 */
export interface CounterReader {
  readonly connection: Connection;
  read(): Promise<CounterSnapshot>;
  /** Another question over the same connection; `counter` is what it raises, such as `Com_select`. */
  ask(sql: string, counter: string): Promise<ResultSet>;
}

const STATUS_COUNTER = 'Com_show_status';

const NUMBER = /^\d+(?:\.\d+)?$/;

export function counterReader(connection: Connection): CounterReader {
  let statements = 0;
  const byCounter = new Map<string, number>();
  const count = (counter: string) => {
    statements++;
    byCounter.set(counter, (byCounter.get(counter) ?? 0) + 1);
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(question: () => Promise<T>): Promise<T> => {
    const answer = last.then(question);
    last = answer.catch(() => {});
    return answer;
  };
  const ask = (sql: string, counter: string) =>
    inTurn(() => {
      count(counter);
      return connection.read(sql);
    });
  const readNow = async () => {
    const bytesFromServer = connection.bytesReceived;
    count(STATUS_COUNTER);
    const own = { statements, byCounter: new Map(byCounter) };
    const reply = connection.read('SHOW GLOBAL STATUS');
    const bytesToServer = connection.bytesSent;
    const { rows } = await reply;
    const numbers = rows.map(([name, value]): [string, string] => [String(name), String(value)]);
    const values = new Map(
      numbers.filter(([, value]) => NUMBER.test(value)).map(([name, value]) => [name, Number(value)]),
    );
    return { values, own: { ...own, bytesToServer, bytesFromServer } };
  };
  return { connection, read: () => inTurn(readNow), ask };
}

/** How far each counter moved, the observer's own statements and bytes taken out. Throws where one is missing. */
export interface CounterChange {
  of(...names: readonly string[]): number;
  has(name: string): boolean;
}

export function changeOf(earlier: CounterSnapshot, later: CounterSnapshot): CounterChange {
  const statements = later.own.statements - earlier.own.statements;
  const own = new Map([
    ['Questions', statements],
    ['Queries', statements],
    ['Bytes_received', later.own.bytesToServer - earlier.own.bytesToServer],
    ['Bytes_sent', later.own.bytesFromServer - earlier.own.bytesFromServer],
  ]);
  for (const [counter, count] of later.own.byCounter)
    own.set(counter, count - (earlier.own.byCounter.get(counter) ?? 0));
  const one = (name: string) => {
    const before = earlier.values.get(name);
    const after = later.values.get(name);
    if (before === undefined || after === undefined) throw new MissingCounter(name);
    return after - before - (own.get(name) ?? 0);
  };
  return {
    of: (...names) => names.reduce((sum, name) => sum + one(name), 0),
    has: (name) => earlier.values.has(name) && later.values.has(name),
  };
}

/** A server that speaks the protocol but keeps other books. */
export class MissingCounter extends Error {
  constructor(name: string) {
    super(`the server has no counter ${name}`);
    this.name = 'MissingCounter';
  }
}
