/** The file of LOAD DATA LOCAL INFILE, from the stream that the caller offered for this very statement. */
import type { Readable } from 'node:stream';
import { framePayload, sequenceAfter } from '../bytes/frame.ts';
import type { Channel } from '../channel.ts';
import { WireError } from '../errors.ts';
import type { Uploader } from './expectation.ts';

/** Below any max_allowed_packet in use, which bounds these packets too. */
const PART_BYTES_MAX = 64 * 1024;

export class Upload implements Uploader {
  readonly #channel: Channel;
  readonly #stream: Readable;
  /** The whole file has been sent; the server's verdict is due. */
  readonly #onSent: () => void;

  constructor(channel: Channel, stream: Readable, onSent: () => void) {
    this.#channel = channel;
    this.#stream = stream;
    this.#onSent = onSent;
    // It may fail before the server asks for it; the loop below then meets the failure.
    stream.on('error', () => {});
  }

  start(sequence: number): void {
    void this.#run(sequence);
  }

  abandon(): void {
    this.#stream.destroy();
  }

  async #run(from: number): Promise<void> {
    const channel = this.#channel;
    try {
      const sequence = await this.#sendParts(from);
      if (channel.isOver) return;
      this.#onSent();
      // The empty packet says that the file is complete.
      channel.expectedSequence = sequenceAfter(sequence);
      channel.send(framePayload(Buffer.alloc(0), sequence));
    } catch (cause) {
      // An empty packet would tell the server that the file is complete, and commit half of it.
      const message = 'The stream for LOAD DATA LOCAL INFILE failed, and the connection was dropped to undo the load';
      channel.end(new WireError('closed', `${message}: ${(cause as Error).message}`, { cause }));
    }
  }

  /** Returns the number of the packet after the last. */
  async #sendParts(from: number): Promise<number> {
    let sequence = from;
    for await (const chunk of this.#stream as AsyncIterable<string | Uint8Array>) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
      for (let offset = 0; offset < bytes.length; offset += PART_BYTES_MAX) {
        if (this.#channel.isOver) return sequence;
        this.#channel.send(framePayload(bytes.subarray(offset, offset + PART_BYTES_MAX), sequence));
        sequence = sequenceAfter(sequence);
        await this.#channel.drained();
      }
    }
    return sequence;
  }
}
