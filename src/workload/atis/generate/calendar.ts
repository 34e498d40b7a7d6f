/** Days, months, times of the day; and every set of days on which a flight may go. */
import type { AtisRow } from '../data-file.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const TIME_INTERVALS: readonly AtisRow[] = [
  ['afternoon', 1200, 1730],
  ['at lunch', 1130, 1330],
  ['at night', 0, 530],
  ['at night', 2200, 2400],
  ['before noon', 900, 1200],
  ['before work', 530, 800],
  ['dawn', 500, 630],
  ['daytime', 700, 1900],
  ['evening', 1730, 2200],
  ['late', 2100, 2400],
  ['morning', 530, 1200],
  ['office hours', 830, 1700],
];

/** The days in a mask, one bit each, from Monday on. */
const MASKS = Array.from({ length: 2 ** DAYS.length - 1 }, (_, index) => index + 1);

/** `12--5--`: flies on these days. */
export function dayMask(bits: number): string {
  return DAYS.map((_, day) => ((bits >> day) & 1 ? String(day + 1) : '-')).join('');
}

export const EVERY_DAY = 2 ** DAYS.length - 1;

export function calendarTables(): Record<string, readonly AtisRow[]> {
  return {
    day_name: DAYS.map((name, day) => [day + 1, name]),
    month_name: MONTHS.map((name, month) => [month + 1, name]),
    time_interval: TIME_INTERVALS,
    // Each day is in half of the 128 sets of days: 7 times 64 are 448 rows.
    flight_day: MASKS.flatMap((bits) =>
      DAYS.flatMap((name, day): AtisRow[] => ((bits >> day) & 1 ? [[dayMask(bits), day + 1, name]] : [])),
    ),
  };
}
