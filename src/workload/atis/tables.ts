/**
 * The 28 tables of test-ATIS, in the order in which they are made, filled and dropped. All columns are NOT NULL. No
 * display widths: MySQL 8 warns of them, and they change nothing.
 */
import { quoteName } from '../sql.ts';

export interface AtisTable {
  readonly name: string;
  /** Of the original files, and of our generator. */
  readonly rows: number;
  /** In the order of the values of a row. */
  readonly columns: Readonly<Record<string, string>>;
  readonly primaryKey: readonly string[];
  /** Each on one column. */
  readonly indexes?: readonly string[];
}

export const ATIS_TABLES: readonly AtisTable[] = [
  {
    name: 'aircraft',
    rows: 135,
    columns: {
      aircraft_code: 'char(3)',
      aircraft_type: 'char(64)',
      engines: 'tinyint',
      category: 'char(10)',
      wide_body: 'char(3)',
      wing_span: 'float',
      length1: 'float',
      weight: 'int',
      capacity: 'smallint',
      pay_load: 'int',
      cruising_speed: 'mediumint',
      range_miles: 'mediumint',
      pressurized: 'char(3)',
    },
    primaryKey: ['aircraft_code'],
  },
  {
    name: 'airline',
    rows: 314,
    columns: { airline_code: 'char(2)', airline_name: 'char(64)', notes: 'char(38)' },
    primaryKey: ['airline_code'],
  },
  {
    name: 'airport',
    rows: 9,
    columns: {
      airport_code: 'char(3)',
      airport_name: 'char(40)',
      location: 'char(36)',
      state_code: 'char(2)',
      country_name: 'char(25)',
      time_zone_code: 'char(3)',
    },
    primaryKey: ['airport_code'],
  },
  {
    name: 'airport_service',
    rows: 14,
    columns: {
      city_code: 'char(4)',
      airport_code: 'char(3)',
      miles_distant: 'float',
      direction: 'char(3)',
      minutes_distant: 'smallint',
    },
    primaryKey: ['city_code', 'airport_code'],
  },
  {
    name: 'city',
    rows: 11,
    columns: {
      city_code: 'char(4)',
      city_name: 'char(25)',
      state_code: 'char(2)',
      country_name: 'char(25)',
      time_zone_code: 'char(3)',
    },
    primaryKey: ['city_code'],
  },
  {
    name: 'class_of_service',
    rows: 27,
    // Since MySQL 8.0.2 `rank` is a reserved word: every column is quoted.
    columns: { class_code: 'char(2)', rank: 'tinyint', class_description: 'char(80)' },
    primaryKey: ['class_code'],
  },
  {
    name: 'code_description',
    rows: 15,
    columns: { code: 'char(5)', description: 'char(110)' },
    primaryKey: ['code'],
  },
  {
    name: 'compound_class',
    rows: 149,
    columns: {
      fare_class: 'char(3)',
      base_class: 'char(2)',
      class_type: 'char(10)',
      premium: 'char(3)',
      economy: 'char(3)',
      discounted: 'char(3)',
      night: 'char(3)',
      season_fare: 'char(4)',
      class_days: 'char(7)',
    },
    primaryKey: ['fare_class'],
  },
  {
    name: 'connect_leg',
    rows: 351,
    columns: { connect_code: 'int', leg_number: 'tinyint', flight_code: 'int' },
    primaryKey: ['connect_code', 'leg_number', 'flight_code'],
  },
  {
    name: 'fconnection',
    rows: 164,
    columns: {
      connect_code: 'int',
      from_airport: 'char(3)',
      to_airport: 'char(3)',
      departure_time: 'smallint',
      arrival_time: 'smallint',
      flight_days: 'char(7)',
      stops: 'tinyint',
      connections: 'tinyint',
      time_elapsed: 'smallint',
    },
    primaryKey: ['connect_code'],
    indexes: ['from_airport', 'to_airport'],
  },
  {
    name: 'day_name',
    rows: 7,
    columns: { day_code: 'tinyint', day_name: 'char(9)' },
    primaryKey: ['day_code'],
  },
  {
    name: 'dual_carrier',
    rows: 114,
    columns: {
      main_airline: 'char(2)',
      dual_airline: 'char(2)',
      low_flight: 'smallint',
      high_flight: 'smallint',
      fconnection_name: 'char(64)',
    },
    primaryKey: ['main_airline', 'dual_airline', 'low_flight'],
    indexes: ['main_airline'],
  },
  {
    name: 'fare',
    rows: 534,
    columns: {
      fare_code: 'char(8)',
      from_airport: 'char(3)',
      to_airport: 'char(3)',
      fare_class: 'char(3)',
      fare_airline: 'char(2)',
      restrict_code: 'char(5)',
      one_way_cost: 'float',
      rnd_trip_cost: 'float',
    },
    primaryKey: ['fare_code'],
    indexes: ['from_airport', 'to_airport'],
  },
  {
    name: 'flight',
    rows: 579,
    columns: {
      flight_code: 'int',
      flight_days: 'char(7)',
      from_airport: 'char(3)',
      to_airport: 'char(3)',
      departure_time: 'smallint',
      arrival_time: 'smallint',
      airline_code: 'char(2)',
      flight_number: 'smallint',
      class_string: 'char(8)',
      aircraft_code: 'char(3)',
      meal_code: 'char(7)',
      stops: 'tinyint',
      dual_carrier: 'char(1)',
      time_elapsed: 'smallint',
    },
    primaryKey: ['flight_code'],
    indexes: ['from_airport', 'to_airport'],
  },
  {
    name: 'flight_class',
    rows: 2_895,
    columns: { flight_code: 'int', fare_class: 'char(3)' },
    primaryKey: ['flight_code', 'fare_class'],
  },
  {
    name: 'flight_day',
    rows: 448,
    columns: { day_mask: 'char(7)', day_code: 'tinyint', day_name: 'char(9)' },
    primaryKey: ['day_mask', 'day_code'],
  },
  {
    name: 'flight_fare',
    rows: 2_998,
    columns: { flight_code: 'int', fare_code: 'char(8)' },
    primaryKey: ['flight_code', 'fare_code'],
  },
  {
    name: 'food_service',
    rows: 121,
    columns: {
      meal_code: 'char(4)',
      meal_number: 'tinyint',
      meal_class: 'char(10)',
      meal_description: 'char(10)',
    },
    primaryKey: ['meal_code', 'meal_number', 'meal_class'],
  },
  {
    name: 'ground_service',
    rows: 33,
    columns: { city_code: 'char(4)', airport_code: 'char(3)', transport_code: 'char(1)', ground_fare: 'float' },
    primaryKey: ['city_code', 'airport_code', 'transport_code'],
  },
  {
    name: 'time_interval',
    rows: 12,
    columns: { period: 'char(20)', begin_time: 'smallint', end_time: 'smallint' },
    primaryKey: ['period', 'begin_time'],
  },
  {
    name: 'month_name',
    rows: 12,
    columns: { month_number: 'tinyint', month_name: 'char(9)' },
    primaryKey: ['month_number'],
  },
  {
    name: 'restrict_carrier',
    rows: 612,
    columns: { restrict_code: 'char(5)', airline_code: 'char(2)' },
    primaryKey: ['restrict_code', 'airline_code'],
  },
  {
    name: 'restrict_class',
    rows: 4,
    columns: { restrict_code: 'char(5)', ex_fare_class: 'char(12)' },
    primaryKey: ['restrict_code', 'ex_fare_class'],
  },
  {
    name: 'restriction',
    rows: 65,
    columns: {
      restrict_code: 'char(5)',
      application: 'char(80)',
      no_discounts: 'char(80)',
      reserve_ticket: 'smallint',
      stopovers: 'char(1)',
      return_min: 'smallint',
      return_max: 'smallint',
    },
    primaryKey: ['restrict_code'],
  },
  {
    name: 'state',
    rows: 63,
    columns: { state_code: 'char(2)', state_name: 'char(25)', country_name: 'char(25)' },
    primaryKey: ['state_code'],
  },
  {
    name: 'stop1',
    rows: 69,
    columns: { flight_code: 'int', stop_number: 'tinyint', stop_flight: 'int' },
    primaryKey: ['flight_code', 'stop_number'],
  },
  {
    name: 'time_zone',
    rows: 9,
    columns: { time_zone_code: 'char(3)', time_zone_name: 'char(32)' },
    primaryKey: ['time_zone_code', 'time_zone_name'],
  },
  {
    name: 'transport',
    rows: 4,
    columns: { transport_code: 'char(1)', transport_desc: 'char(32)' },
    primaryKey: ['transport_code'],
  },
];

export const ATIS_TABLE_NAMES: readonly string[] = ATIS_TABLES.map(({ name }) => name);

/** 9,768 */
export const ATIS_ROWS = ATIS_TABLES.reduce((sum, { rows }) => sum + rows, 0);

/** `createOptions` is what the user wants after the closing bracket, such as `ENGINE=InnoDB`. */
export function createTableSql(table: AtisTable, createOptions: string): string {
  const { name, columns, primaryKey, indexes = [] } = table;
  const parts = [
    ...Object.entries(columns).map(([column, type]) => `${quoteName(column)} ${type} NOT NULL`),
    `PRIMARY KEY (${primaryKey.map(quoteName).join(', ')})`,
    ...indexes.map((column) => `KEY (${quoteName(column)})`),
  ];
  return `CREATE TABLE ${name} (${parts.join(', ')}) ${createOptions}`.trimEnd();
}

/** With a placeholder for every value. */
export function insertSql({ name, columns }: AtisTable, rows: number): string {
  const row = `(${Object.keys(columns).fill('?').join(',')})`;
  return `INSERT INTO ${name} VALUES ${Array(rows).fill(row).join(',')}`;
}
