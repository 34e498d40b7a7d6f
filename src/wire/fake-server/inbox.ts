/** Makes packets of what arrives, and looks at the sequence numbers: a client that errs is found out. */
import { HEADER_LENGTH, joinPackets, PACKET_PAYLOAD_MAX, packetCount, sequenceAfter } from '../bytes/frame.ts';

export interface InboxPacket {
  readonly payload: Buffer;
  /** Of its first part. */
  readonly sequence: number;
  /** What a reply to it begins with. */
  readonly sequenceNext: number;
}

export class Inbox {
  #pending: Buffer[] = [];
  #pendingLength = 0;
  /** Fewer bytes than these make no packet. */
  #needed = HEADER_LENGTH;
  readonly #onPacket: (packet: InboxPacket) => void;
  #isStopped = false;

  constructor(onPacket: (packet: InboxPacket) => void) {
    this.#onPacket = onPacket;
  }

  /** Hot: a chunk that is one packet is handed on as it is, not copied: the caller must not use it again. */
  receive(chunk: Buffer): void {
    if (this.#pendingLength === 0) {
      this.#take(chunk);
      return;
    }
    this.#pending.push(chunk);
    this.#pendingLength += chunk.length;
    if (this.#pendingLength < this.#needed) return;
    const bytes = Buffer.concat(this.#pending, this.#pendingLength);
    this.#pending = [];
    this.#pendingLength = 0;
    this.#take(bytes);
  }

  /** Called while a packet is handed on: what follows is no packet, and is kept for `resume`. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Gives back what has come since it was stopped; from now on bytes are packets again. */
  resume(): Buffer {
    this.#isStopped = false;
    const rest = Buffer.concat(this.#pending, this.#pendingLength);
    this.#pending = [];
    this.#pendingLength = 0;
    return rest;
  }

  #take(bytes: Buffer): void {
    let offset = 0;
    while (!this.#isStopped) {
      const end = endOfPacket(bytes, offset);
      if (end > bytes.length) {
        this.#needed = end - offset;
        break;
      }
      const packet = packetAt(bytes, offset, end);
      offset = end;
      this.#onPacket(packet);
    }
    if (offset === bytes.length) return;
    this.#pending.push(bytes.subarray(offset));
    this.#pendingLength += bytes.length - offset;
  }
}

/** Where the packet at `offset` ends, its further parts included; beyond the bytes as far as they tell. */
function endOfPacket(bytes: Uint8Array, offset: number): number {
  let position = offset;
  for (;;) {
    if (position + HEADER_LENGTH > bytes.length) return position + HEADER_LENGTH;
    const length = bytes[position]! | (bytes[position + 1]! << 8) | (bytes[position + 2]! << 16);
    position += HEADER_LENGTH + length;
    if (length < PACKET_PAYLOAD_MAX) return position;
  }
}

function packetAt(bytes: Buffer, offset: number, end: number): InboxPacket {
  const sequence = bytes[offset + 3]!;
  if (end - offset < PACKET_PAYLOAD_MAX) {
    const payload = bytes.subarray(offset + HEADER_LENGTH, end);
    return { payload, sequence, sequenceNext: sequenceAfter(sequence) };
  }
  const { payload } = joinPackets(bytes, offset)!;
  return { payload, sequence, sequenceNext: sequenceAfter(sequence, packetCount(payload.length)) };
}
