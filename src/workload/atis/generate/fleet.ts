/** Who flies, and in what: 314 airlines, of which ten fly here, and 135 kinds of aircraft, of which 22 are used. */
import type { Random } from '../../../base/random.ts';
import type { AtisRow } from '../data-file.ts';
import { nameRandom, pick, shuffled } from './draws.ts';

/** How many kinds of aircraft each of the airlines has that fly here: 44 in all, so each of the 22 kinds twice. */
export const FLEET_SIZES: readonly number[] = [7, 6, 6, 5, 5, 4, 4, 3, 2, 2];
export const KINDS_USED = 22;

interface Category {
  readonly name: string;
  readonly kinds: number;
  /** Of the kinds that are used. */
  readonly used: number;
}

/** Six, three of which have more than ten kinds: two queries count on it. */
const CATEGORIES: readonly Category[] = [
  { name: 'JET', kinds: 52, used: 17 },
  { name: 'TURBOPROP', kinds: 44, used: 5 },
  { name: 'PISTON', kinds: 28, used: 0 },
  { name: 'HELICOPTER', kinds: 6, used: 0 },
  { name: 'SEAPLANE', kinds: 3, used: 0 },
  { name: 'SURFACE', kinds: 2, used: 0 },
];

/** Of so many jets that are used nothing is known but their name: their range is 0. */
const JETS_UNKNOWN = 4;

export interface Kind {
  /** Among those of its category. */
  readonly number: number;
  readonly category: string;
  readonly isUsed: boolean;
  readonly isKnown: boolean;
  readonly engines: number;
  /** 0: unknown. Different for each kind that is used. */
  readonly rangeMiles: number;
}

export const KINDS: readonly Kind[] = CATEGORIES.flatMap(({ name, kinds, used }) =>
  Array.from({ length: kinds }, (_, number) => kindOf(name, number, number < used)),
);

/** In an order in which neighbours differ: a fleet is a stretch of it. */
export const USED_KINDS: readonly Kind[] = spread(KINDS.filter(({ isUsed }) => isUsed));

function kindOf(category: string, number: number, isUsed: boolean): Kind {
  // Of those that are not used, every seventh is unknown too.
  const isKnown = category !== 'SURFACE' && (isUsed ? category !== 'JET' || number >= JETS_UNKNOWN : number % 7 !== 6);
  const base = { number, category, isUsed, isKnown };
  if (!isKnown) return { ...base, engines: 0, rangeMiles: 0 };
  switch (category) {
    case 'JET':
      return { ...base, engines: 2 + (number % 3), rangeMiles: 1_200 + 110 * number };
    case 'TURBOPROP':
      return { ...base, engines: 2, rangeMiles: 450 + 25 * number };
    case 'HELICOPTER':
      return { ...base, engines: 1 + (number % 2), rangeMiles: 230 + 40 * number };
    default:
      return { ...base, engines: 1 + (number % 2), rangeMiles: 500 + 20 * number };
  }
}

function spread<T>(items: readonly T[]): T[] {
  // 5 has no factor in common with 22, so that each comes once.
  return items.map((_, at) => items[(at * 5) % items.length] as T);
}

/** Of airline `number`, as places in `USED_KINDS`: the fleets follow one another, twice around. */
export function fleetOf(number: number): number[] {
  const before = FLEET_SIZES.slice(0, number).reduce((sum, size) => sum + size, 0);
  return Array.from({ length: FLEET_SIZES[number] ?? 0 }, (_, at) => (before + at) % KINDS_USED);
}

const AIRLINES = 314;
const DUAL_CARRIERS = 114;

export interface FleetNames {
  /** Of the airlines that fly here, by their number. */
  readonly airlineCodes: readonly string[];
  readonly allAirlineCodes: readonly string[];
  /** By the place in `USED_KINDS`. */
  readonly kindCodes: readonly string[];
  readonly tables: Readonly<Record<string, readonly AtisRow[]>>;
}

export function fleetTables(seed: number): FleetNames {
  const airlines = airlineRows(nameRandom(seed, 'airlines'));
  const aircraft = aircraftRows(nameRandom(seed, 'aircraft'));
  const codes = airlines.map(([code]) => String(code));
  const codeOf = new Map(KINDS.map((kind, at) => [kind, String(aircraft[at]?.[0])]));
  const byCode = (one: AtisRow, other: AtisRow) => (String(one[0]) < String(other[0]) ? -1 : 1);
  return {
    airlineCodes: codes.slice(0, FLEET_SIZES.length),
    allAirlineCodes: codes,
    kindCodes: USED_KINDS.map((kind) => codeOf.get(kind) ?? ''),
    tables: {
      aircraft: [...aircraft].sort(byCode),
      airline: [...airlines].sort(byCode),
      dual_carrier: dualCarrierRows(airlines, nameRandom(seed, 'dual carriers')),
    },
  };
}

const FIRST_WORDS = [
  ...'Amber Anchor Badger Bayside Beacon Birch Bramble Cinder Clover Cobalt Copper Coral Crescent Drumlin Dune'.split(
    ' ',
  ),
  ...'Ember Fjord Garnet Granite Harbor Heather Heron Indigo Jade Juniper Lagoon Lantern Larch Linden Maple'.split(' '),
  ...'Nimbus Onyx Osprey Pebble Plover Quartz Saffron Sandbar Tamarack Teal Thistle Tundra Vesper Willow'.split(' '),
];
const SECOND_WORDS = ['Air', 'Airlines', 'Airways', 'Air Express', 'Air Lines', 'Aviation', 'Commuter', 'Connection'];
const NOTES = ['', '', '', '', 'Charter flights only', 'Cargo, and passengers on request', 'Seasonal', 'Air taxi'];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Those that fly here first. */
function airlineRows(random: Random): AtisRow[] {
  const codes = [...LETTERS].flatMap((one) => [...LETTERS].map((other) => one + other));
  const names = FIRST_WORDS.flatMap((one) => SECOND_WORDS.map((other) => `${one} ${other}`));
  const codesDrawn = shuffled(codes, random);
  const namesDrawn = shuffled(names, random);
  return Array.from({ length: AIRLINES }, (_, at) => [
    codesDrawn[at] ?? '',
    namesDrawn[at] ?? '',
    at < FLEET_SIZES.length ? '' : pick(NOTES, random),
  ]);
}

/** Flights of a small airline under the name of a large one, by ranges of flight numbers. */
function dualCarrierRows(airlines: readonly AtisRow[], random: Random): AtisRow[] {
  return Array.from({ length: DUAL_CARRIERS }, (_, at) => {
    const [main, mainName] = airlines[at % 20] as AtisRow;
    const [dual] = airlines[20 + random.integer(0, AIRLINES - 21)] as AtisRow;
    // Each range is another one, so that no two rows have the same key.
    const low = 1_000 + at * 60;
    return [main as string, dual as string, low, low + random.integer(5, 59), `${mainName} Partners`];
  });
}

const MAKERS = 'Avalon Brisbois Corvane Delmar Estrel Falken Grisham Halden Ibarra Jarnow Lindqvist Moravec Norrland';
const PURPOSES = ['passenger', 'passenger', 'passenger, stretched', 'mixed cargo and passenger', 'combined'];

/** In the order of `KINDS`. The number in the name makes it, and its code, different from all others. */
function aircraftRows(random: Random): AtisRow[] {
  const makers = MAKERS.split(' ');
  const numbers = shuffled(
    Array.from({ length: 900 }, (_, at) => 100 + at),
    random,
  );
  const seen = new Set<string>();
  return KINDS.map((kind) => {
    const maker = pick(makers, random);
    let code = '';
    do {
      code = `${maker.charAt(0)}${String(numbers.pop()).slice(1)}`;
    } while (seen.has(code));
    seen.add(code);
    const name = `${maker} ${code.slice(1)}-${pick(['100', '200', '300', '400'], random)} ${pick(PURPOSES, random)}`;
    return [code, name, kind.engines, kind.category, ...measuresOf(kind, random)];
  });
}

/** Wide body, span, length, weight, seats, pay load, speed, range, pressurized. */
function measuresOf({ isKnown, category, rangeMiles, engines }: Kind, random: Random): AtisRow {
  if (!isKnown) return ['', 0, 0, 0, 0, 0, 0, 0, ''];
  const isJet = category === 'JET';
  const seats = isJet ? 60 + random.integer(0, 12) * 25 : 4 + random.integer(0, 60);
  const quarter = (feet: number) => Math.round(feet * 4) / 4;
  return [
    seats > 240 ? 'YES' : 'NO',
    quarter(30 + seats * 0.45 + random.next() * 10),
    quarter(25 + seats * 0.5 + random.next() * 10),
    seats * 900 + engines * 2_500,
    seats,
    seats * (isJet ? 240 : 210),
    isJet ? 480 + random.integer(0, 12) * 10 : 120 + random.integer(0, 20) * 10,
    rangeMiles,
    isJet || seats > 20 ? 'YES' : 'NO',
  ];
}
