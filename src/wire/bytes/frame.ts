/**
 * Packets on the wire: three bytes of payload length, one of sequence, the payload (MySQL internals, "MySQL Packets").
 * A payload of 2^24 - 1 bytes or more goes as several packets, the last of which is shorter, if need be empty.
 */
import { WireError } from '../errors.ts';

export const HEADER_LENGTH = 4;
/** The longest payload of one packet; a packet of exactly this length says that another follows. */
export const PACKET_PAYLOAD_MAX = 0xff_ffff;

/** How many packets a payload of this length takes. */
export function packetCount(payloadLength: number): number {
  return Math.floor(payloadLength / PACKET_PAYLOAD_MAX) + 1;
}

/** The sequence number is one byte and wraps around. */
export function sequenceAfter(sequence: number, packets = 1): number {
  return (sequence + packets) & 0xff;
}

export function writeHeader(target: Uint8Array, offset: number, payloadLength: number, sequence: number): void {
  target[offset] = payloadLength & 0xff;
  target[offset + 1] = (payloadLength >>> 8) & 0xff;
  target[offset + 2] = payloadLength >>> 16;
  target[offset + 3] = sequence;
}

/** The payload with its header or headers, in a buffer of its own. `sequence` is that of the first packet. */
export function framePayload(payload: Uint8Array, sequence: number): Buffer {
  const packets = packetCount(payload.length);
  const framed = Buffer.allocUnsafe(payload.length + packets * HEADER_LENGTH);
  let target = 0;
  for (let index = 0; index < packets; index++) {
    const part = payload.subarray(index * PACKET_PAYLOAD_MAX, (index + 1) * PACKET_PAYLOAD_MAX);
    writeHeader(framed, target, part.length, sequenceAfter(sequence, index));
    framed.set(part, target + HEADER_LENGTH);
    target += HEADER_LENGTH + part.length;
  }
  return framed;
}

export interface JoinedPacket {
  readonly payload: Buffer;
  /** Of the first packet. */
  readonly sequence: number;
  /** Where the next packet begins. */
  readonly end: number;
}

/**
 * The payload that begins at `offset`, its parts joined; undefined while bytes are missing. For whoever has time to
 * copy; the client's own path is `channel.ts`.
 */
export function joinPackets(bytes: Uint8Array, offset = 0): JoinedPacket | undefined {
  const parts: Uint8Array[] = [];
  const sequence = bytes[offset + 3] ?? 0;
  for (let position = offset; position + HEADER_LENGTH <= bytes.length; ) {
    const length = bytes[position]! | (bytes[position + 1]! << 8) | (bytes[position + 2]! << 16);
    if (bytes[position + 3] !== sequenceAfter(sequence, parts.length)) {
      throw new WireError('protocol', 'The parts of a long packet are out of order.');
    }
    const end = position + HEADER_LENGTH + length;
    if (end > bytes.length) return undefined;
    parts.push(bytes.subarray(position + HEADER_LENGTH, end));
    if (length < PACKET_PAYLOAD_MAX) return { payload: Buffer.concat(parts), sequence, end };
    position = end;
  }
  return undefined;
}
