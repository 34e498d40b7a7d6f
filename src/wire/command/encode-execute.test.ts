/** COM_STMT_EXECUTE byte by byte, and the request buffer under it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HEADER_LENGTH } from '../bytes/frame.ts';
import { PacketReader } from '../bytes/reader.ts';
import type { SqlParameter } from '../types.ts';
import { encodeExecute, newParameterTypes } from './encode-execute.ts';
import { RequestBuffer, textBytesMax, writeLenencText } from './request-buffer.ts';

function encode(parameters: readonly SqlParameter[], types = newParameterTypes(1, parameters.length)): string {
  const out = new RequestBuffer();
  const end = encodeExecute(out, types, parameters);
  return out.bytes.subarray(HEADER_LENGTH, end).toString('hex');
}

/** Command, statement 1, no cursor, one iteration. */
const HEAD = '17' + '01000000' + '00' + '01000000';

describe('COM_STMT_EXECUTE', () => {
  test("the manual's example: one text parameter", () => {
    expect(encode(['foo'])).toBe(`${HEAD}00${'01'}fd00${'03666f6f'}`);
  });

  test('no parameters: neither bitmap nor types', () => {
    expect(encode([])).toBe(HEAD);
  });

  test.each<{ value: SqlParameter; bytes: string; because: string }>([
    { value: 1, bytes: '0300' + '01000000', because: 'small integers are LONG' },
    { value: -1, bytes: '0300' + 'ffffffff', because: 'negative too' },
    { value: 2_147_483_647, bytes: '0300' + 'ffffff7f', because: 'up to 2^31 - 1' },
    { value: 2_147_483_648, bytes: '0800' + '0000008000000000', because: 'then LONGLONG' },
    { value: -2_147_483_648, bytes: '0300' + '00000080', because: 'down to -2^31' },
    { value: -2_147_483_649, bytes: '0800' + 'ffffff7fffffffff', because: 'then LONGLONG' },
    { value: Number.MAX_SAFE_INTEGER, bytes: '0800' + 'ffffffffffff1f00', because: 'the last exact one' },
    { value: Number.MIN_SAFE_INTEGER, bytes: '0800' + '010000000000e0ff', because: 'and the first' },
    { value: 2 ** 53, bytes: '0500' + '0000000000004043', because: 'no longer exact: DOUBLE' },
    { value: 0.5, bytes: '0500' + '000000000000e03f', because: 'fractions are DOUBLE' },
    { value: 2n ** 63n - 1n, bytes: '0800' + 'ffffffffffffff7f', because: 'bigint is exact' },
    { value: -(2n ** 63n), bytes: '0800' + '0000000000000080', because: 'to the lowest' },
    { value: 2n ** 63n, bytes: '0880' + '0000000000000080', because: 'beyond it the type is unsigned' },
    { value: true, bytes: '0100' + '01', because: 'a boolean is TINY' },
    { value: false, bytes: '0100' + '00', because: 'a boolean is TINY' },
    { value: '', bytes: 'fd00' + '00', because: 'an empty text is not NULL' },
    { value: 'é€😀', bytes: 'fd00' + '09' + 'c3a9e282acf09f9880', because: 'the length counts UTF-8 bytes' },
    { value: Uint8Array.of(0, 255), bytes: 'fc00' + '02' + '00ff', because: 'bytes are BLOB' },
  ])('$value: $because', ({ value, bytes }) => {
    expect(encode([value])).toBe(`${HEAD}0001${bytes}`);
  });

  test('NULL is a bit, and has no value', () => {
    expect(encode([null, 1, ...Array<null>(7).fill(null)])).toBe(
      `${HEAD}${'fd01'}01${'0600'}${'0300'}${'0600'.repeat(7)}${'01000000'}`,
    );
  });

  test('types go along only where they differ from those before', () => {
    const types = newParameterTypes(1, 2);
    expect(encode([1, 'a'], types)).toBe(`${HEAD}00${'01'}0300fd00${'01000000'}${'0161'}`);
    expect(encode([2, 'b'], types)).toBe(`${HEAD}00${'00'}${'02000000'}${'0162'}`);
    expect(encode([null, 'c'], types)).toBe(`${HEAD}01${'00'}${'0163'}`);
    expect(encode([2 ** 40, 'd'], types)).toBe(`${HEAD}00${'01'}0800fd00${'0000000000010000'}${'0164'}`);
    types.areSent = false; // As after an error.
    expect(encode([2 ** 40, 'e'], types)).toBe(`${HEAD}00${'01'}0800fd00${'0000000000010000'}${'0165'}`);
  });

  test.each([
    { is: 'too few', parameters: [1] },
    { is: 'too many', parameters: [1, 2, 3] },
    { is: 'undefined', parameters: [1, undefined as unknown as null] },
    { is: 'an object', parameters: [1, new Date(0) as unknown as null] },
    { is: 'a number of more than 64 bits', parameters: [1, 2n ** 64n] },
  ])('our mistake: $is', ({ parameters }) => {
    expect(() => encode(parameters, newParameterTypes(1, 2))).toThrow('Assertion failed');
  });
});

describe('texts', () => {
  test.each([0, 39, 40, 41, 83, 84, 250, 251, 5_461, 5_462, 16_384, 16_385, 65_535, 65_536])(
    'of %i units',
    (length) => {
      for (const unit of ['a', 'é', '€', '😀']) {
        const text = unit.repeat(Math.ceil(length / unit.length));
        const out = new RequestBuffer();
        out.reserve(textBytesMax(text));
        const end = writeLenencText(out.bytes, HEADER_LENGTH, text);
        const reader = new PacketReader(out.bytes, HEADER_LENGTH, end);
        expect(reader.lenencText()).toBe(text);
        expect(reader.remaining).toBe(0);
      }
    },
  );

  test('any text reads back, wherever its first letter beyond ASCII stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const out = new RequestBuffer();
        const end = encodeExecute(out, newParameterTypes(9, 1), [text]);
        const reader = new PacketReader(out.bytes, HEADER_LENGTH + 14, end);
        expect(reader.lenencText()).toBe(text);
      }),
    );
  });
});

describe('the request buffer', () => {
  test('keeps a small buffer, and lets go of a large one', () => {
    const out = new RequestBuffer();
    const small = out.bytes;
    out.reserve(100);
    expect(out.bytes).toBe(small);
    out.reserve(1_000_000);
    expect(out.bytes.length).toBeGreaterThan(1_000_000);
    out.reserve(100);
    expect(out.bytes.length).toBeLessThan(1_000);
  });
});
