import { describe, expect, test } from 'vitest';
import { framePayload, joinPackets, PACKET_PAYLOAD_MAX, packetCount, sequenceAfter } from './frame.ts';
import { PacketWriter } from './writer.ts';

describe('packets', () => {
  test('COM_QUIT as the manual prints it', () => {
    expect(framePayload(Uint8Array.of(1), 0).toString('hex')).toBe('0100000001');
  });

  test.each([
    { length: 0, lengths: [0], because: 'an empty payload is one empty packet' },
    { length: PACKET_PAYLOAD_MAX - 1, lengths: [PACKET_PAYLOAD_MAX - 1], because: 'just short enough for one' },
    {
      length: PACKET_PAYLOAD_MAX,
      lengths: [PACKET_PAYLOAD_MAX, 0],
      because: 'a full packet needs an empty one after it',
    },
    { length: PACKET_PAYLOAD_MAX + 5, lengths: [PACKET_PAYLOAD_MAX, 5], because: 'the rest goes into the second' },
    {
      length: 2 * PACKET_PAYLOAD_MAX,
      lengths: [PACKET_PAYLOAD_MAX, PACKET_PAYLOAD_MAX, 0],
      because: 'two full packets need an empty one too',
    },
  ])('$length bytes: $because', ({ length, lengths }) => {
    const payload = Buffer.alloc(length, 'x');
    const framed = framePayload(payload, 255);
    const found: { length: number; sequence: number }[] = [];
    for (let offset = 0; offset < framed.length; offset += 4 + found.at(-1)!.length) {
      found.push({ length: framed.readUIntLE(offset, 3), sequence: framed[offset + 3]! });
    }
    const sequences = [255, 0, 1];
    expect(found).toEqual(lengths.map((one, index) => ({ length: one, sequence: sequences[index] })));
    expect(packetCount(length)).toBe(lengths.length);
    expect(joinPackets(framed)).toMatchObject({ sequence: 255, end: framed.length });
    expect(joinPackets(framed)!.payload.equals(payload)).toBe(true);
  });

  test('nothing is joined while a byte is missing', () => {
    const framed = framePayload(Buffer.from('abc'), 7);
    for (let length = 0; length < framed.length; length++)
      expect(joinPackets(framed.subarray(0, length))).toBeUndefined();
  });

  test('the parts of a long packet must follow each other', () => {
    const framed = framePayload(Buffer.alloc(PACKET_PAYLOAD_MAX + 1), 3);
    framed[4 + PACKET_PAYLOAD_MAX + 3] = 9;
    expect(() => joinPackets(framed)).toThrow('out of order');
  });

  test('the sequence wraps around', () => {
    expect(sequenceAfter(255)).toBe(0);
    expect(sequenceAfter(254, 300)).toBe((254 + 300) % 256);
  });

  test('a writer frames what it holds', () => {
    expect(new PacketWriter().u8(0x0e).toPacket(2).toString('hex')).toBe('010000020e');
  });
});
