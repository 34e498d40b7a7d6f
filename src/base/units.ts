/** Numbers for people: always with a unit, with the digits that matter, and the same in every locale. */

const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const BYTE_STEP = 1_024;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `1234567` -> `1,234,567`; fractions are rounded away. */
export function formatCount(count: number): string {
  return formatFixed(count, 0);
}

/** `1234.5` with two decimals -> `1,234.50`. */
export function formatFixed(value: number, decimals: number): string {
  const [whole = '', fraction] = value.toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Four significant digits, the whole part always in full, and three decimals at most: `0.862`, `12.34`, `1,234`. */
export function formatSignificant(value: number): string {
  const size = Math.abs(value);
  // The bounds are where rounding carries into one more digit: 9.9996 is 10.00.
  if (size < 9.9995) return formatFixed(value, 3);
  if (size < 99.995) return formatFixed(value, 2);
  if (size < 999.95) return formatFixed(value, 1);
  return formatFixed(value, 0);
}

/** `850 us`, `12.34 ms`, `4.560 s`. */
export function formatLatency(us: number): string {
  if (us < 999.5) return `${formatCount(us)} us`;
  if (us < 999_950) return `${formatSignificant(us / 1_000)} ms`;
  return `${formatSignificant(us / 1_000_000)} s`;
}

/** `0.85 s`, `12.3 s`, `2 min 05 s`, `3 h 04 min`, `2 d 03 h`: two units at most. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < HOUR_S) return twoUnits(whole, { size: MINUTE_S, name: 'min' }, { size: 1, name: 's' });
  if (whole < DAY_S) return twoUnits(whole, { size: HOUR_S, name: 'h' }, { size: MINUTE_S, name: 'min' });
  return twoUnits(whole, { size: DAY_S, name: 'd' }, { size: HOUR_S, name: 'h' });
}

interface TimeUnit {
  readonly size: number;
  readonly name: string;
}

function twoUnits(seconds: number, large: TimeUnit, small: TimeUnit): string {
  const rest = Math.floor((seconds % large.size) / small.size);
  return `${formatCount(Math.floor(seconds / large.size))} ${large.name} ${String(rest).padStart(2, '0')} ${small.name}`;
}

/** `512 bytes`, `4.0 KiB`, `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 1,023.95 would be printed as 1024.0 of the smaller unit.
  while (value >= BYTE_STEP - 0.05 && unit < BYTE_UNITS.length - 1) {
    value /= BYTE_STEP;
    unit++;
  }
  return unit === 0 ? `${formatCount(value)} bytes` : `${formatFixed(value, 1)} ${BYTE_UNITS[unit]}`;
}

/** `0.500/s`, `12.34/s`, `1,234/s`. */
export function formatRate(perS: number): string {
  return `${formatSignificant(perS)}/s`;
}

/** A share of 1: `0.5` -> `50.0 %`. */
export function formatPercent(share: number): string {
  return `${formatFixed(share * 100, 1)} %`;
}
