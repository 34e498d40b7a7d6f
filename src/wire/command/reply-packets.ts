/** What the packets of a reply have in common. */
import { REPLY } from '../constants.ts';
import { WireError } from '../errors.ts';

/** "EOF_Packet": five bytes. */
const EOF_LENGTH = 5;

export function isEofPacket(buffer: Buffer, start: number, end: number): boolean {
  return buffer[start] === REPLY.EOF && end - start === EOF_LENGTH;
}

/** `how` completes the sentence "a packet from the server …". */
export function malformed(how: string): WireError {
  return new WireError('protocol', `Malformed reply: a packet from the server ${how}.`);
}
