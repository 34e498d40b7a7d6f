/** The pairs that a verdict rests on: of each block, by how much the variant differed from the baseline. */
import type { Comparison } from '../../model/experiment.ts';
import { UNBOUNDED } from '../../stats/verdict.ts';
import { formatChange, formatSpan } from '../../stats/verdict-words.ts';
import { type Axis, linearAxis } from './axis.ts';
import { drawingFigure, percent } from './chart.ts';
import { type Child, element, given } from './element.ts';

const HEIGHT_PX = 150;
const RADIUS_PX = 4.5;
/** A panel for each; the table has all. */
const PANELS_MAX = 12;
const BLOCK_LABELS_MAX = 12;

export function pairPanels(comparisons: readonly Comparison[]): Child {
  const shown = comparisons.filter(({ isPrimary, pairs }) => isPrimary && pairs.length > 0).slice(0, PANELS_MAX);
  if (shown.length === 0) return null;
  const y = linearAxis(shown.flatMap(endsOf));
  return element('div', { class: 'panels' }, ...shown.map((comparison) => panel(comparison, y)));
}

function isKnown({ interval: { low, high } }: Comparison): boolean {
  return low > -1 && high < UNBOUNDED;
}

/** Per cent. */
function endsOf(comparison: Comparison): number[] {
  const { pairs, interval } = comparison;
  const ends = isKnown(comparison) ? [interval.low * 100, interval.high * 100] : [];
  return [...ends, ...pairs.map(({ ratio }) => (ratio - 1) * 100)];
}

function panel(comparison: Comparison, y: Axis): Child {
  const { variant, baseline, pairs, effect, interval, outliers } = comparison;
  const x = blockAxis(pairs.map(({ block }) => block));
  const span = isKnown(comparison) ? ` (95 %: ${formatSpan(interval)})` : '';
  return drawingFigure({
    title: given(variant),
    unit: `% against ${baseline}, by block`,
    x,
    y,
    heightPx: HEIGHT_PX,
    says: `${variant} against ${baseline}: ${formatChange(effect)}${span}; ${pairs
      .map(({ block, ratio }) => `block ${block} ${formatChange(ratio - 1)}`)
      .join(', ')}`,
    draw: (upwards) => [
      ...(isKnown(comparison) ? [band(upwards(interval.high * 100), upwards(interval.low * 100))] : []),
      element('line', { class: 'zero', x1: 0, x2: '100%', y1: upwards(0), y2: upwards(0) }),
      element('line', { class: 'range', x1: 0, x2: '100%', y1: upwards(effect * 100), y2: upwards(effect * 100) }),
      ...pairs.map(({ block, ratio }) =>
        element(
          'circle',
          {
            class: outliers.includes(block) ? 'point far' : 'point',
            cx: percent(x.at(block) ?? 0),
            cy: upwards((ratio - 1) * 100),
            r: RADIUS_PX,
          },
          element('title', {}, `block ${block}: ${formatChange(ratio - 1)}`),
        ),
      ),
    ],
  });
}

function band(top: number, bottom: number): Child {
  return element('rect', { class: 'band', x: 0, width: '100%', y: top, height: Math.max(1, bottom - top) });
}

function blockAxis(blocks: readonly number[]): Axis {
  const count = blocks.length;
  const at = (block: number) => (blocks.indexOf(block) + 0.5) / count;
  const every = Math.ceil(count / BLOCK_LABELS_MAX);
  const ticks = blocks
    .filter((_, index) => index % every === 0)
    .map((block, index) => ({ at: at(block), label: String(block), isFine: index % 2 === 1 }));
  return { from: 0, to: count, at, ticks };
}
