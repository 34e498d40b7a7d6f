/** Sessions of tpcc without a server: every statement is written down and answered with rows that could be true. */
import { defaultsOf } from '../../src/base/options.ts';
import { createRandom } from '../../src/base/random.ts';
import type { SqlValue } from '../../src/wire/types.ts';
import { TPCC_OPTIONS, type TpccOptions } from '../../src/workload/tpcc/options.ts';
import { openTpccSession } from '../../src/workload/tpcc/transactions.ts';
import type { Session, Transaction } from '../../src/workload/workload.ts';
import { type RecordingConnection, recordingConnection, type SentStatement, testKeys } from './sessions.ts';

type Rows = readonly (readonly SqlValue[])[];

const UNUSED_ITEM = 100_001;
const TEXTS = Array.from({ length: 10 }, (_, district) => `text of district ${district + 1}`);

/** Customers with a number that ends in 0 have bad credit; three customers share each last name. */
export function plausibleRows({ name, sql, parameters }: SentStatement): Rows {
  const numbers = parameters.map(Number);
  const [first = 0, second = 0, third = 0] = numbers;
  switch (name) {
    case 'new_order_customer':
      return [['0.1000', 'BAROUGHTABLE', 'GC', '0.1500']];
    case 'new_order_district':
      return [[3_001, '0.0500']];
    case 'new_order_item':
      return first === UNUSED_ITEM ? [] : [['12.34', 'an item', `data ${first % 10 === 0 ? 'ORIGINAL' : ''}`]];
    case 'new_order_items':
      return numbers.filter((item) => item !== UNUSED_ITEM).map((item) => [item, '12.34', 'an item', 'data']);
    case 'new_order_stock':
      return [[sql.includes('ELT') ? stockOf(third) : stockOf(second), 'data ORIGINAL', ...textsFor(sql, first)]];
    case 'new_order_stocks':
      return pairsOf(numbers).map(([warehouse, item]) => [warehouse, item, stockOf(item), 'data', ...TEXTS]);
    case 'payment_warehouse_address':
    case 'payment_district_address':
      return [['street 1', 'street 2', 'city', 'ST', '123411111', name.split('_')[1] ?? '']];
    case 'payment_name_count':
    case 'order_status_name_count':
      return [[3]];
    case 'payment_name':
      return [[11], [20], [13]];
    case 'payment_customer':
      return [[...Array<string>(9).fill('text'), third % 10 === 0 ? 'BC' : 'GC', '50000.00', '0.1000', '-10.00', '']];
    case 'payment_credit_data':
      return [['x'.repeat(500)]];
    case 'order_status_name':
      return [11, 20, 13].map((id) => ['-10.00', 'first', 'OE', id]);
    case 'order_status_customer':
      return [['-10.00', 'first', 'OE', 'BARBARBAR']];
    case 'order_status_order':
      return [[3_000, null, '2026-01-01 00:00:00']];
    case 'delivery_oldest':
      return [[2_101]];
    case 'delivery_order':
      return [[second * 100]];
    case 'delivery_total':
      return [['1234.56']];
    case 'delivery_all_orders':
      return Array.from({ length: 10 }, (_, district) => [district + 1, (district + 1) * 100]);
    case 'delivery_all_totals':
      return Array.from({ length: 10 }, (_, district) => [district + 1, '1234.56']);
    case 'stock_level_district':
      return [[3_001]];
    case 'stock_level_count':
      return [[7]];
    case 'purge_oldest':
      return [[2_200]];
    case 'purge_order':
      return [[2_150]];
    default:
      return [[null]];
  }
}

function stockOf(item: number): number {
  return 10 + (item % 91);
}

function textsFor(sql: string, district: number): readonly string[] {
  return sql.includes('ELT') ? [TEXTS[district - 1]!] : TEXTS;
}

function pairsOf(numbers: readonly number[]): (readonly [number, number])[] {
  return numbers.flatMap((number, index) => (index % 2 === 0 ? [[number, numbers[index + 1]!] as const] : []));
}

export interface TpccTestSession {
  readonly session: Session;
  /** Those of setting up are left out. */
  readonly sent: SentStatement[];
  readonly prepared: readonly string[];
  readonly setUp: readonly SentStatement[];
  readonly tallies: ReadonlyMap<string, number>;
  /** With the random stream of event `index`. */
  run(transaction: string, index: number, terminal?: number): ReturnType<Transaction['run']>;
}

export interface TpccTestSettings {
  readonly options?: Partial<TpccOptions>;
  readonly rows?: (sent: SentStatement) => Rows;
  readonly validate?: boolean;
  readonly seed?: number;
  readonly threads?: number;
  readonly terminals?: number;
}

export async function openTpccTest(settings: TpccTestSettings = {}): Promise<TpccTestSession> {
  const { rows = plausibleRows, validate = false, seed = 1, threads = 4, terminals = 0 } = settings;
  const options = { ...defaultsOf(TPCC_OPTIONS), ...settings.options };
  const connection: RecordingConnection = recordingConnection({ rows });
  const random = createRandom(0);
  const tallies = new Map<string, number>();
  const session = await openTpccSession({
    connection,
    options,
    random,
    keys: testKeys(),
    sessionIndex: 0,
    threads,
    terminals,
    tally: (name) => ({ add: (count = 1) => tallies.set(name, (tallies.get(name) ?? 0) + count) }),
    pause: async () => {},
    validate,
    seed,
  });
  const setUp = connection.sent.splice(0);
  return {
    session,
    sent: connection.sent,
    prepared: connection.prepared,
    setUp,
    tallies,
    run: (transaction, index, terminal = -1) => {
      random.restart(seed, index);
      const found = session[transaction];
      if (found === undefined) throw new Error(`no transaction ${transaction}`);
      return found.run({ index, terminal });
    },
  };
}
