/** The way out: bytes of the server, through the faults asked for, into the socket. */
import type { Socket } from 'node:net';
import type { Fault } from './faults.ts';

const HEADER_BYTES = 4;

export interface Outbox {
  /** Before encryption, headers included, as the server's Bytes_sent. */
  readonly bytesSent: number;
  /** Hot: whole packets, one write. */
  send(bytes: Uint8Array): void;
  /** Closes when all is sent. */
  end(): void;
  /** From now on through this socket: TLS has begun. */
  useSocket(socket: Socket): void;
}

export function openOutbox(socket: Socket, faults: readonly Fault[]): Outbox {
  return faults.length === 0 ? new PlainOutbox(socket) : new FaultyOutbox(socket, faults);
}

class PlainOutbox implements Outbox {
  bytesSent = 0;
  #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  send(bytes: Uint8Array): void {
    this.bytesSent += bytes.length;
    this.#socket.write(bytes);
  }

  end(): void {
    this.#socket.end();
  }

  useSocket(socket: Socket): void {
    this.#socket = socket;
  }
}

/** A stop of the stream: what happens when this many bytes are sent. */
type Stop = Extract<Fault, { is: 'cut' | 'stall' | 'garbage' | 'split' }>;

class FaultyOutbox implements Outbox {
  bytesSent = 0;
  #socket: Socket;
  readonly #faults: readonly Fault[];
  readonly #done = new Set<Fault>();
  #packets = 0;
  #isOver = false;
  #tail: Promise<void>;

  constructor(socket: Socket, faults: readonly Fault[]) {
    this.#socket = socket;
    this.#faults = faults;
    // A cut after 0 bytes does not wait for the first packet.
    this.#tail = this.#stopHere();
  }

  send(bytes: Uint8Array): void {
    for (const packet of packetsOf(bytes)) {
      const index = this.#packets++;
      this.#tail = this.#tail.then(() => this.#deliver(packet, index));
    }
  }

  end(): void {
    this.#tail = this.#tail.then(() => {
      if (!this.#isOver) this.#socket.end();
    });
  }

  useSocket(socket: Socket): void {
    this.#socket = socket;
  }

  async #deliver(packet: Uint8Array, index: number): Promise<void> {
    let bytes = packet;
    for (const fault of this.#faults) {
      if (!('packet' in fault) || fault.packet !== index) continue;
      if (fault.is === 'delay') await fault.until;
      else bytes = distort(bytes, fault);
    }
    let from = 0;
    while (from < bytes.length && !this.#isOver) {
      const to = Math.min(bytes.length, from + this.#bytesToNextStop());
      this.#socket.write(bytes.subarray(from, to));
      this.bytesSent += to - from;
      from = to;
      await this.#stopHere();
    }
  }

  #bytesToNextStop(): number {
    let nearest = Number.POSITIVE_INFINITY;
    for (const fault of this.#faults) {
      if (fault.is === 'split') {
        const next = fault.at === 'every-byte' ? this.bytesSent + 1 : fault.at.find((at) => at > this.bytesSent);
        nearest = Math.min(nearest, (next ?? Number.POSITIVE_INFINITY) - this.bytesSent);
      } else if ('afterBytes' in fault && fault.afterBytes > this.bytesSent) {
        nearest = Math.min(nearest, fault.afterBytes - this.bytesSent);
      }
    }
    return nearest;
  }

  async #stopHere(): Promise<void> {
    for (const fault of this.#faults) {
      if (this.#isOver || this.#done.has(fault) || !isDue(fault, this.bytesSent)) continue;
      if (fault.is === 'split') {
        await fault.between();
        continue;
      }
      this.#done.add(fault);
      if (fault.is === 'garbage') this.#socket.write(fault.bytes);
      else this.#isOver = true;
      if (fault.is === 'cut' && fault.abruptly) this.#socket.resetAndDestroy();
      else if (fault.is === 'cut') this.#socket.end();
    }
  }
}

function isDue(fault: Fault, bytesSent: number): fault is Stop {
  if (fault.is === 'split') return fault.at === 'every-byte' || fault.at.includes(bytesSent);
  return 'afterBytes' in fault && fault.afterBytes === bytesSent;
}

/** What is no whole packet at the end stays one piece. */
function* packetsOf(bytes: Uint8Array): Generator<Uint8Array> {
  let from = 0;
  while (from < bytes.length) {
    const isHeader = bytes.length - from >= HEADER_BYTES;
    const length = isHeader ? HEADER_BYTES + lengthAt(bytes, from) : bytes.length - from;
    yield bytes.subarray(from, from + length);
    from += length;
  }
}

function distort(
  packet: Uint8Array,
  fault: Extract<Fault, { is: 'wrong-sequence' | 'truncate' | 'wrong-length' | 'replace' }>,
): Uint8Array {
  const sequence = packet[3] ?? 0;
  const payload = packet.subarray(HEADER_BYTES);
  switch (fault.is) {
    case 'wrong-sequence':
      return withHeader(payload, payload.length, sequence + fault.by);
    case 'truncate':
      return withHeader(payload.subarray(0, fault.length), Math.min(fault.length, payload.length), sequence);
    case 'wrong-length':
      return withHeader(payload, payload.length + fault.by, sequence);
    case 'replace':
      return withHeader(fault.payload, fault.payload.length, sequence);
  }
}

function withHeader(payload: Uint8Array, length: number, sequence: number): Uint8Array {
  const packet = Buffer.alloc(HEADER_BYTES + payload.length);
  packet.writeUIntLE(length, 0, 3);
  packet.writeUInt8(sequence & 0xff, 3);
  packet.set(payload, HEADER_BYTES);
  return packet;
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}
