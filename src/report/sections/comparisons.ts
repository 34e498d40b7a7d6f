/** Comparisons, one metric after the other: each interval drawn beside its figures. */
import type { Comparison, ExperimentResult, FactorEffect } from '../../model/experiment.ts';
import { formatChange, formatP, formatShare } from '../../stats/verdict-words.ts';
import { byMetric, intervalText, pText, verdictWord } from '../experiment-tables.ts';
import { intervalPlot, type PlottedInterval } from '../interval-plot.ts';
import { LINE_LENGTH } from '../layout.ts';

const INDENT = '  ';
const GAP = '  ';
/** Where a name leaves less, it stands on a line of its own. */
const PLOT_LENGTH_MIN = 15;
const PLOT_LENGTH_MAX = 33;

interface Row extends PlottedInterval {
  readonly name: string;
  /** Behind the interval. */
  readonly verdict: string;
}

/** A paragraph for each metric. */
export function comparisonParagraphs({ comparisons }: ExperimentResult, marginShare: number): string[][] {
  return [...byMetric(comparisons)].map(([metric, group]) => {
    const [first] = group;
    const against = first === undefined ? '' : `, against ${first.baseline}`;
    const wanted = first?.better === 'higher' ? 'more is better' : 'less is better';
    return [`${metric}${against} (${wanted}):`, ...rowLines(group.map(rowOf), marginShare)];
  });
}

export function effectParagraph({ effects = [] }: ExperimentResult, marginShare: number): string[] {
  if (effects.length === 0) return [];
  const heading = 'Effect of each factor, all else alike (x: how far one depends on the other):';
  return [heading, ...rowLines(effects.map(rowOfEffect), marginShare)];
}

/** What the drawing stands for. */
export function plotLegend(marginShare: number): string {
  const margin = marginShare > 0 ? `, ┊ the margin of ${formatShare(marginShare)}` : '';
  return `├─●─┤ is the 95 % interval, │ no difference${margin}.`;
}

function rowOf(comparison: Comparison): Row {
  const { variant, effect, interval, isPrimary, pHolm } = comparison;
  const p = isPrimary && pHolm === undefined ? '' : ` (${pText(comparison)})`;
  return { name: variant, effect, interval, verdict: `${verdictWord(comparison)}${p}` };
}

function rowOfEffect({ of, from, to, effect, interval, pHolm }: FactorEffect): Row {
  return { name: `${of}: ${from} -> ${to}`, effect, interval, verdict: formatP(pHolm) };
}

function rowLines(rows: readonly Row[], marginShare: number): string[] {
  const figures = aligned(rows);
  const widest = Math.max(...figures.map(({ length }) => length));
  const roomBehind = (start: number) => LINE_LENGTH - INDENT.length - start - GAP.length - widest;
  const longest = Math.max(...rows.map(({ name }) => name.length)) + GAP.length;
  const isBeside = roomBehind(longest) >= PLOT_LENGTH_MIN;
  const start = isBeside ? longest : GAP.length;
  const width = Math.min(PLOT_LENGTH_MAX, Math.max(PLOT_LENGTH_MIN, roomBehind(start)));
  const plots = intervalPlot(rows, marginShare, width);
  return rows.flatMap(({ name }, at) => {
    const line = `${(isBeside ? name : '').padEnd(start)}${plots[at]}${GAP}${figures[at]}`;
    const lines = isBeside ? [line] : [name, line];
    return lines.map((text) => `${INDENT}${text}`.trimEnd());
  });
}

/** Effect, interval and verdict, each below the other. */
function aligned(rows: readonly Row[]): string[] {
  const effects = rows.map(({ effect }) => formatChange(effect));
  const intervals = rows.map(({ interval }) => intervalText(interval));
  const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  return rows.map(({ verdict }, at) =>
    [effects[at]!.padStart(widest(effects)), intervals[at]!.padEnd(widest(intervals)), verdict].join(GAP).trimEnd(),
  );
}
