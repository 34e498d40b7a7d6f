/**
 * The 579 flights: which routes there are, who flies them in what, when, and with how many stops. All of it is
 * structure: the counts of ten queries hang on it, and each step below says which.
 */
import { assert } from '../../../base/assert.ts';
import type { Random } from '../../../base/random.ts';
import { EVERY_DAY } from './calendar.ts';
import { pick, shuffled, structureRandom } from './draws.ts';
import { FLEET_SIZES, fleetOf, USED_KINDS } from './fleet.ts';
import { AIRPORTS, type Airport, clockAheadMinutes, milesBetween } from './places.ts';

export interface Route {
  readonly from: Airport;
  readonly to: Airport;
  readonly miles: number;
  readonly clockAheadMinutes: number;
  /** Numbers of those that fly it. */
  readonly airlines: readonly number[];
}

export interface Flight {
  readonly route: Route;
  readonly airline: number;
  /** A place in `USED_KINDS`. */
  kind: number;
  stops: number;
  elapsedMinutes: number;
  /** Minutes since midnight, by the clocks of the two airports. */
  departure: number;
  arrival: number;
  readonly days: number;
}

export interface Network {
  readonly routes: readonly Route[];
  /** By route. */
  readonly flights: readonly Flight[];
}

const FLIGHTS = 579;
/** Too near, or too little wanted: 66 of 72 routes are left, and all 14 pairs of time zones among them. */
const NOT_FLOWN = ['BOS PVD', 'PVD BOS', 'PVD SJC', 'SJC PVD', 'PVD SLC', 'SLC PVD'];
const AIRLINES_PER_ROUTE = 3;
/** No turboprop goes further. */
const TURBOPROP_MILES_MAX = 700;

/** Takes no seed: there is one network. */
export function makeNetwork(): Network {
  const random = structureRandom('network');
  const routes = makeRoutes(random);
  const flights = flightsPerRoute(routes).flatMap((count, at) => makeFlights(routes[at] as Route, count, random));
  useEveryKind(flights);
  giveStops(flights, random);
  giveElapsed(flights);
  giveTimes(routes, flights, random);
  return { routes, flights };
}

function makeRoutes(random: Random): Route[] {
  const pairs = AIRPORTS.flatMap((from) => AIRPORTS.map((to) => ({ from, to })));
  return pairs
    .filter(({ from, to }) => from !== to && !NOT_FLOWN.includes(`${from.code} ${to.code}`))
    .map(({ from, to }, at) => ({
      from,
      to,
      miles: milesBetween(from, to),
      clockAheadMinutes: clockAheadMinutes(from, to),
      airlines: airlinesOfRoute(at, random),
    }));
}

/** The large ones come everywhere; one after the other, so that all have routes. */
function airlinesOfRoute(route: number, random: Random): number[] {
  const size = FLEET_SIZES.length;
  const first = route % size;
  const others = shuffled(
    FLEET_SIZES.map((_, airline) => airline).filter((airline) => airline !== first),
    random,
  );
  return [first, ...others.slice(0, AIRLINES_PER_ROUTE - 1)];
}

/** One each, and the rest by the weight of both airports: the largest fractions are rounded up. */
function flightsPerRoute(routes: readonly Route[]): number[] {
  const weights = routes.map(({ from, to }) => from.weight * to.weight);
  const weightOfAll = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => (weight / weightOfAll) * (FLIGHTS - routes.length));
  const counts = shares.map((share) => 1 + Math.floor(share));
  const missing = FLIGHTS - counts.reduce((sum, count) => sum + count, 0);
  const byFraction = shares
    .map((share, at) => ({ at, fraction: share - Math.floor(share) }))
    .sort((one, other) => other.fraction - one.fraction);
  for (const { at } of byFraction.slice(0, missing)) counts[at] = (counts[at] ?? 0) + 1;
  return counts;
}

function makeFlights(route: Route, count: number, random: Random): Flight[] {
  return Array.from({ length: count }, (_, number) => {
    const airline = route.airlines[number % AIRLINES_PER_ROUTE] as number;
    const fitting = fleetOf(airline).filter((kind) => mayFly(kind, route));
    return {
      route,
      airline,
      kind: pick(fitting, random),
      stops: 0,
      elapsedMinutes: 0,
      departure: 0,
      arrival: 0,
      days: random.next() < 0.7 ? EVERY_DAY : random.integer(1, EVERY_DAY),
    };
  });
}

function mayFly(kind: number, { miles }: Route): boolean {
  return isJet(kind) || miles <= TURBOPROP_MILES_MAX;
}

function isJet(kind: number): boolean {
  return USED_KINDS[kind]?.category === 'JET';
}

function rangeOf({ kind }: Flight): number {
  return USED_KINDS[kind]?.rangeMiles ?? 0;
}

/** Every airline flies every kind that it has: 44 pairs, 22 kinds. */
function useEveryKind(flights: readonly Flight[]): void {
  for (const airline of FLEET_SIZES.keys()) {
    const own = flights.filter((flight) => flight.airline === airline);
    for (const kind of fleetOf(airline)) {
      if (own.some((flight) => flight.kind === kind)) continue;
      const spare = own.find(
        (flight) => mayFly(kind, flight.route) && own.filter((other) => other.kind === flight.kind).length > 1,
      );
      assert(spare !== undefined, `airline ${airline} has a flight to spare for kind ${kind}`);
      spare.kind = kind;
    }
  }
}

/** Of an airline on a route, the flights with stops: 29 of such groups, five of them with two flights. */
const STOP_GROUPS = 29;
const STOP_GROUPS_OF_TWO = 5;
/** Of the 34, so many in jets whose range is not known: the other 30 have five classes each, and 150 in all. */
const STOPS_IN_UNKNOWN_JETS = 4;
/** Nobody stops on the way to a neighbour. */
const STOP_MILES_MIN = 600;

function giveStops(flights: readonly Flight[], random: Random): void {
  const isFit = (flight: Flight) => isJet(flight.kind) && flight.route.miles >= STOP_MILES_MIN;
  const groups = new Map<string, Flight[]>();
  for (const flight of flights.filter(isFit)) {
    const key = groupOf(flight);
    groups.set(key, [...(groups.get(key) ?? []), flight]);
  }
  const drawn = shuffled([...groups.values()], random);
  const known = (group: readonly Flight[]) => group.filter((flight) => rangeOf(flight) > 0);
  const unknown = (group: readonly Flight[]) => group.filter((flight) => rangeOf(flight) === 0);
  const taken = [
    ...take(drawn, STOPS_IN_UNKNOWN_JETS, (group) => unknown(group).slice(0, 1)),
    ...take(drawn, STOP_GROUPS_OF_TWO, (group) => (known(group).length > 1 ? known(group).slice(0, 2) : [])),
    ...take(drawn, STOP_GROUPS - STOPS_IN_UNKNOWN_JETS - STOP_GROUPS_OF_TWO, (group) => known(group).slice(0, 1)),
  ];
  for (const flight of taken) flight.stops = 1;
  const longest = taken.reduce((one, other) => (other.route.miles > one.route.miles ? other : one));
  longest.stops = 2;
}

function groupOf({ route, airline }: Flight): string {
  return `${route.from.code} ${route.to.code} ${airline}`;
}

/** Takes `count` groups out of those that are left, and of each what `of` chooses: nothing where it does not fit. */
function take(groups: Flight[][], count: number, of: (group: readonly Flight[]) => readonly Flight[]): Flight[] {
  const chosen: Flight[] = [];
  for (let taken = 0; taken < count; taken++) {
    const at = groups.findIndex((group) => of(group).length > 0);
    assert(at >= 0, 'there is another group of flights that may have stops');
    chosen.push(...of(groups[at] as Flight[]));
    groups.splice(at, 1);
  }
  return chosen;
}

/** Kinds of (route, range, time) among the flights whose range is known. */
const TIMES_ON_ROUTES = 409;
const CRUISE_MILES_PER_MINUTE = 8;
const TURBOPROP_MILES_PER_MINUTE = 5;
const TAXI_MINUTES = 30;
const STOP_MINUTES = 45;

/** No two alike on a route with one range, but for as many as there are too many. */
function giveElapsed(flights: readonly Flight[]): void {
  let alike = flights.filter((flight) => rangeOf(flight) > 0).length - TIMES_ON_ROUTES;
  const known = new Map<string, Flight[]>();
  for (const flight of flights) {
    const { route, stops } = flight;
    const speed = isJet(flight.kind) ? CRUISE_MILES_PER_MINUTE : TURBOPROP_MILES_PER_MINUTE;
    const usual = Math.round(TAXI_MINUTES + route.miles / speed) + stops * STOP_MINUTES;
    const key = `${route.from.code} ${route.to.code} ${rangeOf(flight)}`;
    const before = rangeOf(flight) > 0 ? (known.get(key) ?? []) : [];
    const twin = stops === 0 ? before.find((other) => other.stops === 0) : undefined;
    flight.elapsedMinutes = alike > 0 && twin !== undefined ? twin.elapsedMinutes : freeTime(usual, before);
    if (alike > 0 && twin !== undefined) alike--;
    known.set(key, [...before, flight]);
  }
  assert(alike === 0, 'there are flights enough that may take equally long');
}

function freeTime(usual: number, taken: readonly Flight[]): number {
  let minutes = usual;
  while (taken.some(({ elapsedMinutes }) => elapsedMinutes === minutes)) minutes += 3;
  return minutes;
}

const DAY_MINUTES = 1_440;
const FIRST_DEPARTURE = 6 * 60;
const LAST_DEPARTURE = 22 * 60;
/**
 * Between these zones one flight lands after midnight, where the plain difference of the clocks is a day off: with the
 * 14 pairs of zones, 21 differences.
 */
const OVERNIGHT = ['PST EST', 'PST CST', 'PST MST', 'MST EST', 'MST CST', 'CST EST', 'EST EST'];
const OVERNIGHT_DEPARTURE_MIN = 21 * 60;

function giveTimes(routes: readonly Route[], flights: readonly Flight[], random: Random): void {
  const overnight = OVERNIGHT.map((pair) => lastOf(flights, pair));
  for (const route of routes) {
    const own = flights.filter((flight) => flight.route === route);
    for (const [number, flight] of own.entries()) {
      const onClocks = flight.elapsedMinutes + route.clockAheadMinutes;
      const last = Math.min(LAST_DEPARTURE, DAY_MINUTES - 1 - onClocks);
      const even = FIRST_DEPARTURE + ((last - FIRST_DEPARTURE) * (number + random.next())) / own.length;
      flight.departure = overnight.includes(flight)
        ? Math.max(OVERNIGHT_DEPARTURE_MIN, DAY_MINUTES - onClocks + 10)
        : Math.floor(even);
      flight.arrival = (flight.departure + onClocks) % DAY_MINUTES;
    }
  }
}

/** One without stops, which the connections can do without. */
function lastOf(flights: readonly Flight[], pair: string): Flight {
  const fits = flights.filter(({ route, stops }) => stops === 0 && `${route.from.zone} ${route.to.zone}` === pair);
  const last = fits.at(-1);
  assert(last !== undefined, `there is a flight from ${pair}`);
  return last;
}

export function isOvernight({ departure, arrival, route, elapsedMinutes }: Flight): boolean {
  return arrival - departure !== elapsedMinutes + route.clockAheadMinutes;
}
