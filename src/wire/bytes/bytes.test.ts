/** Reader and writer against the manual's tables, and against each other. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WireError } from '../errors.ts';
import { PacketReader } from './reader.ts';
import { PacketWriter } from './writer.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('length-encoded integers', () => {
  test.each([
    { value: 0, bytes: '00', because: 'one byte is the value itself' },
    { value: 250, bytes: 'fa', because: 'one byte holds up to 250: 251 to 255 mean other things' },
    { value: 251, bytes: 'fcfb00', because: '251 needs the two-byte form' },
    { value: 65_535, bytes: 'fcffff', because: 'the last of two bytes' },
    { value: 65_536, bytes: 'fd000001', because: 'then three bytes' },
    { value: 16_777_215, bytes: 'fdffffff', because: 'the last of three bytes' },
    { value: 16_777_216, bytes: 'fe0000000100000000', because: 'then eight bytes' },
    { value: Number.MAX_SAFE_INTEGER, bytes: 'feffffffffffff1f00', because: 'the largest exact number' },
  ])('$value: $because', ({ value, bytes }) => {
    expect(hex(new PacketWriter().lenencInteger(value).payload())).toBe(bytes);
    expect(new PacketReader(Buffer.from(bytes, 'hex')).lenencInteger()).toBe(value);
  });

  test('a longer form than needed is read all the same', () => {
    expect(new PacketReader(Buffer.from('fd050000', 'hex')).lenencInteger()).toBe(5);
  });

  test('above 2^53 the value is rounded, not wrapped', () => {
    expect(new PacketReader(Buffer.from('feffffffffffffffff', 'hex')).lenencInteger()).toBe(2 ** 64);
  });

  test.each([
    { bytes: 'fb', because: '0xfb is NULL in rows, no integer' },
    { bytes: 'ff', because: '0xff begins an error' },
    { bytes: 'fc01', because: 'a byte is missing' },
    { bytes: 'fe01020304050607', because: 'the eighth byte is missing' },
    { bytes: '', because: 'there is nothing' },
  ])('refused: $because', ({ bytes }) => {
    expect(() => new PacketReader(Buffer.from(bytes, 'hex')).lenencInteger()).toThrow(WireError);
  });
});

describe('strings', () => {
  test.each([
    { write: (w: PacketWriter) => w.lenencText('é'), bytes: '02c3a9', because: 'the length counts bytes, not letters' },
    { write: (w: PacketWriter) => w.lenencBytesOrNull(null), bytes: 'fb', because: 'NULL has no length' },
    { write: (w: PacketWriter) => w.lenencText(''), bytes: '00', because: 'an empty text is not NULL' },
    { write: (w: PacketWriter) => w.nulTerminatedText('root'), bytes: '726f6f7400', because: 'zero ends it' },
  ])('$bytes: $because', ({ write, bytes }) => {
    expect(hex(write(new PacketWriter()).payload())).toBe(bytes);
  });

  test('NULL and the empty text are read apart', () => {
    const reader = new PacketReader(Buffer.from('fb00', 'hex'));
    expect(reader.lenencBytesOrNull()).toBeNull();
    expect(reader.lenencBytesOrNull()).toEqual(Buffer.alloc(0));
  });

  test('a length beyond the packet is refused, also where memory goes on', () => {
    expect(() => new PacketReader(Buffer.from('05aaaaaaaaaa', 'hex'), 0, 3).lenencBytes()).toThrow('Truncated packet');
  });

  test('a string whose zero lies beyond the packet has no end', () => {
    expect(() => new PacketReader(Buffer.from('616200', 'hex'), 0, 2).nulTerminated()).toThrow('has no end');
  });

  test('a zero byte inside a zero-terminated string is a mistake of ours', () => {
    expect(() => new PacketWriter().nulTerminatedText('a\0b')).toThrow('Assertion failed');
  });
});

type Field =
  | { kind: 'u8' | 'u16' | 'u24' | 'u32' | 'lenenc'; value: number }
  | { kind: 'u64'; value: bigint }
  | BytesField;
type BytesField =
  | { kind: 'bytes'; value: Uint8Array }
  | { kind: 'text'; value: string }
  | { kind: 'nul'; value: string };

const field: fc.Arbitrary<Field> = fc.oneof(
  fc.record({ kind: fc.constant('u8' as const), value: fc.nat({ max: 0xff }) }),
  fc.record({ kind: fc.constant('u16' as const), value: fc.nat({ max: 0xffff }) }),
  fc.record({ kind: fc.constant('u24' as const), value: fc.nat({ max: 0xff_ffff }) }),
  fc.record({ kind: fc.constant('u32' as const), value: fc.nat({ max: 0xffff_ffff }) }),
  fc.record({ kind: fc.constant('u64' as const), value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) }),
  fc.record({ kind: fc.constant('lenenc' as const), value: fc.maxSafeNat() }),
  fc.record({ kind: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 70_000 }) }),
  fc.record({ kind: fc.constant('text' as const), value: fc.string({ unit: 'grapheme' }) }),
  fc.record({ kind: fc.constant('nul' as const), value: fc.string({ unit: 'grapheme-ascii' }) }),
);

function write(writer: PacketWriter, { kind, value }: Field): void {
  switch (kind) {
    case 'lenenc':
      writer.lenencInteger(value);
      break;
    case 'bytes':
      writer.lenencBytes(value);
      break;
    case 'text':
      writer.lenencText(value);
      break;
    case 'nul':
      writer.nulTerminatedText(value);
      break;
    case 'u64':
      writer.u64(value);
      break;
    default:
      writer[kind](value);
  }
}

function read(reader: PacketReader, { kind }: Field): unknown {
  switch (kind) {
    case 'lenenc':
      return reader.lenencInteger();
    case 'bytes':
      return Uint8Array.from(reader.lenencBytes());
    case 'text':
      return reader.lenencText();
    case 'nul':
      return reader.nulTerminatedText();
    default:
      return reader[kind]();
  }
}

test('whatever is written reads back, in order, to the last byte', () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 20 }), (fields) => {
      const writer = new PacketWriter();
      for (const one of fields) write(writer, one);
      const reader = new PacketReader(writer.payload());
      for (const one of fields) expect(read(reader, one)).toEqual(one.value);
      expect(reader.remaining).toBe(0);
    }),
  );
});

test('random bytes are read or refused with a WireError, never otherwise', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(field, { maxLength: 10 }), (bytes, fields) => {
      const reader = new PacketReader(bytes);
      try {
        for (const one of fields) read(reader, one);
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
      expect(reader.remaining).toBeGreaterThanOrEqual(0);
    }),
  );
});
