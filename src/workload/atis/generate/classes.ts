/** Classes of service, what fares are made of them, meals, and the codes that are explained. */
import type { AtisRow } from '../data-file.ts';

/** In order of rank. */
const CLASSES: readonly AtisRow[] = [
  ['F', 'First class'],
  ['F1', 'First class, overnight'],
  ['A', 'First class at a reduced price'],
  ['P', 'First class with a bed'],
  ['J', 'Business class'],
  ['C', 'Business class, full fare'],
  ['C1', 'Business class, overnight'],
  ['D', 'Business class at a reduced price'],
  ['I', 'Business class by upgrade'],
  ['W', 'Economy with more room'],
  ['S', 'Standard economy'],
  ['Y', 'Economy, full fare'],
  ['Y1', 'Economy, overnight'],
  ['B', 'Economy, little reduced'],
  ['H', 'Economy, reduced'],
  ['K', 'Economy, reduced, seven days ahead'],
  ['K1', 'Economy, reduced, overnight'],
  ['L', 'Economy, reduced, two weeks ahead'],
  ['M', 'Economy, reduced, with a night between'],
  ['N', 'Economy, reduced, no changes'],
  ['Q', 'Economy, much reduced'],
  ['T', 'Economy, much reduced, no changes'],
  ['U', 'Shuttle, seat without a booking'],
  ['V', 'Economy, lowest fare'],
  ['X', 'Economy, for points'],
  ['G', 'Groups'],
  ['E', 'Standby'],
];

/** As letters in a flight's string of classes; five each, so that 579 flights have 2,895 classes. */
export const CLASS_STRINGS: readonly string[] = ['FYBHQ', 'FYBKV', 'FCYBM', 'JYBHL', 'FYHKT', 'YBHQV'];

const SUFFIXES = [
  { suffix: '', season: 'NONE', days: '1234567' },
  { suffix: 'H', season: 'HIGH', days: '1234567' },
  { suffix: 'L', season: 'LOW', days: '1234567' },
  { suffix: 'M', season: 'MID', days: '1234567' },
  { suffix: 'W', season: 'NONE', days: '----567' },
  { suffix: 'D', season: 'NONE', days: '1234---' },
  { suffix: 'HW', season: 'HIGH', days: '----567' },
];
const COMPOUND_CLASSES = 149;

/** Those of one letter with every suffix, and those at night without: more than are wanted. */
function compoundClassRows(): AtisRow[] {
  const rows = SUFFIXES.flatMap(({ suffix, season, days }) =>
    CLASSES.filter(([code]) => suffix === '' || String(code).length === 1).map(([code, text]): AtisRow => {
      const base = String(code);
      const description = String(text);
      const yes = (is: boolean) => (is ? 'YES' : 'NO');
      return [
        base + suffix,
        base,
        /^First/.test(description) ? 'FIRST' : /^Business/.test(description) ? 'BUSINESS' : 'ECONOMY',
        yes(/bed|full fare|more room/.test(description)),
        yes(/^(?:Economy|Standard|Shuttle)/.test(description)),
        yes(/reduced|lowest/.test(description)),
        yes(/overnight/.test(description)),
        season,
        days,
      ];
    }),
  );
  return rows.slice(0, COMPOUND_CLASSES);
}

const CODES: readonly AtisRow[] = [
  ['ADV', 'To be paid for some time before the flight'],
  ['D', 'At the end of a fare class: on weekdays only'],
  ['EXC', 'For a journey there and back, with a least and a longest stay'],
  ['H', 'At the end of a fare class: in the high season'],
  ['HW', 'At the end of a fare class: on weekends of the high season'],
  ['L', 'At the end of a fare class: in the low season'],
  ['M', 'At the end of a fare class: between the seasons'],
  ['MXN', 'Peso of Mexico'],
  ['N', 'In a table of meals: not served'],
  ['R-', 'Begins the name of a restriction'],
  ['STB', 'On the day of the flight, where a seat is left'],
  ['US48', 'The states that touch one another, without Alaska and Hawaii'],
  ['USD', 'Dollar of the United States'],
  ['W', 'At the end of a fare class: from Friday to Sunday'],
  ['-', 'In a set of days: does not fly on that day'],
];

const MEALS = [
  { letter: 'B', name: 'Breakfast' },
  { letter: 'L', name: 'Lunch' },
  { letter: 'D', name: 'Dinner' },
  { letter: 'S', name: 'Snack' },
];
const CABINS = ['Premium', 'Economy'];
const FOOD_SERVICES = 121;

/** One to three meals in any order, no meal twice. */
export const MEAL_CODES: readonly string[] = [1, 2, 3].flatMap((length) => orders(length));

function orders(length: number): string[] {
  if (length === 0) return [''];
  return orders(length - 1).flatMap((before) =>
    MEALS.filter(({ letter }) => !before.includes(letter)).map(({ letter }) => before + letter),
  );
}

function foodServiceRows(): AtisRow[] {
  const rows = MEAL_CODES.flatMap((code) =>
    [...code].flatMap((letter, at) =>
      CABINS.map((cabin): AtisRow => [code, at + 1, cabin, MEALS.find((meal) => meal.letter === letter)?.name ?? '']),
    ),
  );
  return rows.slice(0, FOOD_SERVICES);
}

export function classTables(): Record<string, readonly AtisRow[]> {
  return {
    class_of_service: CLASSES.map(([code, text], rank) => [code as string, rank + 1, text as string]),
    code_description: CODES,
    compound_class: compoundClassRows(),
    food_service: foodServiceRows(),
  };
}
