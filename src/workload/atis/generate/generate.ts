/**
 * Rows of our own for the 28 tables: as many as in the original files, and such that every query gives as many rows.
 * Airports are real ones; airlines, aircraft, flights and fares are invented.
 */
import type { AtisRow } from '../data-file.ts';
import { calendarTables, dayMask } from './calendar.ts';
import { CLASS_STRINGS, classTables, MEAL_CODES } from './classes.ts';
import { connectionTables } from './connections.ts';
import { nameRandom, pick } from './draws.ts';
import { fareTables } from './fares.ts';
import { type FleetNames, fleetTables } from './fleet.ts';
import { type Flight, makeNetwork } from './network.ts';
import { placeTables } from './places.ts';

/** By the table's name. Equal seeds give equal rows; the row counts of tables and queries depend on no seed. */
export function generateData(seed: number): Readonly<Record<string, readonly AtisRow[]>> {
  const network = makeNetwork();
  const fleet = fleetTables(seed);
  const codes = flightCodes(network.flights, seed);
  const codeOf = (flight: Flight) => codes.get(flight) ?? 0;
  return {
    ...calendarTables(),
    ...classTables(),
    ...placeTables(seed),
    ...fleet.tables,
    ...flightTables(network.flights, { codeOf, fleet, seed }),
    ...connectionTables(network.flights, { codeOf, clock }),
    ...fareTables(network, { codeOf, ...fleet }, seed),
  };
}

/** Rising, with gaps. */
function flightCodes(flights: readonly Flight[], seed: number): Map<Flight, number> {
  const random = nameRandom(seed, 'flight codes');
  let code = 200_000 + random.integer(0, 50_000);
  return new Map(
    flights.map((flight) => {
      code += random.integer(1, 60);
      return [flight, code];
    }),
  );
}

/** Minutes since midnight as hours and minutes together: 1435. */
function clock(minutes: number): number {
  return Math.floor(minutes / 60) * 100 + (minutes % 60);
}

interface FlightTerms {
  readonly codeOf: (flight: Flight) => number;
  readonly fleet: FleetNames;
  readonly seed: number;
}

function flightTables(flights: readonly Flight[], { codeOf, fleet, seed }: FlightTerms) {
  const random = nameRandom(seed, 'flights');
  const classesOf = (flight: Flight) => CLASS_STRINGS[flight.airline % CLASS_STRINGS.length] ?? '';
  return {
    flight: flights.map(
      (flight, at): AtisRow => [
        codeOf(flight),
        dayMask(flight.days),
        flight.route.from.code,
        flight.route.to.code,
        clock(flight.departure),
        clock(flight.arrival),
        fleet.airlineCodes[flight.airline] ?? '',
        // No two alike: a query groups by it.
        100 + 4 * at + random.integer(0, 3),
        classesOf(flight),
        fleet.kindCodes[flight.kind] ?? '',
        pick(MEAL_CODES, random),
        flight.stops,
        random.next() < 0.05 ? 'Y' : 'N',
        flight.elapsedMinutes,
      ],
    ),
    flight_class: flights.flatMap((flight) =>
      [...classesOf(flight)].map((letter): AtisRow => [codeOf(flight), letter]),
    ),
  };
}
