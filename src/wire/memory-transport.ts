/** A transport without a socket: tests hand it the server's bytes and look at ours. */
import type { TlsSession, Transport, TransportOwner } from './transport.ts';

export class MemoryTransport implements Transport {
  /** Everything written, one entry a call. */
  readonly written: Buffer[] = [];
  isDestroyed = false;
  hasEnded = false;
  #owner: TransportOwner | undefined;

  attach(owner: TransportOwner): void {
    this.#owner = owner;
  }

  write(buffer: Buffer, length: number): void {
    this.written.push(Buffer.from(buffer.subarray(0, length)));
  }

  async drained(): Promise<void> {}

  async upgrade(): Promise<TlsSession> {
    return { version: 'TLSv1.3', cipher: 'none' };
  }

  end(): void {
    this.hasEnded = true;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.#owner = undefined;
  }

  /** The server sends `bytes`, which arrive in one chunk; its memory is overwritten afterwards, as a socket's is. */
  arrive(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes);
    this.#owner?.onChunk(chunk, chunk.length);
    chunk.fill(0xee);
  }

  /** The server closes, or the connection breaks. */
  close(because?: Error): void {
    const owner = this.#owner;
    this.#owner = undefined;
    owner?.onClosed(because);
  }
}
