/** Where one flies: nine airports in four time zones, their cities, and how to get from one to the other. */
import type { Random } from '../../../base/random.ts';
import type { AtisRow } from '../data-file.ts';
import { nameRandom } from './draws.ts';

export interface Airport {
  readonly code: string;
  readonly name: string;
  readonly location: string;
  readonly state: string;
  readonly zone: Zone;
  readonly latitude: number;
  readonly longitude: number;
  /** How much traffic it has, beside the others. */
  readonly weight: number;
}

type Zone = 'EST' | 'CST' | 'MST' | 'PST';
/** Hours behind Greenwich. */
const HOURS_BEHIND: Readonly<Record<Zone, number>> = { EST: 5, CST: 6, MST: 7, PST: 8 };

/**
 * Two of the zones have one airport only, from which nobody flies to itself: that leaves 14 of the 16 pairs of zones.
 * ATL, BOS, SFO and DFW are named by the queries.
 */
export const AIRPORTS: readonly Airport[] = [
  airport('ATL', 'Hartsfield-Jackson', 'Atlanta, Georgia', 'GA', 'EST', { at: [33.6, -84.4], weight: 5 }),
  airport('BOS', 'Logan', 'Boston, Massachusetts', 'MA', 'EST', { at: [42.4, -71], weight: 4 }),
  airport('DFW', 'Dallas and Fort Worth', 'Between Dallas and Fort Worth', 'TX', 'CST', { at: [32.9, -97], weight: 5 }),
  airport('EWR', 'Newark Liberty', 'Newark, New Jersey', 'NJ', 'EST', { at: [40.7, -74.2], weight: 4 }),
  airport('MIA', 'Miami', 'Miami, Florida', 'FL', 'EST', { at: [25.8, -80.3], weight: 3 }),
  airport('PVD', 'Green', 'Warwick, Rhode Island', 'RI', 'EST', { at: [41.7, -71.4], weight: 1.5 }),
  airport('SFO', 'San Francisco', 'San Mateo County, California', 'CA', 'PST', { at: [37.6, -122.4], weight: 4 }),
  airport('SJC', 'Mineta San Jose', 'San Jose, California', 'CA', 'PST', { at: [37.4, -121.9], weight: 1.5 }),
  airport('SLC', 'Salt Lake City', 'Salt Lake City, Utah', 'UT', 'MST', { at: [40.8, -112], weight: 2 }),
];

function airport(
  code: string,
  name: string,
  location: string,
  state: string,
  zone: Zone,
  { at: [latitude, longitude], weight }: { readonly at: readonly [number, number]; readonly weight: number },
): Airport {
  return { code, name: `${name} Airport`, location, state, zone, latitude, longitude, weight };
}

const COUNTRY = 'United States';
const EARTH_RADIUS_MILES = 3_959;

export function milesBetween(from: Airport, to: Airport): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const latitudes = radians(to.latitude - from.latitude) / 2;
  const longitudes = radians(to.longitude - from.longitude) / 2;
  const chord =
    Math.sin(latitudes) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(longitudes) ** 2;
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(chord));
}

/** By how much the clock at `to` is ahead of that at `from`, minutes. */
export function clockAheadMinutes(from: Airport, to: Airport): number {
  return (HOURS_BEHIND[from.zone] - HOURS_BEHIND[to.zone]) * 60;
}

interface City {
  readonly code: string;
  readonly name: string;
  readonly state: string;
  readonly zone: Zone;
}

/** M: the airport's main city; N: a neighbour. MATL is named by a query. */
const CITIES: readonly City[] = [
  { code: 'MATL', name: 'Atlanta', state: 'GA', zone: 'EST' },
  { code: 'MBOS', name: 'Boston', state: 'MA', zone: 'EST' },
  { code: 'MDFW', name: 'Dallas', state: 'TX', zone: 'CST' },
  { code: 'NDFW', name: 'Fort Worth', state: 'TX', zone: 'CST' },
  { code: 'MEWR', name: 'Newark', state: 'NJ', zone: 'EST' },
  { code: 'NEWR', name: 'New York', state: 'NY', zone: 'EST' },
  { code: 'MMIA', name: 'Miami', state: 'FL', zone: 'EST' },
  { code: 'MPVD', name: 'Providence', state: 'RI', zone: 'EST' },
  { code: 'MSFO', name: 'San Francisco', state: 'CA', zone: 'PST' },
  { code: 'MSJC', name: 'San Jose', state: 'CA', zone: 'PST' },
  { code: 'MSLC', name: 'Salt Lake City', state: 'UT', zone: 'MST' },
];

interface Service {
  readonly city: string;
  readonly airport: string;
  readonly miles: number;
  readonly direction: string;
}

/** Eleven lie in their city's state, and three do not: those are no services of the city to the queries. */
const SERVICES: readonly Service[] = [
  { city: 'MATL', airport: 'ATL', miles: 10, direction: 'S' },
  { city: 'MBOS', airport: 'BOS', miles: 3.5, direction: 'E' },
  { city: 'MBOS', airport: 'PVD', miles: 58.5, direction: 'SSW' },
  { city: 'MDFW', airport: 'DFW', miles: 20.5, direction: 'NW' },
  { city: 'NDFW', airport: 'DFW', miles: 24, direction: 'NE' },
  { city: 'MEWR', airport: 'EWR', miles: 3, direction: 'S' },
  { city: 'NEWR', airport: 'EWR', miles: 15, direction: 'WSW' },
  { city: 'MMIA', airport: 'MIA', miles: 8, direction: 'W' },
  { city: 'MPVD', airport: 'BOS', miles: 53, direction: 'NNE' },
  { city: 'MPVD', airport: 'PVD', miles: 8.5, direction: 'S' },
  { city: 'MSFO', airport: 'SFO', miles: 13, direction: 'S' },
  { city: 'MSJC', airport: 'SFO', miles: 31.5, direction: 'NW' },
  { city: 'MSJC', airport: 'SJC', miles: 3.5, direction: 'N' },
  { city: 'MSLC', airport: 'SLC', miles: 5, direction: 'W' },
];

/** In heavy traffic; and getting there at all. */
const MINUTES_PER_MILE = 1.5;
const MINUTES_AT_LEAST = 15;

const US_STATES =
  'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,' +
  'DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,' +
  'KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,' +
  'MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,' +
  'NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,' +
  'SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,' +
  'WV West Virginia,WI Wisconsin,WY Wyoming';
const MEXICAN_STATES =
  'AG Aguascalientes,BJ Baja California,CI Coahuila,CH Chihuahua,DU Durango,JA Jalisco,NL Nuevo Leon,PU Puebla,' +
  'QR Quintana Roo,SI Sinaloa,SO Sonora,YU Yucatan';

function stateRows(states: string, country: string): AtisRow[] {
  return states.split(',').map((state) => [state.slice(0, 2), state.slice(3), country]);
}

const TIME_ZONES: readonly AtisRow[] = [
  ['AKT', 'Alaska Time'],
  ['CST', 'Central Time'],
  ['EST', 'Eastern Time'],
  ['GMT', 'Greenwich Mean Time'],
  ['HAT', 'Hawaii-Aleutian Time'],
  ['MST', 'Mountain Time'],
  ['NFT', 'Newfoundland Time'],
  ['NST', 'Atlantic Time'],
  ['PST', 'Pacific Time'],
];

const TRANSPORTS: readonly AtisRow[] = [
  ['B', 'Airport bus'],
  ['C', 'Hired car'],
  ['T', 'Taxi cab'],
  ['V', 'Shared van'],
];

/** Not to be had everywhere. */
const TAXI_SERVICES = 4;

/** One fare that is not free for every city; a car that is; and one row that belongs to no city: 12 city codes. */
function groundServiceRows(random: Random): AtisRow[] {
  const fare = ({ miles }: Service) => Math.round(2 + miles * 0.4 + random.integer(0, 8) * 0.5);
  return [
    ...SERVICES.flatMap((service): AtisRow[] => [
      [service.city, service.airport, 'B', fare(service)],
      [service.city, service.airport, 'C', 0],
    ]),
    ...SERVICES.slice(0, TAXI_SERVICES).map(
      (service): AtisRow => [service.city, service.airport, 'T', 2 * fare(service) + 1],
    ),
    ['ANY', '', 'C', 0],
  ];
}

export function placeTables(seed: number): Record<string, readonly AtisRow[]> {
  const random = nameRandom(seed, 'places');
  return {
    airport: AIRPORTS.map(({ code, name, location, state, zone }) => [code, name, location, state, COUNTRY, zone]),
    airport_service: SERVICES.map(({ city, airport: code, miles, direction }) => [
      city,
      code,
      miles,
      direction,
      MINUTES_AT_LEAST + Math.round(miles * MINUTES_PER_MILE),
    ]),
    city: CITIES.map(({ code, name, state, zone }) => [code, name, state, COUNTRY, zone]),
    state: [...stateRows(US_STATES, COUNTRY), ...stateRows(MEXICAN_STATES, 'Mexico')],
    time_zone: TIME_ZONES,
    transport: TRANSPORTS,
    ground_service: groundServiceRows(random),
  };
}
