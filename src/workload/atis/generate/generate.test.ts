/** Rows and results of the generated data, reckoned here without a server; all 44 queries run in test/server. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AtisValue } from '../data-file.ts';
import { parseDataFile } from '../data-file.ts';
import { ATIS_TABLES } from '../tables.ts';
import { generateData } from './generate.ts';

type Row = Readonly<Record<string, AtisValue>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

/** Rows with names in place of places. */
function tablesOf(seed: number): Tables {
  const data = generateData(seed);
  return Object.fromEntries(
    ATIS_TABLES.map(({ name, columns }) => [
      name,
      (data[name] ?? []).map((row) =>
        Object.fromEntries(Object.keys(columns).map((column, at) => [column, row[at] as AtisValue])),
      ),
    ]),
  );
}

function distinct(rows: readonly Row[], ...columns: readonly string[]): number {
  return new Set(rows.map((row) => columns.map((column) => row[column]).join('|'))).size;
}

/** Each row of `rows`, with that of `others` added whose `key` is the row's `column`. */
function joined(rows: readonly Row[], column: string, others: readonly Row[], key = column): Row[] {
  const byKey = new Map(others.map((other) => [other[key], other]));
  return rows.flatMap((row) => {
    const other = byKey.get(row[column] as AtisValue);
    return other === undefined ? [] : [{ ...other, ...row }];
  });
}

function minutes(time: AtisValue | undefined): number {
  return Math.floor(Number(time) / 100) * 60 + (Number(time) % 100);
}

/** Rows that the queries give, as far as they hang on more than one table's size. */
function resultsOf(tables: Tables) {
  const { flight = [], aircraft = [], airline = [], airport = [], fare = [], restrict_carrier = [] } = tables;
  const flown = joined(joined(flight, 'aircraft_code', aircraft), 'airline_code', airline);
  const carriers = (code: AtisValue | undefined) => restrict_carrier.filter((row) => row['restrict_code'] === code);
  const known = flown.filter(({ range_miles }) => range_miles !== 0);
  const zoneOf = new Map(airport.map((row) => [row['airport_code'], row['time_zone_code']]));
  const clocks = flight.map(({ from_airport = '', to_airport = '', arrival_time, departure_time, time_elapsed }) => ({
    zones: `${zoneOf.get(from_airport)} ${zoneOf.get(to_airport)}`,
    hours: (minutes(arrival_time) - minutes(departure_time) - Number(time_elapsed)) / 60,
  }));
  const within = clocks.map(({ zones, hours }) => ({ zones, hours: ((hours + 36) % 24) - 12 }));
  const stopping = known.filter(({ stops }) => stops === 1 || stops === 2);
  const stateOf = new Map(airport.map((row) => [row['airport_code'], row['state_code']]));
  const services = joined(tables['airport_service'] ?? [], 'city_code', tables['city'] ?? []).filter(
    ({ airport_code = '', state_code, time_zone_code }) =>
      stateOf.get(airport_code) === state_code && zoneOf.get(airport_code) === time_zone_code,
  );
  return {
    flown: flown.length,
    fleets: distinct(flown, 'airline_name', 'aircraft_type'),
    aircraftUsed: distinct(flight, 'aircraft_code'),
    departures: distinct(flight, 'from_airport'),
    categories: distinct(aircraft, 'category'),
    restricted: fare.reduce((sum, { restrict_code }) => sum + carriers(restrict_code).length, 0),
    flightsWithFares: distinct(tables['flight_fare'] ?? [], 'flight_code'),
    classesWithStops: distinct(
      (tables['flight_class'] ?? []).flatMap((row) => joined([row], 'flight_code', stopping)),
      'flight_number',
      'range_miles',
      'fare_class',
    ),
    clockDifferences: distinct(clocks, 'zones', 'hours'),
    clockDifferencesWithinDay: distinct(within, 'zones', 'hours'),
    rangesOnRoutes: distinct(known, 'from_airport', 'to_airport', 'range_miles', 'time_elapsed'),
    jetRoutesWithStops: distinct(
      flown.filter(({ category, stops }) => category === 'JET' && Number(stops) > 0),
      'from_airport',
      'to_airport',
      'airline_code',
    ),
    faresAsked: fare.filter(
      ({ from_airport, to_airport, one_way_cost }) =>
        from_airport === 'SFO' && to_airport === 'DFW' && Number(one_way_cost) >= 280 && Number(one_way_cost) <= 825,
    ).length,
    services: distinct(services, 'state_code', 'city_name', 'direction'),
  };
}

const WANTED = {
  flown: 579,
  fleets: 44,
  aircraftUsed: 22,
  departures: 9,
  categories: 6,
  restricted: 5_692,
  flightsWithFares: 579,
  classesWithStops: 150,
  clockDifferences: 21,
  clockDifferencesWithinDay: 14,
  rangesOnRoutes: 409,
  jetRoutesWithStops: 29,
  faresAsked: 10,
  services: 11,
};

const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
/** Each makes all tables a few times. */
const RUNS = { numRuns: 8 };

test('the results of the queries hang on no seed', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      expect(resultsOf(tablesOf(seed))).toEqual(WANTED);
    }),
    RUNS,
  );
});

test('nor do the numbers of rows, all of which fit their columns, and no two of which have one key', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const data = generateData(seed);
      const tables = tablesOf(seed);
      for (const table of ATIS_TABLES) {
        const lines = (data[table.name] ?? []).map((row) => row.map(asInFile).join(','));
        // The check of the files looks at types, lengths and the number of rows.
        expect(parseDataFile(lines.join('\n'), table)).toEqual(data[table.name]);
        expect(distinct(tables[table.name] ?? [], ...table.primaryKey), table.name).toBe(table.rows);
      }
    }),
    RUNS,
  );
});

function asInFile(value: AtisValue): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "\\'")}'`;
}

test('equal seeds give equal rows, other seeds other names', () => {
  expect(generateData(5)).toEqual(generateData(5));
  for (const name of ['airline', 'aircraft', 'flight', 'fare', 'restriction', 'flight_fare']) {
    expect(generateData(5)[name], name).not.toEqual(generateData(6)[name]);
  }
});

describe('the data makes sense', () => {
  const tables = tablesOf(3);
  const { flight = [], fare = [], fconnection = [], connect_leg = [], stop1 = [], flight_fare = [] } = tables;
  const flights = new Map(flight.map((row) => [row['flight_code'], row]));

  test('connections change where one flight lands and the next one leaves, with time enough', () => {
    for (const connection of fconnection) {
      const legs = connect_leg
        .filter(({ connect_code }) => connect_code === connection['connect_code'])
        .map(({ flight_code = 0 }) => flights.get(flight_code));
      expect(legs).toHaveLength(Number(connection['connections']) + 1);
      expect(legs[0]?.['from_airport']).toBe(connection['from_airport']);
      expect(legs.at(-1)?.['to_airport']).toBe(connection['to_airport']);
      for (const [at, leg] of legs.slice(1).entries()) {
        expect(leg?.['from_airport']).toBe(legs[at]?.['to_airport']);
        expect(minutes(leg?.['departure_time']) - minutes(legs[at]?.['arrival_time'])).toBeGreaterThanOrEqual(40);
      }
    }
  });

  test('a flight with stops consists of flights from its first airport to its last', () => {
    for (const row of flight.filter(({ stops }) => Number(stops) > 0)) {
      const hops = stop1
        .filter(({ flight_code }) => flight_code === row['flight_code'])
        .map(({ stop_flight = 0 }) => flights.get(stop_flight));
      expect(hops).toHaveLength(Number(row['stops']) + 1);
      expect(hops[0]?.['from_airport']).toBe(row['from_airport']);
      expect(hops.at(-1)?.['to_airport']).toBe(row['to_airport']);
    }
  });

  test('fares are for the route of their flights, and for nobody else than its airline', () => {
    const fares = new Map(fare.map((row) => [row['fare_code'], row]));
    for (const { flight_code = 0, fare_code = '' } of flight_fare) {
      const [of, its] = [flights.get(flight_code), fares.get(fare_code)];
      expect(its).toMatchObject({ from_airport: of?.['from_airport'], to_airport: of?.['to_airport'] });
      expect(['', of?.['airline_code']]).toContain(its?.['fare_airline']);
    }
  });

  test('all times are times of a day', () => {
    for (const { departure_time, arrival_time } of [...flight, ...fconnection]) {
      for (const time of [departure_time, arrival_time]) {
        expect(minutes(time)).toBeLessThan(1_440);
        expect(Number(time) % 100).toBeLessThan(60);
      }
    }
  });
});
