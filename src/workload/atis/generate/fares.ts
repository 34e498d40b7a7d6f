/** What flights cost: 534 fares, which of them go with which flight, and the restrictions on them. */
import { assert } from '../../../base/assert.ts';
import type { Random } from '../../../base/random.ts';
import type { AtisRow } from '../data-file.ts';
import { nameRandom, pick, shuffled, structureRandom } from './draws.ts';
import type { Flight, Route } from './network.ts';

interface Fare {
  readonly route: Route;
  /** Undefined: with whoever flies there. */
  readonly airline: number | undefined;
  /** One-way and in dollars. */
  readonly cost: number;
  /** Index of a restriction, or undefined. */
  restriction: number | undefined;
}

const FARES_PER_ROUTE = 6;
const FARES_OF_AIRLINES_PER_ROUTE = 2;
/** On top of those, from San Francisco to Dallas: 66 routes with 8 fares, and these, are 534. */
const FARES_MORE = 6;
/** Between 280 and 825 dollars, as a query asks for. */
const FARES_IN_RANGE = 10;
const FARES_OUTSIDE: readonly number[] = [129, 199, 869, 1_049];

export interface FareTerms {
  codeOf(flight: Flight): number;
  readonly airlineCodes: readonly string[];
  readonly allAirlineCodes: readonly string[];
}

export function fareTables(
  { routes, flights }: { readonly routes: readonly Route[]; readonly flights: readonly Flight[] },
  terms: FareTerms,
  seed: number,
): Record<string, readonly AtisRow[]> {
  const random = nameRandom(seed, 'fares');
  const fares = routes.flatMap((route) => faresOf(route, random));
  restrict(fares);
  const firstCode = 5_000_000 + random.integer(0, 900_000);
  const codeOfFare = new Map(fares.map((fare, at) => [fare, String(firstCode + at)]));
  return {
    fare: fares.map((fare) => [
      codeOfFare.get(fare) ?? '',
      fare.route.from.code,
      fare.route.to.code,
      pick(FARE_CLASSES, random),
      fare.airline === undefined ? '' : (terms.airlineCodes[fare.airline] ?? ''),
      fare.restriction === undefined ? '' : restrictionCode(fare.restriction),
      fare.cost,
      2 * fare.cost - (fare.restriction === undefined ? 0 : random.integer(1, 40)),
    ]),
    flight_fare: flightFares(flights, fares).map(({ flight, fare }) => [
      terms.codeOf(flight),
      codeOfFare.get(fare) ?? '',
    ]),
    ...restrictionTables(terms.allAirlineCodes, nameRandom(seed, 'restrictions')),
  };
}

const FARE_CLASSES = [
  'F',
  'C',
  'Y',
  'B',
  'H',
  'K',
  'L',
  'Q',
  'V',
  'YH',
  'YL',
  'BW',
  'HW',
  'KL',
  'QD',
  'QW',
  'VD',
  'VW',
];

function faresOf(route: Route, random: Random): Fare[] {
  const isAsked = route.from.code === 'SFO' && route.to.code === 'DFW';
  const general = isAsked ? FARES_PER_ROUTE + FARES_MORE : FARES_PER_ROUTE;
  const count = general + FARES_OF_AIRLINES_PER_ROUTE;
  return Array.from(
    { length: count },
    (_, number): Fare => ({
      route,
      airline: number < general ? undefined : route.airlines[number - general],
      cost: isAsked ? costAsked(number, random) : costOf(route, number, count, random),
      restriction: undefined,
    }),
  );
}

/** Cheaper and cheaper with the number. */
function costOf({ miles }: Route, number: number, count: number, random: Random): number {
  const dearest = 90 + miles * 0.3;
  return Math.round(dearest * (1 - (0.75 * number) / count)) + random.integer(0, 9);
}

function costAsked(number: number, random: Random): number {
  const outside = FARES_OUTSIDE[number - FARES_IN_RANGE];
  return outside ?? 290 + number * 55 + random.integer(0, 30);
}

/** A restriction holds for 1 to 18 airlines, three or four restrictions for each number, and one for 44: 612 rows. */
const RESTRICTIONS = 65;
const CARRIERS_OF_OTHERS = 18;
const CARRIERS_OF_USUAL = 44;
/** The one that stands in most of the fares. */
const USUAL = RESTRICTIONS - 1;

export function carriersOf(restriction: number): number {
  return restriction === USUAL ? CARRIERS_OF_USUAL : 1 + (restriction % CARRIERS_OF_OTHERS);
}

/** The airlines under the restriction of each fare, summed over all fares. */
const RESTRICTED_CARRIERS_OF_FARES = 5_692;
const FARES_WITH_USUAL = 115;
const FARES_WITH_OTHERS = 85;

/** 115 fares with the usual restriction have 5,060 airlines; 85 others share the rest, seven or eight each. */
function restrict(fares: readonly Fare[]): void {
  const random = structureRandom('restrictions');
  const drawn = shuffled(fares, random);
  for (const fare of drawn.slice(0, FARES_WITH_USUAL)) fare.restriction = USUAL;
  let left = RESTRICTED_CARRIERS_OF_FARES - FARES_WITH_USUAL * CARRIERS_OF_USUAL;
  for (let fares = FARES_WITH_OTHERS; fares > 0; fares--) {
    // Whatever is drawn, those that follow can still make up the sum with one to eighteen each.
    const least = Math.max(1, left - (fares - 1) * CARRIERS_OF_OTHERS);
    const most = Math.min(CARRIERS_OF_OTHERS, left - (fares - 1));
    const mean = Math.round(left / fares);
    const carriers = Math.min(most, Math.max(least, mean + random.integer(-3, 3)));
    const fare = drawn[FARES_WITH_USUAL + fares - 1];
    assert(fare !== undefined, 'there are fares enough');
    // Restriction 0 holds for one airline, 1 for two; every eighteenth is alike.
    fare.restriction = carriers - 1 + CARRIERS_OF_OTHERS * random.integer(0, 2);
    left -= carriers;
  }
  assert(left === 0, 'the airlines under restrictions add up');
}

function restrictionCode(restriction: number): string {
  return `R-${101 + restriction}`;
}

const FLIGHT_FARES = 2_998;

/** Every flight gets one of its fares, then every flight a second one, until there are enough. */
function flightFares(
  flights: readonly Flight[],
  fares: readonly Fare[],
): { readonly flight: Flight; readonly fare: Fare }[] {
  const choices = flights.map((flight, at) => {
    const own = fares.filter(({ route, airline }) => {
      return route === flight.route && (airline === undefined || airline === flight.airline);
    });
    const start = at % own.length;
    return { flight, own: [...own.slice(start), ...own.slice(0, start)] };
  });
  const pairs: { flight: Flight; fare: Fare }[] = [];
  for (let round = 0; pairs.length < FLIGHT_FARES; round++) {
    const before = pairs.length;
    for (const { flight, own } of choices) {
      const fare = own[round];
      if (fare !== undefined && pairs.length < FLIGHT_FARES) pairs.push({ flight, fare });
    }
    assert(pairs.length > before, 'the flights have fares enough');
  }
  return pairs;
}

const WHERE = [
  'on weekdays',
  'between two named airports',
  'outside the holidays',
  'on the flights booked',
  'by night',
];
const WHAT = ['For journeys there and back', 'For one way', 'For stays over a weekend', 'For travel'];
const NOT_WITH = ['no other reduction', 'no reduction for groups', "no child's fare", 'no upgrade', 'no points'];

function restrictionTables(airlines: readonly string[], random: Random): Record<string, readonly AtisRow[]> {
  const all = Array.from({ length: RESTRICTIONS }, (_, restriction) => restriction);
  return {
    restriction: all.map((restriction) => {
      const stay = random.integer(0, 7);
      return [
        restrictionCode(restriction),
        `${pick(WHAT, random)} ${pick(WHERE, random)}`,
        `${pick(NOT_WITH, random)}, ${pick(NOT_WITH, random)}`,
        pick([0, 1, 3, 7, 14, 21], random),
        pick(['Y', 'N'], random),
        stay,
        stay + random.integer(0, 90),
      ];
    }),
    restrict_carrier: all.flatMap((restriction) =>
      shuffled(airlines, random)
        .slice(0, carriersOf(restriction))
        .sort()
        .map((airline) => [restrictionCode(restriction), airline]),
    ),
    restrict_class: ['F', 'J', 'Y', 'YH'].map((fareClass, restriction) => [restrictionCode(restriction), fareClass]),
  };
}
