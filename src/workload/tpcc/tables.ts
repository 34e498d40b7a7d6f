/**
 * The nine tables: names, columns, keys. Two ways of making them: by the rules, and as sysbench-tpcc does, so that
 * either tool can use what the other has loaded.
 */
import type { TableNeed } from '../workload.ts';
import { type DeviationName, deviationsOf } from './deviations.ts';
import { DEVIATIONS } from './deviations-table.ts';
import type { TpccOptions } from './options.ts';

/** In the order in which they can be filled where foreign keys are checked. */
export const TABLES = [
  'warehouse',
  'district',
  'customer',
  'history',
  'item',
  'stock',
  'orders',
  'new_order',
  'order_line',
] as const;
export type TableName = (typeof TABLES)[number];

/** One complete set of the nine tables, and what keeps track of it. */
export interface TableSet {
  /** From 1. */
  readonly number: number;
  /** True for the tables of sysbench-tpcc. */
  readonly isSysbench: boolean;
  readonly tables: Readonly<Record<TableName, string>>;
  /** The table that tells how the set was made, and what a run has to know of it. */
  readonly metadata: string;
  /** While the set is being loaded: a row for each piece that is in. */
  readonly journal: string;
}

/** The tables of sysbench-tpcc all have a number; otherwise only those of a second set and on have one. */
export function tableSet(profile: TpccOptions['profile'], number: number): TableSet {
  const isSysbench = profile === 'sysbench-tpcc';
  const suffix = isSysbench || number > 1 ? String(number) : '';
  const names = TABLES.map((table) => {
    const name = isSysbench && table === 'new_order' ? 'new_orders' : table;
    return [table, `${name}${suffix}`];
  });
  return {
    number,
    isSysbench,
    tables: Object.fromEntries(names) as TableSet['tables'],
    metadata: `sqldyno_tpcc${suffix}`,
    journal: `sqldyno_tpcc_journal${suffix}`,
  };
}

export function tableSets(options: Pick<TpccOptions, 'profile' | 'tables'>): TableSet[] {
  return Array.from({ length: options.tables }, (_, index) => tableSet(options.profile, index + 1));
}

/**
 * A type of the rules, and after it that of sysbench-tpcc where it is another one. Counters are wider here than the
 * four digits that are asked for: a popular item passes 32,767 orders within hours.
 */
type ColumnType = readonly [type: string, sysbench?: string];
const WAREHOUSE_ID: ColumnType = ['INT', 'SMALLINT'];
const DISTRICT_ID: ColumnType = ['TINYINT'];
const ID: ColumnType = ['INT'];
const COUNTER: ColumnType = ['INT', 'SMALLINT'];
const MONEY: ColumnType = ['DECIMAL(12,2)'];
const SMALL_MONEY: ColumnType = ['DECIMAL(6,2)'];
/** Tax and discount: below 1. */
const RATE: ColumnType = ['DECIMAL(4,4)', 'DECIMAL(4,2)'];
const MOMENT: ColumnType = ['DATETIME'];
const STREET: ColumnType = ['VARCHAR(20)'];
const STATE: ColumnType = ['CHAR(2)'];
const ZIP: ColumnType = ['CHAR(9)'];
const DISTRICT_TEXT: ColumnType = ['CHAR(24)'];

interface TableShape {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly primaryKey?: readonly string[];
  /** Columns that may be NULL by the rules; with sysbench-tpcc all outside the primary key may. */
  readonly nullable?: readonly string[];
}

const DISTRICT_NUMBERS = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10'] as const;

const SHAPES: Readonly<Record<TableName, TableShape>> = {
  warehouse: {
    columns: {
      w_id: WAREHOUSE_ID,
      w_name: ['VARCHAR(10)'],
      w_street_1: STREET,
      w_street_2: STREET,
      w_city: STREET,
      w_state: STATE,
      w_zip: ZIP,
      w_tax: RATE,
      w_ytd: MONEY,
    },
    primaryKey: ['w_id'],
  },
  district: {
    columns: {
      d_id: DISTRICT_ID,
      d_w_id: WAREHOUSE_ID,
      d_name: ['VARCHAR(10)'],
      d_street_1: STREET,
      d_street_2: STREET,
      d_city: STREET,
      d_state: STATE,
      d_zip: ZIP,
      d_tax: RATE,
      d_ytd: MONEY,
      d_next_o_id: ID,
    },
    primaryKey: ['d_w_id', 'd_id'],
  },
  customer: {
    columns: {
      c_id: ID,
      c_d_id: DISTRICT_ID,
      c_w_id: WAREHOUSE_ID,
      c_first: ['VARCHAR(16)'],
      c_middle: STATE,
      c_last: ['VARCHAR(16)'],
      c_street_1: STREET,
      c_street_2: STREET,
      c_city: STREET,
      c_state: STATE,
      c_zip: ZIP,
      c_phone: ['CHAR(16)'],
      c_since: MOMENT,
      c_credit: STATE,
      c_credit_lim: ['DECIMAL(12,2)', 'BIGINT'],
      c_discount: RATE,
      c_balance: MONEY,
      c_ytd_payment: MONEY,
      c_payment_cnt: COUNTER,
      c_delivery_cnt: COUNTER,
      c_data: ['VARCHAR(500)', 'TEXT'],
    },
    primaryKey: ['c_w_id', 'c_d_id', 'c_id'],
  },
  history: {
    columns: {
      h_c_id: ID,
      h_c_d_id: DISTRICT_ID,
      h_c_w_id: WAREHOUSE_ID,
      h_d_id: DISTRICT_ID,
      h_w_id: WAREHOUSE_ID,
      h_date: MOMENT,
      h_amount: SMALL_MONEY,
      h_data: ['VARCHAR(24)'],
    },
  },
  orders: {
    columns: {
      o_id: ID,
      o_d_id: DISTRICT_ID,
      o_w_id: WAREHOUSE_ID,
      o_c_id: ID,
      o_entry_d: MOMENT,
      o_carrier_id: ['TINYINT'],
      o_ol_cnt: ['TINYINT'],
      o_all_local: ['TINYINT'],
    },
    primaryKey: ['o_w_id', 'o_d_id', 'o_id'],
    nullable: ['o_carrier_id'],
  },
  new_order: {
    columns: { no_o_id: ID, no_d_id: DISTRICT_ID, no_w_id: WAREHOUSE_ID },
    primaryKey: ['no_w_id', 'no_d_id', 'no_o_id'],
  },
  order_line: {
    columns: {
      ol_o_id: ID,
      ol_d_id: DISTRICT_ID,
      ol_w_id: WAREHOUSE_ID,
      ol_number: ['TINYINT'],
      ol_i_id: ID,
      ol_supply_w_id: WAREHOUSE_ID,
      ol_delivery_d: MOMENT,
      ol_quantity: ['TINYINT'],
      ol_amount: SMALL_MONEY,
      ol_dist_info: DISTRICT_TEXT,
    },
    primaryKey: ['ol_w_id', 'ol_d_id', 'ol_o_id', 'ol_number'],
    nullable: ['ol_delivery_d'],
  },
  stock: {
    columns: {
      s_i_id: ID,
      s_w_id: WAREHOUSE_ID,
      s_quantity: ['SMALLINT'],
      ...Object.fromEntries(DISTRICT_NUMBERS.map((number) => [`s_dist_${number}`, DISTRICT_TEXT])),
      s_ytd: ['DECIMAL(8,0)'],
      s_order_cnt: COUNTER,
      s_remote_cnt: COUNTER,
      s_data: ['VARCHAR(50)'],
    },
    primaryKey: ['s_w_id', 's_i_id'],
  },
  item: {
    columns: {
      i_id: ID,
      i_im_id: ID,
      i_name: ['VARCHAR(24)'],
      i_price: ['DECIMAL(5,2)'],
      i_data: ['VARCHAR(50)'],
    },
    primaryKey: ['i_id'],
  },
};

interface ForeignKey {
  readonly name: string;
  readonly table: TableName;
  readonly columns: readonly string[];
  readonly parent: TableName;
  readonly parentColumns: readonly string[];
}

/** Names as sysbench-tpcc gives them, before the number. */
const FOREIGN_KEYS: readonly ForeignKey[] = [
  key('fkey_district_1', 'district', ['d_w_id'], 'warehouse'),
  key('fkey_customer_1', 'customer', ['c_w_id', 'c_d_id'], 'district'),
  key('fkey_history_1', 'history', ['h_c_w_id', 'h_c_d_id', 'h_c_id'], 'customer'),
  key('fkey_history_2', 'history', ['h_w_id', 'h_d_id'], 'district'),
  key('fkey_stock_1', 'stock', ['s_w_id'], 'warehouse'),
  key('fkey_stock_2', 'stock', ['s_i_id'], 'item'),
  key('fkey_orders_1', 'orders', ['o_w_id', 'o_d_id', 'o_c_id'], 'customer'),
  key('fkey_new_orders_1', 'new_order', ['no_w_id', 'no_d_id', 'no_o_id'], 'orders'),
  key('fkey_order_line_1', 'order_line', ['ol_w_id', 'ol_d_id', 'ol_o_id'], 'orders'),
  key('fkey_order_line_2', 'order_line', ['ol_supply_w_id', 'ol_i_id'], 'stock'),
];

/** Every parent is named by its primary key. */
function key(name: string, table: TableName, columns: readonly string[], parent: TableName): ForeignKey {
  return { name, table, columns, parent, parentColumns: SHAPES[parent].primaryKey ?? [] };
}

export interface IndexPlan {
  readonly name: string;
  readonly columns: readonly string[];
}

interface SecondaryIndex extends IndexPlan {
  readonly table: TableName;
  /** sysbench-tpcc makes them all; by the rules these serve the foreign keys only. */
  readonly servesForeignKey: boolean;
}

/** What InnoDB would make by itself with a foreign key has its name here, so that nothing is made twice. */
const INDEXES: readonly SecondaryIndex[] = [
  index('idx_customer', 'customer', ['c_w_id', 'c_d_id', 'c_last', 'c_first'], false),
  index('idx_orders', 'orders', ['o_w_id', 'o_d_id', 'o_c_id', 'o_id'], false),
  index('fkey_stock_2', 'stock', ['s_i_id'], true),
  index('fkey_order_line_2', 'order_line', ['ol_supply_w_id', 'ol_i_id'], true),
  index('fkey_history_1', 'history', ['h_c_w_id', 'h_c_d_id', 'h_c_id'], true),
  index('fkey_history_2', 'history', ['h_w_id', 'h_d_id'], true),
];

function index(name: string, table: TableName, columns: readonly string[], servesForeignKey: boolean): SecondaryIndex {
  return { name, table, columns, servesForeignKey };
}

type ShapeOptions = Pick<
  TpccOptions,
  'profile' | 'deviations' | 'use_fk' | 'force_pk' | 'mysql_storage_engine' | 'mysql_table_options'
>;

export function hasForeignKeys(options: Pick<ShapeOptions, 'profile' | 'deviations' | 'use_fk'>): boolean {
  return options.use_fk && !deviationsOf(options).has('foreign_keys_left_out');
}

/** The table as it is before its secondary indexes and foreign keys. */
export function createTableSql(set: TableSet, table: TableName, options: ShapeOptions): string {
  const { columns, primaryKey = [], nullable = [] } = SHAPES[table];
  const lines = Object.entries(columns).map(([column, [type, sysbenchType = type]]) => {
    const mayBeNull = set.isSysbench ? !primaryKey.includes(column) : nullable.includes(column);
    return `${column} ${set.isSysbench ? sysbenchType : type}${mayBeNull ? '' : ' NOT NULL'}`;
  });
  const hasId = table === 'history' && options.force_pk;
  if (hasId) lines.unshift('id INT NOT NULL AUTO_INCREMENT');
  const key = hasId ? ['id'] : primaryKey;
  if (key.length > 0) lines.push(`PRIMARY KEY (${key.join(', ')})`);
  const end = `ENGINE = ${options.mysql_storage_engine} ${options.mysql_table_options}`.trimEnd();
  return `CREATE TABLE ${set.tables[table]} (${lines.join(', ')}) ${end}`;
}

/** By name; the number of the set is behind it where the tables have one. */
export function indexPlans(set: TableSet, table: TableName, options: ShapeOptions): IndexPlan[] {
  const wanted = set.isSysbench || hasForeignKeys(options);
  return INDEXES.filter((plan) => plan.table === table && (wanted || !plan.servesForeignKey)).map((plan) => ({
    name: `${plan.name}${suffixOf(set)}`,
    columns: plan.columns,
  }));
}

export interface ForeignKeyPlan {
  readonly name: string;
  readonly sql: string;
}

/** None where the options want none. Their names must be unique in the database. */
export function foreignKeyPlans(set: TableSet, table: TableName, options: ShapeOptions): ForeignKeyPlan[] {
  if (!hasForeignKeys(options)) return [];
  return FOREIGN_KEYS.filter((plan) => plan.table === table).map((plan) => {
    const name = `${plan.name}${set.isSysbench ? `_${set.number}` : suffixOf(set)}`;
    const parent = `${set.tables[plan.parent]} (${plan.parentColumns.join(', ')})`;
    return { name, sql: `ADD CONSTRAINT ${name} FOREIGN KEY (${plan.columns.join(', ')}) REFERENCES ${parent}` };
  });
}

function suffixOf(set: TableSet): string {
  return set.tables.warehouse.slice('warehouse'.length);
}

/** Decimals that taxes and discounts have in these tables. */
export function rateDecimals(set: TableSet): number {
  return set.isSysbench ? 2 : 4;
}

export function columnsOf(table: TableName): string[] {
  return Object.keys(SHAPES[table].columns);
}

/** What a run, a check or a cleanup may count on. How many warehouses there are is for `inspectTpcc` to say. */
export function tpccTables(options: Pick<TpccOptions, 'profile' | 'tables'>): TableNeed[] {
  return tableSets(options).flatMap((set) => TABLES.map((table) => tableNeed(set, table)));
}

export function tableNeed(set: TableSet, table: TableName): TableNeed {
  const columns = Object.entries(SHAPES[table].columns).map(([column, [type, sysbenchType = type]]) => {
    const [base = '', length] = (set.isSysbench ? sysbenchType : type).toLowerCase().split(/[()]/);
    const isText = base === 'char' || base === 'varchar';
    return [column, isText ? `${base}(${length})` : base];
  });
  return { name: set.tables[table], columns: Object.fromEntries(columns), rowsMin: 0 };
}

/** Those switches that shape the rows: data loaded with others is other data. Keys can be added or left out later. */
export function loadDeviations(on: ReadonlySet<DeviationName>): DeviationName[] {
  return [...on].filter((name) => DEVIATIONS[name].at !== 'run' && name !== 'foreign_keys_left_out');
}
