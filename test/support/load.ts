/** Doubles for tests of the load engine: a clock that tests turn, a server that answers as told, small plans. */
import type { LoadPlan } from '../../src/load/plan.ts';
import type { LoadClock, LoadWorld } from '../../src/load/world.ts';
import { WireError } from '../../src/wire/errors.ts';
import type {
  Connection,
  ConnectOptions,
  Outcome,
  ReplyHandler,
  ResultSet,
  ServerInfo,
  SqlParameter,
  SqlValue,
  Statement,
} from '../../src/wire/types.ts';
import type { Workload } from '../../src/workload/workload.ts';

export const TARGET: ConnectOptions = { host: '127.0.0.1', port: 3306, user: 'u', password: '', sslMode: 'DISABLED' };

export function loadPlan(changes: Partial<LoadPlan> = {}): LoadPlan {
  return {
    workload: { name: 'double', options: {} },
    targets: [TARGET],
    threads: 1,
    workers: 1,
    timeS: 0,
    events: 0,
    warmupS: 0,
    isWarmupAuto: false,
    eventsPerThread: 0,
    sequence: [],
    terminals: 0,
    terminalTimeFactor: 1,
    ratePerS: 0,
    arrivals: 'even',
    queueMax: 1_000,
    intervalS: 0,
    checkpointsS: [],
    percentiles: [95],
    forcedShutdownS: undefined,
    threadInitTimeoutS: 20,
    rand: {
      type: 'uniform',
      scrambled: false,
      specIter: 12,
      specPct: 1,
      specRes: 75,
      paretoH: 0.2,
      zipfianExp: 0.8,
    },
    seed: 42,
    validate: false,
    preparedStatements: true,
    errors: ERRORS,
    ...changes,
  };
}

export const ERRORS: LoadPlan['errors'] = {
  ignore: [1213, 1020, 1205],
  attemptsMax: 10,
  lostConnection: 'stop',
  reconnectDeadlineS: 5,
  reconnectEveryEvents: 0,
};

/** Time stands still until it is turned; then timers fire one after another, each at its own time. */
export class TurnedClock implements LoadClock {
  nowMs = 1_000;
  readonly #timers = new Set<{ readonly atMs: number; readonly fire: () => void }>();

  now(): number {
    return this.nowMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const timer = { atMs: this.nowMs + delayMs, fire };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  turn(): Promise<void> {
    return settle();
  }

  async turnBy(ms: number): Promise<void> {
    await this.turnTo(this.nowMs + ms);
  }

  async turnTo(untilMs: number): Promise<void> {
    await settle();
    for (;;) {
      const next = [...this.#timers].sort((one, other) => one.atMs - other.atMs)[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.#timers.delete(next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.fire();
      await settle();
    }
    this.nowMs = untilMs;
  }
}

/** Lets everything that waits for promises alone go on until it waits for time. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export interface Request {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
  /** 1, 2, … in the order of connecting. */
  readonly connection: number;
  readonly isPrepared: boolean;
}
/** What the double says: part of an outcome, or how it fails; `delayMs` later. */
export type DoubleReply = (Partial<Outcome> & { readonly delayMs?: number; readonly rows?: SqlValue[][] }) | Error;

const SILENT: Outcome = {
  hasRows: false,
  rowCount: 0,
  affectedRows: 1,
  lastInsertId: 0,
  warningCount: 0,
  status: 2,
};

export class DoubleServer {
  readonly requests: Request[] = [];
  readonly connections: DoubleConnection[] = [];
  /** Statements that are refused when they are to be prepared. */
  readonly unpreparable = new Map<string, Error>();
  /** Thrown by the next attempts to connect, oldest first. */
  readonly refusals: Error[] = [];
  answer: (request: Request) => DoubleReply;
  readonly #clock: LoadClock;

  constructor(clock: LoadClock, answer: (request: Request) => DoubleReply = () => ({})) {
    this.#clock = clock;
    this.answer = answer;
  }

  readonly connect = async (options: ConnectOptions): Promise<Connection> => {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) throw refusal;
    const connection = new DoubleConnection(this, this.connections.length + 1, options);
    this.connections.push(connection);
    return connection;
  };

  world(workload: Workload, clock: LoadClock = this.#clock): LoadWorld {
    return { clock, connect: this.connect, loadWorkload: async () => workload };
  }

  sqlOf(connection: number): string[] {
    return this.requests.filter((request) => request.connection === connection).map(({ sql }) => sql);
  }

  reply(request: Request, connection: DoubleConnection, handler: ReplyHandler): void {
    this.requests.push(request);
    const reply = this.answer(request);
    const delayMs = reply instanceof Error ? 0 : (reply.delayMs ?? 0);
    this.#clock.after(delayMs, () => connection.deliver(handler, reply));
  }
}

export class DoubleConnection implements Connection {
  readonly server: ServerInfo;
  readonly options: ConnectOptions;
  isOpen = true;
  bytesSent = 100;
  bytesReceived = 200;
  onEnd: ((because: Error | undefined) => void) | undefined;
  readonly #server: DoubleServer;
  readonly #number: number;
  #inFlight: ReplyHandler | undefined;

  constructor(server: DoubleServer, number: number, options: ConnectOptions) {
    this.#server = server;
    this.#number = number;
    this.options = options;
    this.server = { flavor: 'mariadb', version: '10.11', connectionId: number, capabilities: 0, tls: undefined };
  }

  send(sql: string | Uint8Array, handler: ReplyHandler): void {
    this.ask({ sql: String(sql), parameters: [], connection: this.#number, isPrepared: false }, handler);
  }

  ask(request: Request, handler: ReplyHandler): void {
    if (!this.isOpen) {
      handler.onFailure(new WireError('closed', 'the connection is closed'));
      return;
    }
    this.#inFlight = handler;
    this.bytesSent += 10;
    this.#server.reply(request, this, handler);
  }

  deliver(handler: ReplyHandler, reply: DoubleReply): void {
    if (this.#inFlight !== handler) return;
    this.#inFlight = undefined;
    this.bytesReceived += 20;
    if (reply instanceof WireError) this.lose(reply);
    if (reply instanceof Error) handler.onFailure(reply);
    else handler.onReply({ ...SILENT, ...reply } as Outcome);
  }

  /** Ends as if the server had gone away. */
  lose(because: Error): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const handler = this.#inFlight;
    this.#inFlight = undefined;
    handler?.onFailure(because);
    this.onEnd?.(because);
  }

  execute(sql: string): Promise<Outcome> {
    return new Promise((resolve, reject) => this.send(sql, { onReply: resolve, onFailure: reject }));
  }

  async read(sql: string): Promise<ResultSet> {
    return (await this.execute(sql)) as ResultSet;
  }

  async readAll(sql: string): Promise<ResultSet[]> {
    return [await this.read(sql)];
  }

  async prepare(sql: string): Promise<Statement> {
    const refusal = this.#server.unpreparable.get(sql);
    if (refusal !== undefined) throw refusal;
    return new DoubleStatement(this, sql, this.#number);
  }

  async ping(): Promise<void> {}

  async reset(): Promise<void> {}

  async close(): Promise<void> {
    this.isOpen = false;
  }

  destroy(because: Error = new WireError('closed', 'destroyed')): void {
    this.lose(because);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

class DoubleStatement implements Statement {
  readonly sql: string;
  readonly parameterCount = 0;
  readonly columns = [];
  readonly #connection: DoubleConnection;
  readonly #number: number;

  constructor(connection: DoubleConnection, sql: string, number: number) {
    this.#connection = connection;
    this.sql = sql;
    this.#number = number;
  }

  send(parameters: readonly SqlParameter[], handler: ReplyHandler): void {
    const request = { sql: this.sql, parameters: [...parameters], connection: this.#number, isPrepared: true };
    this.#connection.ask(request, handler);
  }

  execute(parameters: readonly SqlParameter[] = []): Promise<Outcome> {
    return new Promise((resolve, reject) => this.send(parameters, { onReply: resolve, onFailure: reject }));
  }

  async read(parameters: readonly SqlParameter[] = []): Promise<ResultSet> {
    return (await this.execute(parameters)) as ResultSet;
  }

  async readAll(parameters: readonly SqlParameter[] = []): Promise<ResultSet[]> {
    return [await this.read(parameters)];
  }

  close(): void {}
}
