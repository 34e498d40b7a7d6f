import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INSERT_FORMAT, LOAD_DATA_FORMAT, type RowFormat, RowWriter } from './rows-writer.ts';

function written(format: RowFormat, write: (writer: RowWriter) => void): string {
  const writer = new RowWriter(format);
  writer.open(Buffer.alloc(4_096), 0);
  writer.startRow();
  write(writer);
  writer.endRow();
  return writer.bytes.toString('latin1', 0, writer.at);
}

const mixed = (writer: RowWriter) => {
  writer.integer(7);
  writer.null();
  writer.text(Buffer.from('abc'));
  writer.decimal(5, 2);
  writer.literal(Buffer.from('-10.00'));
};

test.each([
  { name: 'INSERT', format: INSERT_FORMAT, row: "(7,NULL,'abc',0.05,-10.00)," },
  { name: 'LOAD DATA', format: LOAD_DATA_FORMAT, row: '7\t\\N\tabc\t0.05\t-10.00\n' },
])('a row for $name', ({ format, row }) => {
  expect(written(format, mixed)).toBe(row);
});

test('integers are what they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (value) => {
      return written(LOAD_DATA_FORMAT, (writer) => writer.integer(value)) === `${value}\n`;
    }),
  );
});

test('decimals are what they are, with all their places', () => {
  const cases = fc.record({ value: fc.integer({ min: 0, max: 2 ** 31 - 1 }), decimals: fc.constantFrom(2, 4) });
  fc.assert(
    fc.property(cases, ({ value, decimals }) => {
      const text = written(LOAD_DATA_FORMAT, (writer) => writer.decimal(value, decimals)).trimEnd();
      const [whole, rest] = text.split('.');
      return rest?.length === decimals && `${whole}${rest}`.replace(/^0+(?=\d)/, '') === String(value);
    }),
  );
});

test('long and short pieces of text are copied alike', () => {
  const source = Buffer.from('x'.repeat(50) + 'y'.repeat(500));
  for (const length of [1, 63, 64, 65, 500]) {
    const text = written(INSERT_FORMAT, (writer) => writer.slice(source, 10, length));
    expect(text).toBe(`('${source.toString('latin1', 10, 10 + length)}'),`);
  }
});
