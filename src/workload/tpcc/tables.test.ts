import { describe, expect, test } from 'vitest';
import { deviationsOf } from './deviations.ts';
import {
  createTableSql,
  foreignKeyPlans,
  indexPlans,
  loadDeviations,
  TABLES,
  tableSet,
  tableSets,
  tpccTables,
} from './tables.ts';

const OPTIONS = {
  profile: 'spec',
  deviations: [],
  use_fk: true,
  force_pk: false,
  mysql_storage_engine: 'innodb',
  mysql_table_options: '',
} as const;

describe('names', () => {
  test('are those of the rules, with a number from the second set on', () => {
    expect(tableSet('spec', 1).tables).toMatchObject({ warehouse: 'warehouse', new_order: 'new_order' });
    expect(tableSet('spec', 2).tables).toMatchObject({ warehouse: 'warehouse2', new_order: 'new_order2' });
    expect(tableSet('hammerdb', 1)).toMatchObject({ metadata: 'sqldyno_tpcc', journal: 'sqldyno_tpcc_journal' });
  });

  test('are those of sysbench-tpcc, all with a number', () => {
    expect(Object.values(tableSet('sysbench-tpcc', 1).tables).sort()).toEqual([
      'customer1',
      'district1',
      'history1',
      'item1',
      'new_orders1',
      'order_line1',
      'orders1',
      'stock1',
      'warehouse1',
    ]);
  });

  test('of tables, of what is kept beside them and of keys never meet', () => {
    const all = [...tableSets({ profile: 'spec', tables: 12 }), ...tableSets({ profile: 'sysbench-tpcc', tables: 12 })];
    for (const isSysbench of [false, true]) {
      const sets = all.filter((set) => set.isSysbench === isSysbench);
      const names = sets.flatMap((set) => [...Object.values(set.tables), set.metadata, set.journal]);
      expect(new Set(names).size).toBe(names.length);
      const keys = sets.flatMap((set) => TABLES.flatMap((table) => foreignKeyPlans(set, table, OPTIONS)));
      expect(new Set(keys.map(({ name }) => name)).size).toBe(keys.length);
    }
  });
});

describe('columns', () => {
  test.each([
    { profile: 'spec', table: 'customer', holds: 'c_discount DECIMAL(4,4) NOT NULL' },
    { profile: 'spec', table: 'order_line', holds: 'ol_delivery_d DATETIME,' },
    { profile: 'spec', table: 'warehouse', holds: 'w_id INT NOT NULL' },
    { profile: 'sysbench-tpcc', table: 'warehouse', holds: 'w_id SMALLINT NOT NULL' },
    { profile: 'sysbench-tpcc', table: 'customer', holds: 'c_data TEXT' },
    { profile: 'sysbench-tpcc', table: 'stock', holds: 's_ytd DECIMAL(8,0)' },
  ] as const)('of $table by $profile: $holds', ({ profile, table, holds }) => {
    expect(createTableSql(tableSet(profile, 1), table, { ...OPTIONS, profile })).toContain(holds);
  });

  test('of history have a key where one is wanted', () => {
    const sql = createTableSql(tableSet('spec', 1), 'history', { ...OPTIONS, force_pk: true });
    expect(sql).toContain('id INT NOT NULL AUTO_INCREMENT');
    expect(sql).toContain('PRIMARY KEY (id)');
    expect(createTableSql(tableSet('spec', 1), 'history', OPTIONS)).not.toContain('KEY');
  });

  test('come before the own options of the user', () => {
    const sql = createTableSql(tableSet('spec', 1), 'item', { ...OPTIONS, mysql_table_options: 'ROW_FORMAT=DYNAMIC' });
    expect(sql).toMatch(/PRIMARY KEY \(i_id\)\) ENGINE = innodb ROW_FORMAT=DYNAMIC$/);
  });
});

describe('keys', () => {
  const all = (options: Parameters<typeof indexPlans>[2]) =>
    TABLES.flatMap((table) => indexPlans(tableSet(options.profile, 1), table, options)).map(({ name }) => name);

  test('without foreign keys are the two that look-ups need', () => {
    expect(all({ ...OPTIONS, use_fk: false })).toEqual(['idx_customer', 'idx_orders']);
    expect(all({ ...OPTIONS, profile: 'hammerdb' })).toEqual(['idx_customer', 'idx_orders']);
  });

  test('of sysbench-tpcc are six, whether there are foreign keys or not', () => {
    expect(all({ ...OPTIONS, profile: 'sysbench-tpcc', use_fk: false }).sort()).toEqual([
      'fkey_history_11',
      'fkey_history_21',
      'fkey_order_line_21',
      'fkey_stock_21',
      'idx_customer1',
      'idx_orders1',
    ]);
  });

  test('of others are ten, each of a primary key', () => {
    const plans = TABLES.flatMap((table) => foreignKeyPlans(tableSet('sysbench-tpcc', 3), table, OPTIONS));
    expect(plans).toHaveLength(10);
    expect(plans.map(({ sql }) => sql)).toContain(
      'ADD CONSTRAINT fkey_order_line_2_3 FOREIGN KEY (ol_supply_w_id, ol_i_id) REFERENCES stock3 (s_w_id, s_i_id)',
    );
  });
});

test.each([
  { profile: 'spec', shape: [] },
  {
    profile: 'sysbench-tpcc',
    shape: ['nurand_c_redrawn', 'load_repeated_letters', 'load_without_original', 'load_one_permutation'],
  },
  { profile: 'hammerdb', shape: ['last_name_c_same', 'load_bad_credit_half'] },
  { profile: 'go-tpc', shape: ['last_name_c_unrelated'] },
] as const)('$profile has its own rows by $shape', ({ profile, shape }) => {
  expect(loadDeviations(deviationsOf({ profile, deviations: [] }))).toEqual(shape);
});

test('what a run needs are all tables, by name and base type', () => {
  const needs = tpccTables({ profile: 'sysbench-tpcc', tables: 2 });
  expect(needs).toHaveLength(18);
  expect(needs.find(({ name }) => name === 'customer2')?.columns).toMatchObject({
    c_w_id: 'smallint',
    c_data: 'text',
    c_balance: 'decimal',
    c_last: 'varchar(16)',
  });
});
