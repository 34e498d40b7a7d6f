/**
 * The 44 queries of test-ATIS in their five groups, each with the rows that it must give. What they ask is test-ATIS's,
 * the wording is ours; GROUP BY names all that is selected, as ONLY_FULL_GROUP_BY wants it.
 */

import { formatCount } from '../../base/units.ts';

export const SELECT_GROUPS = [
  'select_simple_join',
  'select_join',
  'select_key_prefix_join',
  'select_distinct',
  'select_group',
] as const;
export type SelectGroup = (typeof SELECT_GROUPS)[number];

export interface AtisQuery {
  readonly group: SelectGroup;
  readonly name: string;
  readonly sql: string;
  /** Rows in the result. */
  readonly rows: number;
  /** Listed by test-ATIS, and left out by it where it runs on MySQL. */
  readonly usesIf?: true;
}

/** Minutes since midnight, of a time written as hours and minutes together: 1435. */
function minutesOf(column: string): string {
  return `FLOOR(${column} / 100) * 60 + MOD(${column}, 100)`;
}

/** By how many hours the clocks at both ends of a flight differ, whole days off where it lands after midnight. */
const CLOCK_HOURS = `(${minutesOf('f.arrival_time')} - (${minutesOf('f.departure_time')}) - f.time_elapsed) / 60`;
/** The same, moved into a day around zero. */
const CLOCK_HOURS_WITHIN_DAY = `MOD(${CLOCK_HOURS} + 36, 24) - 12`;

const CITY_SERVICES =
  'SELECT p.country_name, s.state_name, c.city_name, v.direction FROM airport_service v ' +
  'JOIN city c ON c.city_code = v.city_code JOIN airport p ON p.airport_code = v.airport_code ' +
  'JOIN state s ON s.state_code = c.state_code WHERE p.state_code = s.state_code AND ' +
  'p.country_name = c.country_name AND p.country_name = s.country_name AND p.time_zone_code = c.time_zone_code ' +
  'GROUP BY p.country_name, s.state_name, c.city_name, v.direction';

function inGroup(group: SelectGroup, queries: readonly Omit<AtisQuery, 'group'>[]): AtisQuery[] {
  return queries.map((query) => ({ group, ...query }));
}

const SIMPLE_JOINS = inGroup('select_simple_join', [
  {
    name: 'city_in_state',
    sql:
      'SELECT c.city_code, c.city_name, s.state_name FROM city c JOIN state s ON s.state_code = c.state_code ' +
      "WHERE c.city_code = 'MATL'",
    rows: 1,
  },
  {
    name: 'cities_in_states',
    sql: 'SELECT c.city_code, c.city_name, s.state_name FROM state s JOIN city c ON c.state_code = s.state_code',
    rows: 11,
  },
  {
    name: 'months_and_days',
    sql: 'SELECT m.month_name, d.day_name FROM month_name m JOIN day_name d ON d.day_code = m.month_number',
    rows: 7,
  },
  {
    name: 'months_and_late_days',
    sql:
      'SELECT m.month_name, d.day_name FROM month_name m JOIN day_name d ON d.day_code = m.month_number ' +
      'WHERE d.day_code >= 4',
    rows: 4,
  },
  {
    name: 'aircraft_of_flights',
    sql: 'SELECT f.flight_code, a.aircraft_type FROM flight f JOIN aircraft a ON a.aircraft_code = f.aircraft_code',
    rows: 579,
  },
]);

const JOINS = inGroup('select_join', [
  {
    name: 'airline_and_aircraft_of_flights',
    sql:
      'SELECT l.airline_name, a.aircraft_type FROM aircraft a JOIN flight f ON f.aircraft_code = a.aircraft_code ' +
      'JOIN airline l ON l.airline_code = f.airline_code',
    rows: 579,
  },
]);

const KEY_PREFIX_JOINS = inGroup('select_key_prefix_join', [
  {
    name: 'restricted_carriers_of_fares',
    sql:
      'SELECT f.fare_code FROM restrict_carrier r JOIN airline l ON l.airline_code = r.airline_code ' +
      'JOIN fare f ON f.restrict_code = r.restrict_code',
    rows: 5_692,
  },
]);

const DISTINCTS = inGroup('select_distinct', [
  { name: 'distinct_categories', sql: 'SELECT DISTINCT category FROM aircraft', rows: 6 },
  { name: 'distinct_departures', sql: 'SELECT DISTINCT from_airport FROM flight', rows: 9 },
  { name: 'distinct_aircraft', sql: 'SELECT DISTINCT aircraft_code FROM flight', rows: 22 },
  { name: 'distinct_fares', sql: 'SELECT DISTINCT * FROM fare', rows: 534 },
  { name: 'distinct_flights_with_fares', sql: 'SELECT DISTINCT flight_code FROM flight_fare', rows: 579 },
  {
    name: 'distinct_flights_and_aircraft',
    sql:
      'SELECT DISTINCT f.flight_code, a.aircraft_type FROM flight f ' +
      'JOIN aircraft a ON a.aircraft_code = f.aircraft_code',
    rows: 579,
  },
  {
    name: 'distinct_fleets',
    sql:
      'SELECT DISTINCT l.airline_name, a.aircraft_type FROM aircraft a ' +
      'JOIN flight f ON f.aircraft_code = a.aircraft_code JOIN airline l ON l.airline_code = f.airline_code',
    rows: 44,
  },
  {
    name: 'distinct_fleets_by_airline',
    sql:
      'SELECT DISTINCT l.airline_name, a.aircraft_type FROM airline l ' +
      'JOIN flight f ON f.airline_code = l.airline_code JOIN aircraft a ON a.aircraft_code = f.aircraft_code',
    rows: 44,
  },
]);

const DAY_GROUPS = inGroup('select_group', [
  {
    name: 'masks_by_day_name',
    sql:
      'SELECT d.day_name, COUNT(*) FROM flight_day m JOIN day_name d ON d.day_code = m.day_code ' +
      'GROUP BY d.day_name ORDER BY d.day_name',
    rows: 7,
  },
  {
    name: 'masks_by_day',
    sql:
      'SELECT d.day_name, COUNT(*) FROM flight_day m JOIN day_name d ON d.day_code = m.day_code ' +
      'GROUP BY d.day_name, d.day_code ORDER BY d.day_code',
    rows: 7,
  },
  {
    name: 'months_by_late_day',
    sql:
      'SELECT m.month_name, d.day_name, COUNT(*) FROM month_name m JOIN day_name d ON d.day_code = m.month_number ' +
      'WHERE d.day_code >= 4 GROUP BY m.month_name, d.day_name',
    rows: 4,
  },
  {
    name: 'masks_by_day_code',
    sql: 'SELECT day_code, COUNT(*) FROM flight_day GROUP BY day_code ORDER BY day_code',
    rows: 7,
  },
]);

const AGGREGATES = inGroup('select_group', [
  { name: 'engines_sum', sql: 'SELECT SUM(engines) FROM aircraft', rows: 1 },
  { name: 'engines_mean', sql: 'SELECT AVG(engines) FROM aircraft', rows: 1 },
  { name: 'engines_mean_known', sql: 'SELECT AVG(engines) FROM aircraft WHERE engines > 0', rows: 1 },
  {
    name: 'pay_load_extremes',
    sql: 'SELECT COUNT(*), MIN(pay_load), MAX(pay_load) FROM aircraft WHERE pay_load > 0',
    rows: 1,
  },
  { name: 'flight_code_extremes', sql: 'SELECT MIN(flight_code), MAX(flight_code) FROM flight', rows: 1 },
  { name: 'first_airports', sql: 'SELECT MIN(from_airport), MIN(to_airport) FROM flight', rows: 1 },
  { name: 'heavy_count', sql: 'SELECT COUNT(*) FROM aircraft WHERE pay_load > 10000', rows: 1 },
  { name: 'pay_load_known_count', sql: 'SELECT COUNT(*) FROM aircraft WHERE pay_load <> 0', rows: 1 },
  { name: 'late_flight_codes', sql: 'SELECT COUNT(*) FROM flight WHERE flight_code >= 112793', rows: 1 },
  { name: 'pay_load_count_by_if', sql: 'SELECT COUNT(IF(pay_load, 1, NULL)) FROM aircraft', rows: 1, usesIf: true },
  { name: 'engines_deviation', sql: 'SELECT STD(engines) FROM aircraft', rows: 1 },
]);

const GROUPS = inGroup('select_group', [
  {
    name: 'atlanta_boston_mean_time',
    sql:
      "SELECT from_airport, to_airport, AVG(time_elapsed) FROM flight WHERE from_airport = 'ATL' AND " +
      "to_airport = 'BOS' GROUP BY from_airport, to_airport",
    rows: 1,
  },
  {
    name: 'ground_fare_by_city',
    sql: 'SELECT city_code, AVG(ground_fare) FROM ground_service WHERE ground_fare <> 0 GROUP BY city_code',
    rows: 11,
  },
  {
    name: 'ground_services_by_city',
    sql: 'SELECT COUNT(*), city_code FROM ground_service GROUP BY city_code',
    rows: 12,
  },
  {
    name: 'large_categories_by_alias',
    sql: 'SELECT category, COUNT(*) AS kinds FROM aircraft GROUP BY category HAVING kinds > 10',
    rows: 3,
  },
  {
    name: 'large_categories',
    sql: 'SELECT category, COUNT(*) FROM aircraft GROUP BY category HAVING COUNT(*) > 10',
    rows: 3,
  },
  {
    name: 'classes_of_flights_with_stops',
    sql:
      'SELECT f.flight_number, a.range_miles, c.fare_class FROM aircraft a ' +
      'JOIN flight f ON f.aircraft_code = a.aircraft_code JOIN flight_class c ON c.flight_code = f.flight_code ' +
      'WHERE a.range_miles <> 0 AND (f.stops = 1 OR f.stops = 2) ' +
      'GROUP BY f.flight_number, a.range_miles, c.fare_class',
    rows: 150,
  },
  {
    name: 'clock_differences',
    sql:
      `SELECT DISTINCT d.time_zone_code AS from_zone, e.time_zone_code AS to_zone, ${CLOCK_HOURS} AS hours ` +
      'FROM flight f JOIN airport d ON d.airport_code = f.from_airport ' +
      'JOIN airport e ON e.airport_code = f.to_airport ' +
      'GROUP BY d.time_zone_code, e.time_zone_code, f.arrival_time, f.departure_time, f.time_elapsed',
    rows: 21,
  },
  {
    name: 'clock_differences_within_day',
    sql:
      `SELECT DISTINCT d.time_zone_code AS from_zone, e.time_zone_code AS to_zone, ${CLOCK_HOURS_WITHIN_DAY} AS hours ` +
      'FROM flight f JOIN airport d ON d.airport_code = f.from_airport ' +
      `JOIN airport e ON e.airport_code = f.to_airport WHERE ${CLOCK_HOURS_WITHIN_DAY} < 10 ` +
      'GROUP BY d.time_zone_code, e.time_zone_code, f.arrival_time, f.departure_time, f.time_elapsed',
    rows: 14,
  },
  {
    name: 'ranges_on_routes',
    sql:
      'SELECT f.from_airport, f.to_airport, a.range_miles, f.time_elapsed FROM aircraft a ' +
      'JOIN flight f ON f.aircraft_code = a.aircraft_code WHERE f.from_airport <> f.to_airport AND ' +
      'a.range_miles <> 0 AND f.time_elapsed <> 0 ' +
      'GROUP BY f.from_airport, f.to_airport, a.range_miles, f.time_elapsed',
    rows: 409,
  },
  { name: 'city_services_by_state', sql: `${CITY_SERVICES} ORDER BY s.state_name`, rows: 11 },
  { name: 'city_services_by_state_descending', sql: `${CITY_SERVICES} ORDER BY s.state_name DESC`, rows: 11 },
  { name: 'city_services_by_city', sql: `${CITY_SERVICES} ORDER BY c.city_name`, rows: 11 },
  {
    name: 'san_francisco_dallas_fares',
    sql:
      'SELECT fare_code, fare_class, fare_airline, one_way_cost, COUNT(*) FROM fare ' +
      "WHERE from_airport = 'SFO' AND to_airport = 'DFW' AND one_way_cost BETWEEN 280 AND 825 " +
      'GROUP BY fare_code, fare_class, fare_airline, one_way_cost ORDER BY one_way_cost',
    rows: 10,
  },
  {
    name: 'jet_routes_with_stops',
    sql:
      'SELECT f.from_airport, f.to_airport, f.airline_code, MAX(f.stops) FROM flight f ' +
      "JOIN aircraft a ON a.aircraft_code = f.aircraft_code WHERE a.category = 'JET' AND f.stops > 0 " +
      'GROUP BY f.from_airport, f.to_airport, f.airline_code',
    rows: 29,
  },
]);

export const ATIS_QUERIES: readonly AtisQuery[] = [
  ...SIMPLE_JOINS,
  ...JOINS,
  ...KEY_PREFIX_JOINS,
  ...DISTINCTS,
  ...DAY_GROUPS,
  ...AGGREGATES,
  ...GROUPS,
];

/** `withIf`: also the query that test-ATIS leaves out on MySQL. */
export function queriesOf(group: SelectGroup, withIf: boolean): AtisQuery[] {
  return ATIS_QUERIES.filter((query) => query.group === group && (withIf || query.usesIf !== true));
}

export function counted(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}
