/** Length-encoded integers where they lie in a buffer. Hot: no cursor, no allocation. */
import { WireError } from '../errors.ts';

const UINT32_SPAN = 0x1_0000_0000;

/** Hot: bytes that the integer at `offset` takes. 0xfb (NULL) and 0xff are none. */
export function lenencSizeAt(buffer: Buffer, offset: number): number {
  const first = buffer[offset]!;
  if (first < 0xfb) return 1;
  if (first === 0xfc) return 3;
  if (first === 0xfd) return 4;
  if (first === 0xfe) return 9;
  throw new WireError('protocol', 'Malformed packet: this is no length-encoded integer.');
}

/** Hot: its value; above 2^53 rounded. The caller has checked with `lenencSizeAt` that it is all there. */
export function lenencAt(buffer: Buffer, offset: number): number {
  const first = buffer[offset]!;
  if (first < 0xfb) return first;
  if (first === 0xfc) return buffer[offset + 1]! | (buffer[offset + 2]! << 8);
  if (first === 0xfd) return buffer[offset + 1]! | (buffer[offset + 2]! << 8) | (buffer[offset + 3]! << 16);
  return buffer.readUInt32LE(offset + 5) * UINT32_SPAN + buffer.readUInt32LE(offset + 1);
}
