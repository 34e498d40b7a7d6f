/**
 * Requests written straight to libuv's stream, past the queue and callbacks that `socket.write` keeps for each write:
 * a request is one small buffer, and the next one follows only after the reply. Measured in bench/README.md.
 *
 * This leans on what `node:net` does inside (`_handle.writeBuffer(request, bytes)`, unchanged since Node 0.12, and the
 * class of its request object). Where anything of it is missing, requests go through `socket.write` as ever.
 */
import type net from 'node:net';
import { getSystemErrorName } from 'node:util';

interface WriteRequest {
  /** Called only where the write could not be done at once. */
  oncomplete: (status: number) => void;
  /** Keeps the bytes alive meanwhile. */
  buffer: Uint8Array | null;
}
interface StreamHandle {
  writeBuffer(request: object, bytes: Uint8Array): number;
  /** Bytes that the kernel did not take yet. */
  readonly writeQueueSize: number;
}

export class DirectWrite {
  readonly #socket: net.Socket;
  #handle: StreamHandle | undefined;
  #requestClass: (new () => WriteRequest) | undefined;
  #request: WriteRequest | undefined;
  /** A write of either kind waits for the kernel: what follows goes the ordinary way, which keeps the order. */
  #mayOvertake = true;

  constructor(socket: net.Socket) {
    this.#socket = socket;
  }

  /** Hot. */
  write(bytes: Uint8Array): void {
    const handle = this.#handle;
    if (handle === undefined || this.#mayOvertake) {
      this.#writeOrdinarily(bytes);
      return;
    }
    const status = handle.writeBuffer(this.#request!, bytes);
    if (status !== 0) this.#fail(status);
    else if (handle.writeQueueSize !== 0) this.#await(bytes);
  }

  /** Something else is about to be written by `socket.write`, which may have to wait. */
  giveWay(): void {
    this.#mayOvertake = true;
  }

  #writeOrdinarily(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (this.#handle === undefined) {
      this.#writeAndLearn(bytes);
    } else {
      if (socket.writableLength === 0 && this.#handle.writeQueueSize === 0) {
        this.#mayOvertake = false;
        this.write(bytes);
        return;
      }
      socket.write(bytes);
    }
  }

  /** The class of the request objects is not public: it is seen on an ordinary write. */
  #writeAndLearn(bytes: Uint8Array): void {
    const handle = (this.#socket as unknown as { readonly _handle?: Partial<StreamHandle> | null })._handle;
    const writeBuffer = handle?.writeBuffer;
    if (handle === undefined || handle === null || typeof writeBuffer !== 'function') {
      this.#socket.write(bytes);
      return;
    }
    handle.writeBuffer = (request, buffer) => {
      this.#requestClass = request.constructor as new () => WriteRequest;
      return writeBuffer.call(handle, request, buffer);
    };
    this.#socket.write(bytes);
    delete handle.writeBuffer;
    if (this.#requestClass === undefined || typeof handle.writeQueueSize !== 'number') return;
    this.#handle = handle as StreamHandle;
    this.#request = new this.#requestClass();
  }

  #await(bytes: Uint8Array): void {
    const request = this.#request!;
    this.#mayOvertake = true;
    request.buffer = bytes;
    request.oncomplete = (status) => {
      request.buffer = null;
      if (status !== 0) this.#fail(status);
    };
    this.#request = new this.#requestClass!();
  }

  #fail(status: number): void {
    const code = getSystemErrorName(status);
    this.#socket.destroy(Object.assign(new Error(`write ${code}`), { code }));
  }
}
