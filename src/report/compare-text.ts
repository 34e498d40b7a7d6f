/** Stored runs side by side, for the terminal: the answer first, then the figures, then what must be known. */
import type { RunsComparison } from '../model/comparison.ts';
import { resultParagraphs, runLines } from './experiment-text.ts';
import { hangingLines, noteLines } from './layout.ts';

export function comparisonText(comparison: RunsComparison): string {
  const { result, metric, baseline, marginShare, differences } = comparison;
  const names = result.variants.map(({ variant }) => variant);
  const refused = differences.filter(({ is }) => is === 'refused');
  const paragraphs = [
    hangingLines('', `Comparison of ${names.join(', ')} in ${metric}`),
    noteLines(result.is),
    refused.length === 0
      ? []
      : noteLines('They did not do the same work: the figures stand side by side because that was asked for.'),
    ...resultParagraphs({ result, metric, baseline }, marginShare),
    runLines(result),
  ];
  const shown = paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}
