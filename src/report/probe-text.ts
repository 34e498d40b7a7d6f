/** What came of trying a verdict, for people: pair by pair, against what the verdict foretells. */
import { formatSignificant } from '../base/units.ts';
import type { ProbeComparison, ProbePair, ProbeResult } from '../model/probe-result.ts';
import { type Column, hangingLines, tableLines, valueLines } from './layout.ts';

const COLUMNS: readonly Column[] = [
  { heading: 'pair', align: 'right' },
  { heading: 'first', align: 'left' },
  { heading: 'A, per s', align: 'point' },
  { heading: 'B, per s', align: 'point' },
  { heading: 'B / A', align: 'point' },
];

export function probeResultLines(result: ProbeResult): string[] {
  return [
    `Experiment on ${result.verdict}:`,
    ...valueLines('A', result.a),
    ...valueLines('B', result.b),
    ...result.notes.flatMap((note) => valueLines('note', note)),
    ...tableLines(COLUMNS, result.pairs.map(rowOf)),
    ...valueLines('transactions/s', `median of B / A: ${formatSignificant(result.medianRatio)}`),
    ...result.comparisons.filter(({ of }) => of !== 'transactions/s').flatMap(linesOfComparison),
    ...result.comparisons.flatMap(({ is }) => valueLines('foretold', is)),
    ...hangingLines('', result.is),
  ];
}

function rowOf({ first, a, b, ratio }: ProbePair, at: number): string[] {
  const rates = [a, b].map(({ transactionsPerS }) => formatSignificant(transactionsPerS));
  return [String(at + 1), first, ...rates, formatSignificant(ratio)];
}

function linesOfComparison({ of, ratios, median, pairsWithout }: ProbeComparison): string[] {
  const all = ratios.map(formatSignificant).join(', ');
  const without = pairsWithout === 0 ? '' : `; next to none in A in ${pairsWithout} of ${ratios.length} pairs`;
  return valueLines('compared too', `${of}, B / A: ${all}; median ${formatSignificant(median)}${without}`);
}

/** Of an earlier one, in short. */
export function probeResultInShort({ startedAt, is, medianRatio }: ProbeResult): string[] {
  const ratio = `median of B / A: ${formatSignificant(medianRatio)}`;
  return hangingLines('  tried ', `${startedAt.slice(0, 10)}: ${is} (${ratio})`);
}
