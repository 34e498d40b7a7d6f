/** Intervals below each other on one scale, as text: where 0 lies, what does not matter, and what was measured. */
import type { Interval95 } from '../model/experiment.ts';
import { UNBOUNDED } from '../stats/verdict.ts';

export interface PlottedInterval {
  readonly effect: number;
  readonly interval: Interval95;
}

const GLYPHS = {
  low: '├',
  high: '┤',
  line: '─',
  effect: '●',
  zero: '│',
  margin: '┊',
  cutLow: '◂',
  cutHigh: '▸',
} as const;

/** Room at both sides, so that no end lies on the edge. */
const ROOM_SHARE = 0.05;
/** Where nothing is known, the scale is at least this. */
const SPAN_MIN = 0.01;
/** An interval wider than this is cut: it would press all others together. */
const SHARE_MAX = 5;

/** One line for each, all `width` long. */
export function intervalPlot(plotted: readonly PlottedInterval[], marginShare: number, width: number): string[] {
  const scale = scaleOf(plotted, marginShare, width);
  return plotted.map((each) => line(each, marginShare, scale));
}

interface Scale {
  readonly width: number;
  /** Column of a share; may lie outside. */
  columnOf(share: number): number;
}

function scaleOf(plotted: readonly PlottedInterval[], marginShare: number, width: number): Scale {
  const ends = plotted.flatMap(({ effect, interval: { low, high } }) => [effect, low, high]);
  const shown = ends.filter((share) => share > -1 && share < UNBOUNDED).map((share) => Math.min(share, SHARE_MAX));
  const low = Math.min(0, -marginShare, ...shown);
  const high = Math.max(SPAN_MIN, marginShare, ...shown);
  const room = (high - low) * ROOM_SHARE;
  const [from, to] = [low - room, high + room];
  return { width, columnOf: (share) => Math.round(((share - from) / (to - from)) * (width - 1)) };
}

function line({ effect, interval }: PlottedInterval, marginShare: number, { width, columnOf }: Scale): string {
  const cells = Array.from({ length: width }, () => ' ');
  const put = (column: number, glyph: string) => {
    if (column >= 0 && column < width) cells[column] = glyph;
  };
  if (marginShare > 0) for (const side of [-marginShare, marginShare]) put(columnOf(side), GLYPHS.margin);
  put(columnOf(0), GLYPHS.zero);
  const [low, high] = [Math.max(0, columnOf(interval.low)), Math.min(width - 1, columnOf(interval.high))];
  for (let column = low; column <= high; column++) {
    if (cells[column] === ' ') put(column, GLYPHS.line);
  }
  put(low, columnOf(interval.low) < 0 ? GLYPHS.cutLow : GLYPHS.low);
  put(high, columnOf(interval.high) >= width ? GLYPHS.cutHigh : GLYPHS.high);
  put(Math.min(width - 1, Math.max(0, columnOf(effect))), GLYPHS.effect);
  return cells.join('');
}
