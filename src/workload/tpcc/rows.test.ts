import { describe, expect, test } from 'vitest';
import { fits, isUniform } from '../../../test/support/chi-square.ts';
import type { DeviationName } from './deviations.ts';
import { drawConstants, LAST_NAME_A, lastName } from './nurand.ts';
import { createRowSource, openRows, type RowSource, type Stretch } from './rows.ts';
import { INSERT_FORMAT, LOAD_DATA_FORMAT, type RowFormat, RowWriter } from './rows-writer.ts';
import { columnsOf, type TableName, tableSet } from './tables.ts';

interface Settings {
  readonly seed?: number;
  readonly deviations?: readonly DeviationName[];
  readonly isSysbench?: boolean;
  readonly number?: number;
  readonly hasHistoryId?: boolean;
}

function source({ seed = 1, deviations = [], isSysbench = false, number = 1, hasHistoryId }: Settings = {}): RowSource {
  const on = new Set(deviations);
  return createRowSource({
    seed,
    set: tableSet(isSysbench ? 'sysbench-tpcc' : 'spec', number),
    constants: drawConstants(seed, on),
    deviations: on,
    hasHistoryId: hasHistoryId ?? false,
  });
}

function bytesOf(rows: RowSource, stretch: Stretch, format: RowFormat): string {
  const stream = openRows(rows, stretch);
  const writer = new RowWriter(format);
  const buffer = Buffer.alloc(64 * 1024);
  let text = '';
  for (let hasMore = true; hasMore; ) {
    writer.open(buffer, 0);
    while (hasMore && writer.hasRoom) hasMore = stream(writer);
    text += buffer.toString('latin1', 0, writer.at);
  }
  return text;
}

type Row = Readonly<Record<string, string>>;

function rowsOf(rows: RowSource, stretch: Stretch): Row[] {
  const columns = columnsOf(stretch.table);
  const lines = bytesOf(rows, stretch, LOAD_DATA_FORMAT).trimEnd().split('\n');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((value, index) => [columns[index], value])));
}

const SPEC = source();
const STOCK = rowsOf(SPEC, { table: 'stock', warehouse: 1, from: 1, to: 20_000 });
const ITEM = rowsOf(SPEC, { table: 'item', warehouse: 0 });
const CUSTOMER = rowsOf(SPEC, { table: 'customer', warehouse: 2, district: 3 });
const ORDERS = rowsOf(SPEC, { table: 'orders', warehouse: 2, district: 3 });
const LINES = rowsOf(SPEC, { table: 'order_line', warehouse: 2, district: 3 });

function numbersOf(rows: readonly Row[], column: string): number[] {
  return rows.map((row) => Number(row[column]));
}

function countsOf(numbers: readonly number[], from: number, to: number): number[] {
  const counts = Array<number>(to - from + 1).fill(0);
  for (const number of numbers) counts[number - from]!++;
  return counts;
}

/** Is this share within four standard deviations of what is wanted? */
function isShare(rows: readonly Row[], holds: (row: Row) => boolean, share: number): boolean {
  const found = rows.filter(holds).length;
  return fits([found, rows.length - found], [rows.length * share, rows.length * (1 - share)]);
}

describe('items', () => {
  test('are 100,000, in order', () => {
    expect(numbersOf(ITEM, 'i_id')).toEqual(Array.from({ length: 100_000 }, (_, index) => index + 1));
  });

  test('have names, prices and pictures of the right range', () => {
    expect(ITEM.every(({ i_name }) => /^[A-Za-z0-9]{14,24}$/.test(i_name!))).toBe(true);
    expect(ITEM.every(({ i_data }) => /^[A-Za-z0-9]{26,50}$/.test(i_data!))).toBe(true);
    const prices = numbersOf(ITEM, 'i_price');
    expect([Math.min(...prices), Math.max(...prices)]).toEqual([1, 100]);
    expect(isUniform(countsOf(numbersOf(ITEM, 'i_im_id'), 1, 10_000))).toBe(true);
  });

  test('hold ORIGINAL in one of ten, at a random place', () => {
    expect(isShare(ITEM, ({ i_data }) => i_data!.includes('ORIGINAL'), 0.1)).toBe(true);
    const places = ITEM.map(({ i_data }) => i_data!.indexOf('ORIGINAL')).filter((place) => place >= 0);
    expect([Math.min(...places), Math.max(...places)]).toEqual([0, 42]);
  });
});

describe('stock', () => {
  test('has ten texts of 24 characters, all its own, and counters at 0', () => {
    const texts = STOCK.slice(0, 1_000).flatMap((row) =>
      columnsOf('stock')
        .slice(3, 13)
        .map((column) => row[column]!),
    );
    expect(texts.every((text) => /^[A-Za-z0-9]{24}$/.test(text))).toBe(true);
    // Windows on a pool of a million: two of ten thousand are the same now and then.
    expect(new Set(texts).size).toBeGreaterThan(9_900);
    expect(
      STOCK.every((row) => row['s_ytd'] === '0' && row['s_order_cnt'] === '0' && row['s_remote_cnt'] === '0'),
    ).toBe(true);
  });

  test('has quantities from 10 to 100, and ORIGINAL in one of ten', () => {
    expect(isUniform(countsOf(numbersOf(STOCK, 's_quantity'), 10, 100))).toBe(true);
    expect(isShare(STOCK, ({ s_data }) => s_data!.includes('ORIGINAL'), 0.1)).toBe(true);
  });
});

describe('customers', () => {
  test('have the thousand names in order, then names by NURand with the constant of the load', () => {
    const names = CUSTOMER.map(({ c_last }) => c_last);
    expect(names.slice(0, 1_000)).toEqual(Array.from({ length: 1_000 }, (_, number) => lastName(number)));
    const all = [1, 2, 3].flatMap((district) =>
      rowsOf(SPEC, { table: 'customer', warehouse: 1, district }).slice(1_000),
    );
    // The most favoured name is that of the number with all bits of A set, moved by C.
    const { lastNameLoad } = drawConstants(1, new Set());
    const favourite = lastName((LAST_NAME_A + lastNameLoad) % 1_000);
    const drawn = all.filter(({ c_last }) => c_last === favourite).length;
    expect(drawn / all.length).toBeGreaterThan(0.02);
  });

  test('have bad credit in one of ten', () => {
    const all = [1, 2, 3, 4].flatMap((district) => rowsOf(SPEC, { table: 'customer', warehouse: 9, district }));
    expect(isShare(all, ({ c_credit }) => c_credit === 'BC', 0.1)).toBe(true);
    expect(all.every(({ c_credit }) => c_credit === 'BC' || c_credit === 'GC')).toBe(true);
  });

  test('have addresses, money and data as laid down', () => {
    const patterns = {
      c_first: /^[A-Za-z0-9]{8,16}$/,
      c_middle: /^OE$/,
      c_zip: /^\d{4}11111$/,
      c_state: /^[A-Z]{2}$/,
      c_phone: /^\d{16}$/,
      c_data: /^[A-Za-z0-9]{300,500}$/,
      c_discount: /^0\.[0-4]\d{3}$|^0\.5000$/,
      c_credit_lim: /^50000$/,
      c_balance: /^-10\.00$/,
      c_ytd_payment: /^10\.00$/,
      c_payment_cnt: /^1$/,
      c_delivery_cnt: /^0$/,
    };
    for (const [column, pattern] of Object.entries(patterns)) {
      expect(
        CUSTOMER.find((row) => !pattern.test(row[column] ?? '')),
        column,
      ).toBeUndefined();
    }
  });
});

describe('orders', () => {
  test('are of each customer once, in an order of their own for each district', () => {
    const customers = numbersOf(ORDERS, 'o_c_id');
    expect([...customers].sort((a, b) => a - b)).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1));
    const others = numbersOf(rowsOf(SPEC, { table: 'orders', warehouse: 2, district: 4 }), 'o_c_id');
    expect(customers.filter((customer, index) => customer === others[index]).length).toBeLessThan(10);
    // A permutation at random leaves one customer in place, on the average.
    expect(customers.filter((customer, index) => customer === index + 1).length).toBeLessThan(8);
  });

  test('have a carrier up to 2,100, and 5 to 15 lines', () => {
    expect(ORDERS.every((row) => (row['o_carrier_id'] === '\\N') === Number(row['o_id']) > 2_100)).toBe(true);
    expect(isUniform(countsOf(numbersOf(ORDERS, 'o_ol_cnt'), 5, 15))).toBe(true);
    expect(isUniform(countsOf(numbersOf(ORDERS.slice(0, 2_100), 'o_carrier_id'), 1, 10))).toBe(true);
  });

  test('have as many lines as they say, numbered from 1', () => {
    const lines = ORDERS.flatMap(({ o_id, o_ol_cnt }) =>
      Array.from({ length: Number(o_ol_cnt) }, (_, index) => `${o_id} ${index + 1}`),
    );
    expect(LINES.map(({ ol_o_id, ol_number }) => `${ol_o_id} ${ol_number}`)).toEqual(lines);
  });

  test('have lines that are delivered and free, or open and priced', () => {
    const isRight = (row: Row) => {
      const isDelivered = Number(row['ol_o_id']) <= 2_100;
      return (row['ol_delivery_d'] !== '\\N') === isDelivered && (row['ol_amount'] === '0.00') === isDelivered;
    };
    expect(LINES.find((row) => !isRight(row))).toBeUndefined();
    expect(LINES.every((row) => row['ol_supply_w_id'] === '2' && row['ol_quantity'] === '5')).toBe(true);
    const amounts = numbersOf(LINES, 'ol_amount');
    expect(Math.max(...amounts)).toBeLessThanOrEqual(9_999.99);
    expect(Math.max(...amounts)).toBeGreaterThan(9_900);
    const tenths = numbersOf(LINES, 'ol_i_id').map((item) => Math.floor((item - 1) / 10_000));
    expect(isUniform(countsOf(tenths, 0, 9))).toBe(true);
  });

  test('from 2,101 on are open', () => {
    const open = rowsOf(SPEC, { table: 'new_order', warehouse: 2, district: 3 });
    expect(numbersOf(open, 'no_o_id')).toEqual(Array.from({ length: 900 }, (_, index) => 2_101 + index));
  });
});

test('warehouses and districts begin with the sums of their payments', () => {
  const [warehouse] = rowsOf(SPEC, { table: 'warehouse', warehouse: 5 });
  expect(warehouse).toMatchObject({
    w_id: '5',
    w_ytd: '300000.00',
    w_tax: expect.stringMatching(/^0\.[01]\d{3}$|^0\.2000$/),
  });
  const districts = rowsOf(SPEC, { table: 'district', warehouse: 5 });
  expect(numbersOf(districts, 'd_id')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(districts.every((row) => row['d_ytd'] === '30000.00' && row['d_next_o_id'] === '3001')).toBe(true);
});

describe('a row', () => {
  const PARTS: readonly Stretch[] = [
    { table: 'stock', warehouse: 1, from: 1, to: 33 },
    { table: 'stock', warehouse: 1, from: 34, to: 100 },
  ];

  test('is the same in whatever stretch it is made', () => {
    const inParts = PARTS.map((part) => bytesOf(SPEC, part, LOAD_DATA_FORMAT)).join('');
    expect(inParts).toBe(bytesOf(SPEC, { table: 'stock', warehouse: 1, from: 1, to: 100 }, LOAD_DATA_FORMAT));
  });

  test.each<TableName>(['customer', 'history', 'item', 'stock', 'orders', 'new_order', 'order_line'])(
    'of %s is the same for LOAD DATA and for INSERT',
    (table) => {
      const stretch = { table, warehouse: 1, district: 1, from: 1, to: 500 };
      const inserted = bytesOf(SPEC, stretch, INSERT_FORMAT);
      const asLoaded = inserted
        .slice(1, -2)
        .split('),(')
        .map((row) => row.replaceAll("'", '').replaceAll('NULL', '\\N').replaceAll(',', '\t'));
      expect(asLoaded).toEqual(bytesOf(SPEC, stretch, LOAD_DATA_FORMAT).trimEnd().split('\n'));
    },
  );

  test.each([
    { differs: 'by seed', other: source({ seed: 2 }), warehouse: 1 },
    { differs: 'by table set', other: source({ number: 2 }), warehouse: 1 },
    { differs: 'by warehouse', other: SPEC, warehouse: 2 },
  ])('differs $differs', ({ other, warehouse }) => {
    const stretch: Stretch = { table: 'stock', warehouse, from: 1, to: 50 };
    const quantities = numbersOf(rowsOf(other, stretch), 's_quantity');
    expect(quantities).not.toEqual(numbersOf(STOCK.slice(0, 50), 's_quantity'));
  });
});

describe('deviations', () => {
  test('half of the customers with bad credit', () => {
    const rows = rowsOf(source({ deviations: ['load_bad_credit_half'] }), { table: 'customer', warehouse: 1 });
    expect(isShare(rows, ({ c_credit }) => c_credit === 'BC', 0.5)).toBe(true);
  });

  test('one letter repeated', () => {
    const rows = source({ deviations: ['load_repeated_letters', 'load_without_original'] });
    for (const { s_dist_01, s_data } of rowsOf(rows, { table: 'stock', warehouse: 1, from: 1, to: 200 })) {
      expect(s_dist_01).toMatch(/^([a-z])\1{23}$/);
      expect(s_data).toMatch(/^([a-z])\1{25,49}$/);
    }
    const [customer] = rowsOf(rows, { table: 'customer', warehouse: 1 });
    expect(customer?.['c_data']).toMatch(/^([a-z])\1{299,499}$/);
  });

  test('no ORIGINAL', () => {
    const rows = source({ deviations: ['load_without_original'] });
    expect(bytesOf(rows, { table: 'item', warehouse: 0 }, LOAD_DATA_FORMAT)).not.toContain('ORIGINAL');
  });

  test('one permutation for a warehouse', () => {
    const rows = source({ deviations: ['load_one_permutation'] });
    const of = (warehouse: number, district: number) =>
      numbersOf(rowsOf(rows, { table: 'orders', warehouse, district }), 'o_c_id');
    expect(of(1, 7)).toEqual(of(1, 2));
    expect(of(2, 7)).not.toEqual(of(1, 7));
  });

  test('a constant drawn for each name takes the favourites away', () => {
    const redrawn = source({ deviations: ['nurand_c_redrawn'] });
    const mostOften = (rows: RowSource) => {
      const counts = new Map<string, number>();
      for (const district of [1, 2]) {
        const drawn = rowsOf(rows, { table: 'customer', warehouse: 1, district }).slice(1_000);
        for (const { c_last } of drawn) counts.set(c_last!, (counts.get(c_last!) ?? 0) + 1);
      }
      return Math.max(...counts.values());
    };
    expect(mostOften(redrawn) * 4).toBeLessThan(mostOften(SPEC));
  });
});

test('rates have as many decimals as the columns of sysbench-tpcc take', () => {
  const rows = rowsOf(source({ isSysbench: true }), { table: 'customer', warehouse: 1 });
  expect(rows.every(({ c_discount }) => /^0\.[0-4]\d$|^0\.50$/.test(c_discount!))).toBe(true);
});

test('history has ids that follow from its customers', () => {
  const rows = source({ hasHistoryId: true });
  const ids = (warehouse: number, district: number) =>
    bytesOf(rows, { table: 'history', warehouse, district }, LOAD_DATA_FORMAT)
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split('\t')[0]));
  expect(ids(1, 1)[0]).toBe(1);
  expect(ids(2, 10).at(-1)).toBe(60_000);
});
