/** One connection to a server, from `connect` to its end. */
import { Channel } from './channel.ts';
import { ResultCollector } from './command/collect.ts';
import type { ReplyExpectation } from './command/expectation.ts';
import { CommandPhase } from './command/phase.ts';
import { promised } from './command/promised.ts';
import { Upload } from './command/upload.ts';
import { COMMAND } from './constants.ts';
import { WireError } from './errors.ts';
import { PacketQueue, shakeHands } from './handshake/handshake.ts';
import { SilenceWatch } from './silence-watch.ts';
import { PreparedStatement } from './statement.ts';
import { addressText, openTransport } from './transport.ts';
import type {
  Connection,
  ConnectOptions,
  Outcome,
  QueryOptions,
  ReplyHandler,
  ResultSet,
  ServerInfo,
  Statement,
} from './types.ts';

const HOST_DEFAULT = 'localhost';
const PORT_DEFAULT = 3306;

/** After COM_QUIT servers close at once; one that does not is not waited for longer. */
const CLOSE_WAIT_MS = 2_000;

/** Rejects with `ServerError` where the server refuses, with `WireError` where there is no way to it. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { socketPath, host = HOST_DEFAULT, port = PORT_DEFAULT, connectTimeoutMs = 0 } = options;
  const address = { socketPath, host, port };
  const giveUp = new AbortController();
  let tooLate: WireError | undefined;
  let channel: Channel | undefined;
  const expire = () => {
    tooLate = new WireError('timeout', `No connection to ${addressText(address)} within ${connectTimeoutMs} ms.`);
    giveUp.abort();
    channel?.end(tooLate);
  };
  const timer = connectTimeoutMs > 0 ? setTimeout(expire, connectTimeoutMs) : undefined;
  try {
    const transport = await openTransport(address, giveUp.signal);
    options.onReached?.();
    const queue = new PacketQueue();
    channel = new Channel(transport, queue);
    const { server, agreement } = await shakeHands(channel, queue, options);
    if (channel.isOver) await queue.next();
    return new OpenConnection(channel, new CommandPhase(channel, agreement, server.flavor), server, options);
  } catch (error) {
    channel?.end(undefined);
    throw tooLate ?? error;
  } finally {
    clearTimeout(timer);
  }
}

class OpenConnection implements Connection {
  readonly server: ServerInfo;
  onEnd: ((because: Error | undefined) => void) | undefined;
  readonly #channel: Channel;
  readonly #phase: CommandPhase;
  readonly #watch: SilenceWatch | undefined;
  #saidGoodbye = false;
  #onClosed: (() => void) | undefined;

  constructor(channel: Channel, phase: CommandPhase, server: ServerInfo, options: ConnectOptions) {
    this.server = server;
    this.#channel = channel;
    this.#phase = phase;
    const limitMs = options.readTimeoutMs ?? 0;
    if (limitMs > 0) {
      this.#watch = new SilenceWatch(new Traffic(channel, phase), limitMs, () =>
        channel.end(
          new WireError('timeout', `The server has been silent for ${limitMs} ms while its reply was awaited.`),
        ),
      );
    }
    phase.onEnd = (because) => this.#ended(because);
  }

  get isOpen(): boolean {
    return !this.#channel.isOver && !this.#saidGoodbye;
  }

  get bytesSent(): number {
    return this.#channel.bytesSent;
  }

  get bytesReceived(): number {
    return this.#channel.bytesReceived;
  }

  /** Hot. */
  send(sql: string | Uint8Array, handler: ReplyHandler): void {
    this.#phase.query(sql, handler);
  }

  async execute(sql: string | Uint8Array, options: QueryOptions = {}): Promise<Outcome> {
    return promised((handler) => this.#phase.queryWith(sql, this.#expectation(handler, options)));
  }

  async read(sql: string, options: QueryOptions = {}): Promise<ResultSet> {
    return (await this.#collect(sql, options)).main;
  }

  async readAll(sql: string, options: QueryOptions = {}): Promise<ResultSet[]> {
    return (await this.#collect(sql, options)).results;
  }

  async prepare(sql: string): Promise<Statement> {
    const prepared = await new Promise<PreparedStatement>((resolve, reject) => {
      const onReply = () => resolve(new PreparedStatement(this.#phase, sql, this.#phase.prepared));
      this.#phase.prepare(sql, { onReply, onFailure: reject });
    });
    return prepared;
  }

  async ping(): Promise<void> {
    await promised((handler) => this.#phase.command(COMMAND.PING, handler));
  }

  async reset(): Promise<void> {
    await promised((handler) => this.#phase.command(COMMAND.RESET_CONNECTION, handler));
  }

  async close(): Promise<void> {
    if (this.#channel.isOver) return;
    if (!this.#phase.isIdle) {
      this.destroy();
      return;
    }
    this.#saidGoodbye = true;
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
    });
    this.#phase.quit();
    const timer = setTimeout(() => this.#channel.end(undefined), CLOSE_WAIT_MS);
    await closed;
    clearTimeout(timer);
  }

  destroy(because?: Error): void {
    this.#channel.end(because);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #collect(sql: string, options: QueryOptions): Promise<ResultCollector> {
    const collector = new ResultCollector('text');
    await promised((handler) =>
      this.#phase.queryWith(sql, { ...this.#expectation(handler, options), sink: collector }),
    );
    return collector;
  }

  #expectation(handler: ReplyHandler, { infile }: QueryOptions): ReplyExpectation {
    if (infile === undefined) return { handler };
    return { handler, uploader: new Upload(this.#channel, infile, () => this.#phase.uploaded()) };
  }

  #ended(because: Error | undefined): void {
    this.#watch?.stop();
    this.#onClosed?.();
    const { onEnd } = this;
    this.onEnd = undefined;
    // What follows our own goodbye is no failure, whatever the socket makes of it.
    onEnd?.(this.#saidGoodbye ? undefined : because);
  }
}

/** What the silence watch looks at. */
class Traffic {
  readonly #channel: Channel;
  readonly #phase: CommandPhase;

  constructor(channel: Channel, phase: CommandPhase) {
    this.#channel = channel;
    this.#phase = phase;
  }

  get isAwaitingServer(): boolean {
    return this.#phase.isAwaitingServer;
  }

  get bytesSent(): number {
    return this.#channel.bytesSent;
  }

  get bytesReceived(): number {
    return this.#channel.bytesReceived;
  }
}
