/**
 * What the tables hold right after loading (clause 4.3.3.1). What a row holds depends on (seed, table, key) alone, so
 * the data are the same whatever the number of connections, and a load that was cut off can go on anywhere.
 */
import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import type { DeviationName } from './deviations.ts';
import { type Constants, LAST_NAME_A, LAST_NAMES, lastName, nuRand } from './nurand.ts';
import type { RowWriter } from './rows-writer.ts';
import { rateDecimals, type TableName, type TableSet } from './tables.ts';
import {
  createTextPool,
  type TextPool,
  writeOriginal,
  writePhone,
  writeRepeated,
  writeState,
  writeText,
  writeZip,
} from './text.ts';

export const ITEMS = 100_000;
export const DISTRICTS = 10;
/** Customers of a district; there is one order for each. */
export const CUSTOMERS = 3_000;
export const ORDERS = 3_000;
/** Orders from this number on are not delivered yet. */
export const FIRST_NEW_ORDER = 2_101;
export const NEXT_ORDER = ORDERS + 1;
const LINES_MIN = 5;
const LINES_MAX = 15;
/** On the average; how many there are exactly is known when they are made. */
export const LINES_PER_DISTRICT = (ORDERS * (LINES_MIN + LINES_MAX)) / 2;
/** More than the lines of an order, so that each line has a number of its own. */
const LINE_NUMBERS = 16;
const NAMED_IN_ORDER = 1_000;
const IMAGES = 10_000;
const CARRIERS = 10;
const QUANTITY_LOADED = 5;

/**
 * The rules want the time of the load. It is the same for every load here, so that the same seed gives the same data.
 */
const LOADED_AT = bytesOf('2026-01-01 00:00:00');
const MIDDLE = bytesOf('OE');
const GOOD_CREDIT = bytesOf('GC');
const BAD_CREDIT = bytesOf('BC');
const BALANCE = bytesOf('-10.00');
const DATA_MIN = 26;
const DATA_MAX = 50;
const DISTRICT_TEXT = 24;

const W_YTD_CENTS = 30_000_000;
const D_YTD_CENTS = 3_000_000;
const CREDIT_LIMIT = 50_000;
const PAID_CENTS = 1_000;
const PRICE_CENTS_MIN = 100;
const PRICE_CENTS_MAX = 10_000;
const AMOUNT_CENTS_MAX = 999_999;

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** All rows of one data set: made by `openRows`, a stretch at a time. */
export interface RowSource {
  readonly seed: number;
  readonly pool: TextPool;
  readonly constants: Constants;
  /** Of taxes and discounts. */
  readonly rateDecimals: number;
  /** history has a column `id`. */
  readonly hasHistoryId: boolean;
  readonly isBadCreditHalf: boolean;
  readonly isRepeated: boolean;
  readonly isOriginalLeftOut: boolean;
  readonly hasOnePermutation: boolean;
  readonly isConstantRedrawn: boolean;
}

export interface RowSourceOptions {
  readonly seed: number;
  readonly set: TableSet;
  readonly constants: Constants;
  readonly deviations: ReadonlySet<DeviationName>;
  readonly hasHistoryId: boolean;
}

export function createRowSource({ seed, set, constants, deviations, hasHistoryId }: RowSourceOptions): RowSource {
  return {
    seed: deriveSeed(seed, 'tpcc set', set.number),
    pool: createTextPool(seed),
    constants,
    rateDecimals: rateDecimals(set),
    hasHistoryId,
    isBadCreditHalf: deviations.has('load_bad_credit_half'),
    isRepeated: deviations.has('load_repeated_letters'),
    isOriginalLeftOut: deviations.has('load_without_original'),
    hasOnePermutation: deviations.has('load_one_permutation'),
    isConstantRedrawn: deviations.has('nurand_c_redrawn'),
  };
}

/** Rows of one table that are loaded together, in the order of the primary key. */
export interface Stretch {
  readonly table: TableName;
  readonly warehouse: number;
  /** Of customer, history, orders, new_order, order_line. */
  readonly district?: number;
  /** Of item and stock: the items, both included. */
  readonly from?: number;
  readonly to?: number;
}

/** Hot: writes the next row; false where there is none. */
export type RowStream = (writer: RowWriter) => boolean;

export function openRows(source: RowSource, stretch: Stretch): RowStream {
  const { warehouse, district = 1, from = 1, to = ITEMS } = stretch;
  switch (stretch.table) {
    case 'item':
      return counted(from, to, itemRows(source));
    case 'warehouse':
      return counted(warehouse, warehouse, warehouseRows(source));
    case 'district':
      return counted(1, DISTRICTS, districtRows(source, warehouse));
    case 'stock':
      return counted(from, to, stockRows(source, warehouse));
    case 'customer':
      return counted(1, CUSTOMERS, customerRows(source, warehouse, district));
    case 'history':
      return counted(1, CUSTOMERS, historyRows(source, warehouse, district));
    case 'orders':
      return counted(1, ORDERS, orderRows(source, warehouse, district));
    case 'new_order':
      return counted(FIRST_NEW_ORDER, ORDERS, newOrderRows(warehouse, district));
    case 'order_line':
      return lineRows(source, warehouse, district);
  }
}

/** Writes the values of the row with this number. */
type RowMaker = (number: number, writer: RowWriter) => void;

function counted(from: number, to: number, make: RowMaker): RowStream {
  let next = from;
  return (writer) => {
    if (next > to) return false;
    writer.startRow();
    make(next, writer);
    writer.endRow();
    next++;
    return true;
  };
}

/** A stream of random numbers for each row of a table. */
function rowRandom(source: RowSource, table: TableName): { readonly random: Random; readonly tableSeed: number } {
  const tableSeed = deriveSeed(source.seed, table);
  return { random: createRandom(tableSeed), tableSeed };
}

function itemRows(source: RowSource): RowMaker {
  const { random, tableSeed } = rowRandom(source, 'item');
  const { pool } = source;
  return (item, writer) => {
    random.restart(tableSeed, item);
    writer.integer(item);
    writer.integer(random.integer(1, IMAGES));
    writeText(writer, random, pool, 14, 24);
    writer.decimal(random.integer(PRICE_CENTS_MIN, PRICE_CENTS_MAX), 2);
    writeData(source, random, writer, false);
  };
}

/** Hot. What an item or a stock says of itself: one in ten holds ORIGINAL. */
function writeData(source: RowSource, random: Random, writer: RowWriter, mayRepeat: boolean): void {
  const isOriginal = random.integer(1, 10) === 1 && !source.isOriginalLeftOut;
  if (isOriginal) writeOriginal(writer, random, source.pool, DATA_MIN, DATA_MAX);
  else if (mayRepeat && source.isRepeated) writeRepeated(writer, random, DATA_MIN, DATA_MAX);
  else writeText(writer, random, source.pool, DATA_MIN, DATA_MAX);
}

function warehouseRows(source: RowSource): RowMaker {
  const { random, tableSeed } = rowRandom(source, 'warehouse');
  return (warehouse, writer) => {
    random.restart(tableSeed, warehouse);
    writer.integer(warehouse);
    writeText(writer, random, source.pool, 6, 10);
    writeAddress(source, random, writer);
    writeRate(source, random, writer, 2_000);
    writer.decimal(W_YTD_CENTS, 2);
  };
}

function districtRows(source: RowSource, warehouse: number): RowMaker {
  const { random, tableSeed } = rowRandom(source, 'district');
  return (district, writer) => {
    random.restart(tableSeed, warehouse * DISTRICTS + district);
    writer.integer(district);
    writer.integer(warehouse);
    writeText(writer, random, source.pool, 6, 10);
    writeAddress(source, random, writer);
    writeRate(source, random, writer, 2_000);
    writer.decimal(D_YTD_CENTS, 2);
    writer.integer(NEXT_ORDER);
  };
}

/** Hot. Two streets, city, state, zip. */
function writeAddress({ pool }: RowSource, random: Random, writer: RowWriter): void {
  writeText(writer, random, pool, 10, 20);
  writeText(writer, random, pool, 10, 20);
  writeText(writer, random, pool, 10, 20);
  writeState(writer, random);
  writeZip(writer, random);
}

/** Hot. From 0 to `max` ten-thousandths, or as many hundredths as that is. */
function writeRate({ rateDecimals: decimals }: RowSource, random: Random, writer: RowWriter, max: number): void {
  writer.decimal(random.integer(0, decimals === 2 ? max / 100 : max), decimals);
}

function stockRows(source: RowSource, warehouse: number): RowMaker {
  const { random, tableSeed } = rowRandom(source, 'stock');
  const { pool, isRepeated } = source;
  return (item, writer) => {
    random.restart(tableSeed, warehouse * ITEMS + item);
    writer.integer(item);
    writer.integer(warehouse);
    writer.integer(random.integer(10, 100));
    for (let district = 1; district <= DISTRICTS; district++) {
      if (isRepeated) writeRepeated(writer, random, DISTRICT_TEXT, DISTRICT_TEXT);
      else writeText(writer, random, pool, DISTRICT_TEXT, DISTRICT_TEXT);
    }
    writer.integer(0);
    writer.integer(0);
    writer.integer(0);
    writeData(source, random, writer, true);
  };
}

function customerRows(source: RowSource, warehouse: number, district: number): RowMaker {
  const { random, tableSeed } = rowRandom(source, 'customer');
  const { pool } = source;
  const badOf20 = source.isBadCreditHalf ? 10 : 2;
  const names = Array.from({ length: LAST_NAMES }, (_, number) => bytesOf(lastName(number)));
  return (customer, writer) => {
    random.restart(tableSeed, districtKey(warehouse, district) * CUSTOMERS + customer);
    writer.integer(customer);
    writer.integer(district);
    writer.integer(warehouse);
    writeText(writer, random, pool, 8, 16);
    writer.text(MIDDLE);
    writer.text(names[customer <= NAMED_IN_ORDER ? customer - 1 : drawLastName(source, random)]!);
    writeAddress(source, random, writer);
    writePhone(writer, random);
    writer.text(LOADED_AT);
    writer.text(random.integer(1, 20) <= badOf20 ? BAD_CREDIT : GOOD_CREDIT);
    writer.integer(CREDIT_LIMIT);
    writeRate(source, random, writer, 5_000);
    writer.literal(BALANCE);
    writer.decimal(PAID_CENTS, 2);
    writer.integer(1);
    writer.integer(0);
    if (source.isRepeated) writeRepeated(writer, random, 300, 500);
    else writeText(writer, random, pool, 300, 500);
  };
}

/** Hot. */
function drawLastName({ constants, isConstantRedrawn }: RowSource, random: Random): number {
  const c = isConstantRedrawn ? random.integer(0, LAST_NAME_A) : constants.lastNameLoad;
  return nuRand(random, { a: LAST_NAME_A, c }, 0, LAST_NAMES - 1);
}

/** Counts districts over all warehouses. */
function districtKey(warehouse: number, district: number): number {
  return (warehouse - 1) * DISTRICTS + district - 1;
}

function historyRows(source: RowSource, warehouse: number, district: number): RowMaker {
  const { random, tableSeed } = rowRandom(source, 'history');
  return (customer, writer) => {
    const key = districtKey(warehouse, district) * CUSTOMERS + customer;
    random.restart(tableSeed, key);
    if (source.hasHistoryId) writer.integer(key);
    writer.integer(customer);
    writer.integer(district);
    writer.integer(warehouse);
    writer.integer(district);
    writer.integer(warehouse);
    writer.text(LOADED_AT);
    writer.decimal(PAID_CENTS, 2);
    if (source.isRepeated) writeRepeated(writer, random, 12, 24);
    else writeText(writer, random, source.pool, 12, 24);
  };
}

function orderRows(source: RowSource, warehouse: number, district: number): RowMaker {
  const { random, tableSeed } = rowRandom(source, 'orders');
  const customers = permutation(source, warehouse, district);
  const key = districtKey(warehouse, district) * ORDERS;
  return (order, writer) => {
    random.restart(tableSeed, key + order);
    const lines = drawLines(random);
    writer.integer(order);
    writer.integer(district);
    writer.integer(warehouse);
    writer.integer(customers[order - 1]!);
    writer.text(LOADED_AT);
    if (order < FIRST_NEW_ORDER) writer.integer(random.integer(1, CARRIERS));
    else writer.null();
    writer.integer(lines);
    writer.integer(1);
  };
}

/** Hot. Always the first draw of an order, so that its lines are counted alike wherever they are. */
function drawLines(random: Random): number {
  return random.integer(LINES_MIN, LINES_MAX);
}

/** The customers of a district in the order of their orders: each one once. */
function permutation(source: RowSource, warehouse: number, district: number): Int32Array {
  const isOfWarehouse = source.hasOnePermutation;
  const random = createRandom(
    deriveSeed(source.seed, 'customers of orders'),
    districtKey(warehouse, isOfWarehouse ? 1 : district),
  );
  const customers = Int32Array.from({ length: CUSTOMERS }, (_, index) => index + 1);
  for (let last = CUSTOMERS - 1; last > 0; last--) {
    const other = random.integer(0, last);
    const moved = customers[last]!;
    customers[last] = customers[other]!;
    customers[other] = moved;
  }
  return customers;
}

function newOrderRows(warehouse: number, district: number): RowMaker {
  return (order, writer) => {
    writer.integer(order);
    writer.integer(district);
    writer.integer(warehouse);
  };
}

function lineRows(source: RowSource, warehouse: number, district: number): RowStream {
  const { random, tableSeed } = rowRandom(source, 'order_line');
  const ofOrders = rowRandom(source, 'orders');
  const key = districtKey(warehouse, district) * ORDERS;
  let order = 0;
  let line = 0;
  let lines = 0;
  return (writer) => {
    if (line === lines) {
      if (order === ORDERS) return false;
      order++;
      ofOrders.random.restart(ofOrders.tableSeed, key + order);
      lines = drawLines(ofOrders.random);
      line = 0;
    }
    line++;
    const isDelivered = order < FIRST_NEW_ORDER;
    random.restart(tableSeed, (key + order) * LINE_NUMBERS + line);
    writer.startRow();
    writer.integer(order);
    writer.integer(district);
    writer.integer(warehouse);
    writer.integer(line);
    writer.integer(random.integer(1, ITEMS));
    writer.integer(warehouse);
    if (isDelivered) writer.text(LOADED_AT);
    else writer.null();
    writer.integer(QUANTITY_LOADED);
    writer.decimal(isDelivered ? 0 : random.integer(1, AMOUNT_CENTS_MAX), 2);
    if (source.isRepeated) writeRepeated(writer, random, DISTRICT_TEXT, DISTRICT_TEXT);
    else writeText(writer, random, source.pool, DISTRICT_TEXT, DISTRICT_TEXT);
    writer.endRow();
    return true;
  };
}
