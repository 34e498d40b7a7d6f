/** Axes: where a value lies, and which ticks tell it. Positions are shares of the axis, 0 at its beginning. */
import { scaleLinear, scaleLog } from 'd3-scale';
import { formatFixed } from '../../base/units.ts';

export interface Tick {
  readonly at: number;
  readonly label: string;
  /** Left out where there is little room. */
  readonly isFine: boolean;
}

export interface Axis {
  readonly from: number;
  readonly to: number;
  /** May lie outside 0 … 1. Null: it cannot be shown, as 0 on a logarithmic axis. */
  at(value: number): number | null;
  readonly ticks: readonly Tick[];
}

const TICKS_COARSE = 4;
const TICKS_FINE = 8;
const TICKS_UPWARDS = 4;
/** More labels than this do not fit a phone. */
const PERCENTILES_COARSE = 6;

const STEPS_S = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600];

/** Seconds of a run's own clock. */
export function timeAxis(from: number, to: number): Axis {
  const span = to - from;
  const stepOf = (count: number) =>
    STEPS_S.find((step) => span / step <= count) ?? Math.ceil(span / count / 86_400) * 86_400;
  const [coarse, fine] = [stepOf(TICKS_COARSE), stepOf(TICKS_FINE)];
  const first = Math.ceil(from / fine - 1e-9);
  const last = Math.floor(to / fine + 1e-9);
  const isCoarse = (value: number) => Math.abs(value / coarse - Math.round(value / coarse)) < 1e-6;
  const at = (value: number) => (span > 0 ? (value - from) / span : 0);
  const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * fine);
  return {
    from,
    to,
    at,
    ticks: ticks.map((value) => ({ at: at(value), label: timeLabel(value, fine), isFine: !isCoarse(value) })),
  };
}

/** In the unit of the step, so that labels are short: `30 s`, `5 min`, `2 h`. */
function timeLabel(seconds: number, stepS: number): string {
  if (stepS >= 3_600) return `${plain(seconds / 3_600)} h`;
  return stepS >= 60 ? `${plain(seconds / 60)} min` : `${plain(seconds)} s`;
}

function plain(value: number): string {
  // Adding zero makes -0 a plain 0.
  return String(Number(value.toFixed(2)) + 0);
}

/** A factor and a unit in which values are told: bytes as MiB, shares as per cent. */
export interface ShownUnit {
  readonly factor: number;
  readonly unit: string;
}

const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

export function shownUnit(unit: string, highest: number): ShownUnit {
  if (unit === 'ratio') return { factor: 100, unit: '%' };
  if (unit === 'bytes' || unit === 'bytes/s') {
    const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, highest)) / 10)));
    return { factor: 1_024 ** -power, unit: unit.replace('bytes', BYTE_UNITS[power]!) };
  }
  if (unit === '1/s') return { factor: 1, unit: 'per second' };
  return { factor: 1, unit: unit === 'count' || unit === 'flag' ? '' : unit };
}

/** From 0, or below it where there is anything; its end is a round number above all values. */
export function linearAxis(values: Iterable<number>): Axis {
  let [low, high] = [0, 0];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const scale = scaleLinear()
    .domain([low, high > low ? high : low + 1])
    .nice(TICKS_UPWARDS);
  const [from = 0, to = 1] = scale.domain();
  const at = (value: number) => (value - from) / (to - from);
  return { from, to, at, ticks: scale.ticks(TICKS_UPWARDS).map((value) => tick(at(value), value)) };
}

function tick(at: number, value: number): Tick {
  return { at, label: numberLabel(value), isFine: false };
}

/** Whole decades and their halves, as few as tell the scale. */
export function logAxis(values: Iterable<number>): Axis {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) {
    if (value > 0 && value < low) low = value;
    if (value > high) high = value;
  }
  if (high === 0) [low, high] = [1, 10];
  const [from, to] = [roundDown(low), roundUp(high === low ? high * 1.01 : high)];
  const scale = scaleLog().domain([from, to]);
  const at = (value: number) => (value > 0 ? scale(value) : null);
  const decades = Math.log10(to / from);
  const multiples = decades > 3 ? [1] : decades > 1.5 ? [1, 3] : [1, 2, 5];
  const first = Math.floor(Math.log10(from) + 1e-9);
  const powers = Array.from({ length: Math.ceil(decades) + 2 }, (_, index) => first + index);
  const ticks = powers
    .flatMap((power) => multiples.map((multiple) => Number(`${multiple}e${power}`)))
    .filter((value) => value >= from * 0.999 && value <= to * 1.001);
  return { from, to, at, ticks: ticks.map((value) => tick(scale(value), value)) };
}

/** To 1, 2 or 5 of its decade. */
function roundDown(value: number): number {
  const power = Math.floor(Math.log10(value));
  const digit = [5, 2, 1].find((each) => Number(`${each}e${power}`) <= value * 1.000_001) ?? 1;
  return Number(`${digit}e${power}`);
}

function roundUp(value: number): number {
  const power = Math.floor(Math.log10(value));
  const digit = [1, 2, 5, 10].find((each) => Number(`${each}e${power}`) >= value * 0.999_999) ?? 10;
  return Number(`${digit}e${power}`);
}

/** Of percentiles, by how rare what lies beyond is: each nine takes as much room as the one before. */
export function percentileAxis(countMax: number): Axis {
  const to = Math.max(2, Math.log10(Math.max(1, countMax)));
  const at = (nines: number) => nines / to;
  const marks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999].filter((mark) => ninesOf(mark) <= to * 1.001);
  const isCrowded = marks.length > PERCENTILES_COARSE;
  const isFine = (nines: number) => !Number.isInteger(nines) || (isCrowded && nines > 0 && nines % 2 === 0);
  const ticks = marks.map((mark) => {
    const nines = Number(ninesOf(mark).toFixed(6));
    return { at: at(nines), label: `${mark} %`, isFine: isFine(nines) };
  });
  return { from: 0, to, at, ticks };
}

export function ninesOf(percentile: number): number {
  return -Math.log10(1 - percentile / 100) + 0;
}

/** Short enough for an axis: `2,500`, `1.2 M`, `0.05`. */
export function numberLabel(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${plain(value / 1e9)} G`;
  if (size >= 1e6) return `${plain(value / 1e6)} M`;
  if (size >= 1_000) return formatFixed(value, 0);
  return String(Number(value.toPrecision(4)) + 0);
}
