/**
 * The socket, and the only file that knows what kind of socket it is: TCP or Unix socket, plain or TLS. Bytes come as
 * chunks that are valid only during the call. What the bytes mean is `channel.ts`.
 */
import net from 'node:net';
import tls from 'node:tls';
import { WireError } from './errors.ts';

/** Holds the usual reply whole; a larger one arrives in several chunks. */
const CHUNK_BYTES = 64 * 1024;

/**
 * All connections of a thread read into one buffer, which stays in the processor's cache: libuv reads and calls back in
 * one go, and a chunk is used up during the call. On Windows a read is begun before its bytes arrive.
 */
const SHARED_CHUNK = process.platform === 'win32' ? undefined : Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** Connections idle for long survive network equipment that forgets silent ones. */
const KEEPALIVE_AFTER_MS = 60_000;

/** The view of a longer request is not kept, since it would keep the request. */
const VIEW_KEPT_MAX = 64 * 1024;

export interface TransportOwner {
  /** Hot: once per chunk read. `buffer[0, length)` is overwritten by the next one. Must not throw. */
  onChunk(buffer: Buffer, length: number): void;
  /** Once: the other side has closed (undefined), or the socket failed. */
  onClosed(because: Error | undefined): void;
}

/** What `channel.ts` needs of a connection. */
export interface Transport {
  /** From here on bytes and the end are reported. */
  attach(owner: TransportOwner): void;
  /** Hot: once per request. The bytes may be changed again when the reply has arrived. */
  write(buffer: Buffer, length: number): void;
  /** Resolves when the socket has taken what was written, or is gone. */
  drained(): Promise<void>;
  /** From plain to TLS on the same connection. The server's greeting is behind us, its next bytes are TLS. */
  upgrade(options: tls.ConnectionOptions): Promise<TlsSession>;
  /** Says that nothing more will be sent; the other side then closes. */
  end(): void;
  /** Drops the connection. Nothing is reported any more. */
  destroy(): void;
}

export interface TlsSession {
  readonly version: string;
  readonly cipher: string;
}

export interface Address {
  readonly socketPath?: string | undefined;
  readonly host: string;
  readonly port: number;
}

class SocketTransport implements Transport {
  #socket: net.Socket;
  #owner: TransportOwner | undefined;
  /** The last view of a request buffer: requests of one size follow each other, and a view is not free. */
  #view: Buffer | undefined;
  #viewOf: Buffer | undefined;

  constructor(socket: net.Socket) {
    this.#socket = socket;
  }

  attach(owner: TransportOwner): void {
    this.#owner = owner;
    this.#listen(this.#socket);
  }

  /** Hot. */
  write(buffer: Buffer, length: number): void {
    if (length > VIEW_KEPT_MAX) {
      this.#socket.write(buffer.subarray(0, length));
      return;
    }
    let view = this.#view;
    if (view === undefined || this.#viewOf !== buffer || view.length !== length) {
      view = buffer.subarray(0, length);
      this.#view = view;
      this.#viewOf = buffer;
    }
    this.#socket.write(view);
  }

  async drained(): Promise<void> {
    const socket = this.#socket;
    if (!socket.writableNeedDrain || socket.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  }

  async upgrade(options: tls.ConnectionOptions): Promise<TlsSession> {
    const plain = this.#socket;
    const secure = tls.connect({ ...options, socket: plain });
    this.#socket = secure;
    this.#listen(secure);
    await settled(secure, 'secureConnect');
    secure.on('data', (chunk: Buffer) => this.#owner?.onChunk(chunk, chunk.length));
    return { version: secure.getProtocol() ?? 'unknown', cipher: secure.getCipher().name };
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#owner = undefined;
    this.#socket.destroy();
  }

  /** Hot: the read callback. */
  chunk(length: number, buffer: Buffer): void {
    this.#owner?.onChunk(buffer, length);
  }

  /** Reports the end of the socket in use: once TLS has taken over, that of the plain one is not ours to see. */
  #listen(socket: net.Socket): void {
    let failure: Error | undefined;
    const closed = () => {
      if (socket !== this.#socket) return;
      const owner = this.#owner;
      this.#owner = undefined;
      owner?.onClosed(failure);
    };
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('end', closed);
    socket.on('close', closed);
  }
}

/** Connects; rejects with `WireError` 'refused' or 'timeout'. */
export async function openTransport(address: Address, signal: AbortSignal): Promise<Transport> {
  let transport: SocketTransport | undefined;
  const onread = {
    buffer: SHARED_CHUNK ?? Buffer.allocUnsafeSlow(CHUNK_BYTES),
    callback: (length: number, buffer: Uint8Array): boolean => {
      transport?.chunk(length, buffer as Buffer);
      return true;
    },
  };
  const { socketPath, host, port } = address;
  const tcp = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEPALIVE_AFTER_MS };
  const socket = net.connect(socketPath === undefined ? { ...tcp, onread } : { path: socketPath, onread });
  transport = new SocketTransport(socket);
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await settled(socket, 'connect');
  } catch (error) {
    throw refused(address, error);
  } finally {
    signal.removeEventListener('abort', abort);
  }
  return transport;
}

/** Resolves at `event`, rejects when the socket fails or closes before it. */
async function settled(socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  let remove = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const closed = () => reject(new WireError('closed', 'The server closed the connection during the handshake.'));
      remove = () => socket.off(event, resolve).off('error', reject).off('close', closed);
      socket.on(event, resolve).on('error', reject).on('close', closed);
    });
  } finally {
    remove();
  }
}

export function addressText(address: Address): string {
  return address.socketPath ?? `${address.host}:${address.port}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'there is no such socket',
  ENOTSOCK: 'this is not a socket',
  EACCES: 'permission denied',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  ECONNRESET: 'the connection was reset',
};

function refused(address: Address, error: unknown): WireError {
  if (error instanceof WireError) return error;
  // Several addresses of one name failed: each has its own error, the first says enough.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = (first as NodeJS.ErrnoException).code ?? '';
  const reason = REASONS[code] ?? (first as Error).message;
  const kind = code === 'ETIMEDOUT' ? 'timeout' : 'refused';
  return new WireError(kind, `Cannot connect to ${addressText(address)}: ${reason}.`, { cause: error });
}
