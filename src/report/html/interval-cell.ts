/** Intervals on one scale, one in each row of a table: where 0 lies, the margin, and what was measured. */
import { UNBOUNDED } from '../../stats/verdict.ts';
import type { PlottedInterval } from '../interval-plot.ts';
import { percent } from './chart.ts';
import { type Child, element } from './element.ts';

const HEIGHT_PX = 26;
const END_PX = 5;
const RADIUS_PX = 3.5;
/** Room at both sides, so that no end lies on the edge. */
const ROOM_SHARE = 0.05;
/** Where nothing is known, the scale is at least this. */
const SPAN_MIN = 0.01;
/** An interval wider than this is cut: it would press all others together. */
const SHARE_MAX = 5;

/** One cell for each. */
export function intervalCells(plotted: readonly PlottedInterval[], marginShare: number): Child[] {
  const ends = plotted.flatMap(({ effect, interval: { low, high } }) => [effect, low, high]);
  const shown = ends.filter((share) => share > -1 && share < UNBOUNDED).map((share) => Math.min(share, SHARE_MAX));
  const low = Math.min(0, -marginShare, ...shown);
  const high = Math.max(SPAN_MIN, marginShare, ...shown);
  const room = (high - low) * ROOM_SHARE;
  const at = (share: number) => Math.min(1, Math.max(0, (share - low + room) / (high - low + 2 * room)));
  return plotted.map((each) => cell(each, marginShare, at));
}

function cell({ effect, interval }: PlottedInterval, marginShare: number, at: (share: number) => number): Child {
  const middle = HEIGHT_PX / 2;
  const upright = (share: number, name: string, half: number) =>
    element('line', {
      class: name,
      x1: percent(at(share)),
      x2: percent(at(share)),
      y1: middle - half,
      y2: middle + half,
    });
  // Beyond the scale there is no end to draw.
  const isEnd = (share: number) => at(share) > 0 && at(share) < 1;
  return element(
    'svg',
    { width: '100%', height: HEIGHT_PX, 'aria-hidden': 'true' },
    marginShare > 0 ? upright(-marginShare, 'margin', middle) : null,
    marginShare > 0 ? upright(marginShare, 'margin', middle) : null,
    upright(0, 'zero', middle),
    element('line', {
      class: 'interval',
      x1: percent(at(interval.low)),
      x2: percent(at(interval.high)),
      y1: middle,
      y2: middle,
    }),
    isEnd(interval.low) ? upright(interval.low, 'interval-end', END_PX) : null,
    isEnd(interval.high) ? upright(interval.high, 'interval-end', END_PX) : null,
    element('circle', { class: 'effect', cx: percent(at(effect)), cy: middle, r: RADIUS_PX }),
  );
}
