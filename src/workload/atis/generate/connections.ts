/** Journeys of two and of three flights, and the flights of which those with stops consist. */
import { assert } from '../../../base/assert.ts';
import type { Random } from '../../../base/random.ts';
import type { AtisRow } from '../data-file.ts';
import { dayMask, EVERY_DAY } from './calendar.ts';
import { shuffled, structureRandom } from './draws.ts';
import { type Flight, isOvernight } from './network.ts';

/** 23 times three flights and 141 times two: 164 connections with 351 legs. */
const CONNECTIONS_OF_THREE = 23;
const CONNECTIONS_OF_TWO = 141;
const LAYOVER_MINUTES_MIN = 40;
const LAYOVER_MINUTES_MAX = 180;
const FIRST_CONNECT_CODE = 300_000;

/** `codeOf` and `clock`: as the flights' own table has them. */
export interface FlightTerms {
  codeOf(flight: Flight): number;
  clock(minutes: number): number;
}

export function connectionTables(
  flights: readonly Flight[],
  { codeOf, clock }: FlightTerms,
): Record<string, readonly AtisRow[]> {
  const journeys = makeJourneys(flights);
  return {
    fconnection: journeys.map((legs, at) => {
      const first = legs[0] as Flight;
      const last = legs.at(-1) as Flight;
      return [
        FIRST_CONNECT_CODE + at,
        first.route.from.code,
        last.route.to.code,
        clock(first.departure),
        clock(last.arrival),
        dayMask(EVERY_DAY),
        legs.reduce((sum, { stops }) => sum + stops, 0),
        legs.length - 1,
        elapsedOf(legs),
      ];
    }),
    connect_leg: journeys.flatMap((legs, at) =>
      legs.map((leg, number) => [FIRST_CONNECT_CODE + at, number + 1, codeOf(leg)]),
    ),
    stop1: flights.flatMap((flight) =>
      hopsOf(flight, flights).map((hop, number) => [codeOf(flight), number + 1, codeOf(hop)]),
    ),
  };
}

function elapsedOf(legs: readonly Flight[]): number {
  return legs.reduce((sum, leg, at) => {
    const before = legs[at - 1];
    return sum + leg.elapsedMinutes + (before === undefined ? 0 : leg.departure - before.arrival);
  }, 0);
}

function makeJourneys(flights: readonly Flight[]): Flight[][] {
  const usable = flights.filter((flight) => flight.days === EVERY_DAY && !isOvernight(flight));
  const random = structureRandom('connections');
  const starts = shuffled(usable, random);
  const journeys: Flight[][] = [];
  for (const first of starts) {
    const legsWanted = journeys.length < CONNECTIONS_OF_THREE ? 3 : 2;
    const legs = extend([first], usable, legsWanted, random);
    if (legs !== undefined) journeys.push(legs);
    if (journeys.length === CONNECTIONS_OF_THREE + CONNECTIONS_OF_TWO) break;
  }
  assert(journeys.length === CONNECTIONS_OF_THREE + CONNECTIONS_OF_TWO, 'there are connections enough');
  return journeys.sort((one, other) => flights.indexOf(one[0] as Flight) - flights.indexOf(other[0] as Flight));
}

function extend(
  legs: readonly Flight[],
  usable: readonly Flight[],
  wanted: number,
  random: Random,
): Flight[] | undefined {
  if (legs.length === wanted) return [...legs];
  const last = legs.at(-1) as Flight;
  const visited = [...legs.map(({ route }) => route.from), last.route.to];
  const next = usable.filter(({ route, departure }) => {
    const layover = departure - last.arrival;
    const isInTime = layover >= LAYOVER_MINUTES_MIN && layover <= LAYOVER_MINUTES_MAX;
    return isInTime && route.from === last.route.to && !visited.includes(route.to);
  });
  for (const leg of shuffled(next, random)) {
    const whole = extend([...legs, leg], usable, wanted, random);
    if (whole !== undefined) return whole;
  }
  return undefined;
}

/** From the first airport to the last, over as many others as there are stops. */
function hopsOf({ route, stops }: Flight, flights: readonly Flight[]): Flight[] {
  if (stops === 0) return [];
  const between = (from: string, to: string) =>
    flights.find((hop) => hop.stops === 0 && hop.route.from.code === from && hop.route.to.code === to);
  const over = [...new Set(flights.map(({ route: { from } }) => from.code))].filter(
    (code) => code !== route.from.code && code !== route.to.code,
  );
  const chains = over.flatMap((one) => (stops === 1 ? [[one]] : over.map((other) => [one, other])));
  for (const chain of chains) {
    const stations = [route.from.code, ...chain, route.to.code];
    const hops = stations.slice(1).map((to, at) => between(stations[at] ?? '', to));
    const found = hops.filter((hop) => hop !== undefined);
    if (found.length === stops + 1) return found;
  }
  throw new Error(`Nobody flies from ${route.from.code} to ${route.to.code} with ${stops} stops.`);
}
