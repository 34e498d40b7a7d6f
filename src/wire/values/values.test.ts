/** Values of both protocols from their bytes. What a real server sends for each type is in test/server/wire.test.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PacketWriter } from '../bytes/writer.ts';
import { CHARSET, COLUMN_FLAG, COLUMN_TYPE } from '../constants.ts';
import { WireError } from '../errors.ts';
import type { Column } from '../types.ts';
import { readBinaryRow, shortestFloat } from './binary.ts';
import { readTextRow } from './text.ts';

const { UNSIGNED } = COLUMN_FLAG;

function column(type: number, overrides: Partial<Column> = {}): Column {
  const plain = {
    name: 'c',
    table: '',
    schema: '',
    flags: 0,
    charset: CHARSET.UTF8MB4_GENERAL_CI,
    length: 0,
    decimals: 0,
  };
  return { ...plain, type, ...overrides };
}

function binary(bytes: string, one: Column): unknown {
  const row = Buffer.from(`0000${bytes}`, 'hex');
  return readBinaryRow(row, 0, row.length, [one])[0];
}

function text(value: string | Uint8Array, one: Column): unknown {
  const row = new PacketWriter().lenencBytes(Buffer.from(value)).payload();
  return readTextRow(row, 0, row.length, [one])[0];
}

describe('binary values ("Binary Protocol Value")', () => {
  const { TINY, SHORT, LONG, LONGLONG, INT24, YEAR, FLOAT, DOUBLE, DATE, TIME, DATETIME } = COLUMN_TYPE;
  test.each([
    { bytes: 'ff', type: TINY, value: -1, because: 'signed' },
    { bytes: 'ff', type: TINY, flags: UNSIGNED, value: 255, because: 'unsigned' },
    { bytes: '0080', type: SHORT, value: -32_768, because: 'signed' },
    { bytes: '0080', type: SHORT, flags: UNSIGNED, value: 32_768, because: 'unsigned' },
    { bytes: 'e807', type: YEAR, value: 2_024, because: 'two bytes' },
    { bytes: 'ffffffff', type: LONG, value: -1, because: 'signed' },
    { bytes: 'ffffffff', type: LONG, flags: UNSIGNED, value: 4_294_967_295, because: 'unsigned' },
    { bytes: '000080ff', type: INT24, value: -8_388_608, because: 'three bytes travel as four' },
    { bytes: 'ffffffffffffffff', type: LONGLONG, value: -1, because: 'small enough for a number' },
    { bytes: 'ffffffffffffffff', type: LONGLONG, flags: UNSIGNED, value: 2n ** 64n - 1n, because: 'exact as bigint' },
    { bytes: 'ffffffffffff1f00', type: LONGLONG, value: Number.MAX_SAFE_INTEGER, because: 'the last number' },
    { bytes: '0000000000002000', type: LONGLONG, value: 2n ** 53n, because: 'the first bigint' },
    { bytes: '0000000000000080', type: LONGLONG, value: -(2n ** 63n), because: 'the lowest' },
    { bytes: 'cdcccc3d', type: FLOAT, value: 0.1, because: 'not 0.10000000149011612' },
    { bytes: '000000000000f0bf', type: DOUBLE, value: -1, because: 'IEEE 754' },
    { bytes: '00', type: DATE, value: '0000-00-00', because: 'nothing stands for zero' },
    { bytes: '04da070a11', type: DATE, value: '2010-10-17', because: "the manual's date" },
    { bytes: '00', type: DATETIME, value: '0000-00-00 00:00:00', because: 'nothing stands for zero' },
    {
      bytes: '00',
      type: DATETIME,
      decimals: 3,
      value: '0000-00-00 00:00:00.000',
      because: 'as the text protocol shows',
    },
    { bytes: '04da070a11', type: DATETIME, value: '2010-10-17 00:00:00', because: 'no time stands for midnight' },
    {
      bytes: '07da070a11131b1e',
      type: DATETIME,
      decimals: 6,
      value: '2010-10-17 19:27:30.000000',
      because: 'no micros',
    },
    {
      bytes: '0bda070a11131b1e01000000',
      type: DATETIME,
      decimals: 6,
      value: '2010-10-17 19:27:30.000001',
      because: "the manual's datetime",
    },
    {
      bytes: '0bda070a11131b1e01000000',
      type: DATETIME,
      decimals: 31,
      value: '2010-10-17 19:27:30.000001',
      because: 'decimals not known: all of them',
    },
    {
      bytes: '0bda070a11131b1ea0860100',
      type: DATETIME,
      decimals: 1,
      value: '2010-10-17 19:27:30.1',
      because: 'one digit',
    },
    { bytes: '00', type: TIME, value: '00:00:00', because: 'nothing stands for zero' },
    {
      bytes: '0c0178000000131b1e01000000',
      type: TIME,
      decimals: 6,
      value: '-2899:27:30.000001',
      because: "the manual's time: -120 days 19:27:30.000001",
    },
    { bytes: '0801010000000a0000', type: TIME, value: '-34:00:00', because: 'days are hours' },
    { bytes: '080000000000011e0f', type: TIME, value: '01:30:15', because: 'positive' },
  ])('$bytes of type $type: $because', ({ bytes, type, value, flags = 0, decimals = 0 }) => {
    expect(binary(bytes, column(type, { flags, decimals }))).toStrictEqual(value);
  });

  test.each([
    {
      type: COLUMN_TYPE.JSON,
      charset: CHARSET.BINARY,
      value: 'ab',
      because: 'JSON of MySQL is text whatever its charset',
    },
    { type: COLUMN_TYPE.NEWDECIMAL, charset: CHARSET.BINARY, value: 'ab', because: 'DECIMAL is text' },
    {
      type: COLUMN_TYPE.BLOB,
      charset: CHARSET.UTF8MB4_GENERAL_CI,
      value: 'ab',
      because: 'TEXT is a BLOB with a charset',
    },
    { type: COLUMN_TYPE.BLOB, charset: CHARSET.BINARY, value: Buffer.from('ab'), because: 'BLOB' },
    { type: COLUMN_TYPE.STRING, charset: CHARSET.BINARY, value: Buffer.from('ab'), because: 'BINARY(2)' },
    { type: COLUMN_TYPE.BIT, charset: CHARSET.BINARY, value: Buffer.from('ab'), because: 'BIT' },
    { type: COLUMN_TYPE.GEOMETRY, charset: CHARSET.BINARY, value: Buffer.from('ab'), because: 'GEOMETRY' },
    { type: COLUMN_TYPE.VECTOR, charset: CHARSET.BINARY, value: Buffer.from('ab'), because: 'VECTOR' },
    { type: COLUMN_TYPE.ENUM, charset: CHARSET.UTF8MB4_GENERAL_CI, value: 'ab', because: 'ENUM' },
  ])('text or bytes, alike in both protocols: $because', ({ type, charset, value }) => {
    expect(binary('026162', column(type, { charset }))).toStrictEqual(value);
    expect(text('ab', column(type, { charset }))).toStrictEqual(value);
  });

  test('the NULL bitmap begins with its third bit, and goes on in further bytes', () => {
    const columns = Array.from({ length: 8 }, () => column(COLUMN_TYPE.TINY));
    const row = Buffer.from(`00${'0402'}${'070707070707'}`, 'hex');
    expect(readBinaryRow(row, 0, row.length, columns)).toEqual([null, 7, 7, 7, 7, 7, 7, null]);
  });

  test('bytes are copies: the chunk they lay in is written again', () => {
    const row = Buffer.from('0000026162', 'hex');
    const [value] = readBinaryRow(row, 0, row.length, [column(COLUMN_TYPE.BLOB, { charset: CHARSET.BINARY })]);
    row.fill(0);
    expect(value).toEqual(Buffer.from('ab'));
  });

  test.each([
    { bytes: '05da070a1100', type: DATE, because: 'a date of five bytes' },
    { bytes: '09da070a11131b1e0000', type: DATETIME, because: 'a datetime of nine' },
    { bytes: '0700', type: TIME, because: 'a time of seven' },
    { bytes: '01', type: LONG, because: 'cut short' },
    { bytes: '0100000000', type: LONG, because: 'too long' },
    { bytes: '056162', type: COLUMN_TYPE.BLOB, because: 'longer than the row' },
    { bytes: '01', type: COLUMN_TYPE.NULL, because: 'a value where only NULL can be' },
  ])('refused: $because', ({ bytes, type }) => {
    expect(() => binary(bytes, column(type))).toThrow(WireError);
  });
});

describe('text values', () => {
  const { LONGLONG, TINY, DOUBLE, YEAR, DATETIME } = COLUMN_TYPE;
  test.each([
    { value: '00042', type: TINY, is: 42, because: 'ZEROFILL pads' },
    { value: '-9223372036854775808', type: LONGLONG, is: -(2n ** 63n), because: 'exact' },
    { value: '18446744073709551615', type: LONGLONG, is: 2n ** 64n - 1n, because: 'exact' },
    { value: '9007199254740991', type: LONGLONG, is: Number.MAX_SAFE_INTEGER, because: 'the last number' },
    { value: '9007199254740992', type: LONGLONG, is: 2n ** 53n, because: 'the first bigint' },
    { value: '00000000000000000007', type: LONGLONG, is: 7, because: 'long by ZEROFILL, yet small' },
    { value: '1.7976931348623157e308', type: DOUBLE, is: Number.MAX_VALUE, because: 'with exponent' },
    { value: '0000', type: YEAR, is: 0, because: 'the zero year' },
    { value: '0000-00-00 00:00:00', type: DATETIME, is: '0000-00-00 00:00:00', because: 'dates stay text' },
  ])('$value: $because', ({ value, type, is }) => {
    expect(text(value, column(type))).toStrictEqual(is);
  });

  test.each([
    { value: '', type: LONGLONG },
    { value: '1e3', type: LONGLONG },
    { value: '', type: DOUBLE },
    { value: 'nan', type: DOUBLE },
  ])('"$value" is refused as type $type', ({ value, type }) => {
    expect(() => text(value, column(type))).toThrow(WireError);
  });
});

describe('laws', () => {
  test('a FLOAT read is the same FLOAT, in its fewest digits', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const shown = shortestFloat(value);
        expect(Math.fround(shown)).toBe(value);
        expect(String(shown).length).toBeLessThanOrEqual(String(value).length);
      }),
      { numRuns: 2_000 },
    );
  });

  test('any 64-bit integer reads alike in both protocols', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const one = column(COLUMN_TYPE.LONGLONG);
        const read = binary(new PacketWriter().u64(BigInt.asUintN(64, value)).payload().toString('hex'), one);
        expect(BigInt(read as number | bigint)).toBe(value);
        expect(text(String(value), one)).toBe(read);
      }),
    );
  });

  test('random rows of random columns are read or refused with a WireError', () => {
    const anyColumn = fc
      .record({ type: fc.nat({ max: 255 }), flags: fc.nat({ max: 0xffff }), charset: fc.constantFrom(45, 63) })
      .map(({ type, ...rest }) => column(type, rest));
    fc.assert(
      fc.property(
        fc.array(anyColumn, { minLength: 1, maxLength: 10 }),
        fc.uint8Array({ maxLength: 60 }),
        (columns, bytes) => {
          for (const readRow of [readBinaryRow, readTextRow]) {
            try {
              expect(readRow(Buffer.from(bytes), 0, bytes.length, columns)).toHaveLength(columns.length);
            } catch (error) {
              expect(error).toBeInstanceOf(WireError);
            }
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
