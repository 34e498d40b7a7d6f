/** An experiment for the terminal: the answer first, then what it rests on, then what must be known to judge it. */
import { unreachable } from '../base/assert.ts';
import type { ExperimentEnding, ExperimentRecord, ExperimentResult } from '../model/experiment.ts';
import { costTable, elapsedText, pairTable, planFacts, type Shown, variantTable } from './experiment-tables.ts';
import { fittedTables } from './fitted-tables.ts';
import { hangingLines, noteLines, valueLines } from './layout.ts';
import { comparisonParagraphs, effectParagraph, plotLegend } from './sections/comparisons.ts';

/** `whereKept`: behind the commands that are told, where the store is not the usual one: ` --store=DIR`. */
export function experimentText(record: ExperimentRecord, whereKept = ''): string {
  const { plan, result, id, startedAt, endedAt } = record;
  const title = plan.question === undefined ? plan.name : `${plan.name}: ${plan.question}`;
  const paragraphs = [
    [...hangingLines('Experiment ', title), '', ...answerLines(record)],
    ...(result === undefined
      ? []
      : resultParagraphs({ result, metric: plan.metric, baseline: plan.baseline }, plan.marginShare)),
    noteParagraph('Said beforehand:', plan.notes),
    [
      'How it was measured:',
      ...planFacts(plan).flatMap(([name, value]) => valueLines(name, value)),
      ...valueLines('when', elapsedText(startedAt, endedAt)),
    ],
    [
      'Once more:',
      ...valueLines('the same', record.command.join(' ')),
      ...(isOpen(record.ending) ? valueLines('go on with it', `sqldyno experiment resume ${id}${whereKept}`) : []),
      ...valueLines('this report', `sqldyno experiment show ${id}${whereKept}`),
      ...(result === undefined ? [] : runLines(result)),
    ],
  ];
  const shown = paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Also of a comparison of stored runs. */
export function resultParagraphs(shown: Shown, marginShare: number): string[][] {
  const { result } = shown;
  const variants = variantTable(shown);
  const costs = costTable(shown);
  const pairs = pairTable(result);
  const comparisons = comparisonParagraphs(result, marginShare);
  const hasPairs = pairs.rows.length > 0;
  return [
    ...fittedTables(variants.columns, variants.rows),
    ...comparisons,
    effectParagraph(result, marginShare),
    comparisons.length === 0 ? [] : noteLines(plotLegend(marginShare)),
    ...fittedTables(costs.columns, costs.rows),
    hasPairs ? ['Block by block:', ...fittedTables(pairs.columns, pairs.rows).flat(), ...farNote(result)] : [],
    noteParagraph('To be known:', result.notes),
  ].filter((lines) => lines.length > 0);
}

export function noteParagraph(heading: string, notes: readonly string[]): string[] {
  return notes.length === 0 ? [] : [heading, ...notes.flatMap((note) => hangingLines('  - ', note))];
}

/** As `runs show` takes them: the last four letters of each id. */
export function runLines({ variants }: ExperimentResult): string[] {
  const known = variants.filter(({ runs }) => runs.length > 0);
  if (known.length === 0) return [];
  return known.flatMap(({ variant, runs }) => valueLines(`runs of ${variant}`, runs.map(shortId).join(' ')));
}

function shortId(id: string): string {
  return id.split('-').at(-1) ?? id;
}

function answerLines({ result, ending, runs }: ExperimentRecord): string[] {
  const planned = `${runs.length} runs were planned`;
  return [
    ...(result === undefined ? noteLines(`No run counts yet; ${planned}.`) : noteLines(result.is)),
    ...endingLines(ending),
  ];
}

function endingLines(ending: ExperimentEnding | undefined): string[] {
  if (ending === undefined) return ['', ...noteLines('It is not over: this is what has been measured so far.')];
  switch (ending.kind) {
    case 'done':
      return [];
    case 'early':
      return ['', ...noteLines(`It ended after ${ending.blocks} blocks, where a look that was planned was clear.`)];
    case 'interrupted':
      return ['', ...noteLines(`It was interrupted: ${ending.cause}`)];
    case 'failed':
      return ['', ...noteLines(`It failed: ${ending.cause}`)];
    default:
      return unreachable(ending);
  }
}

function isOpen(ending: ExperimentEnding | undefined): boolean {
  return ending === undefined || ending.kind === 'interrupted' || ending.kind === 'failed';
}

function farNote({ comparisons }: ExperimentResult): string[] {
  const hasFar = comparisons.some(({ isPrimary, outliers }) => isPrimary && outliers.length > 0);
  return hasFar ? noteLines('* lies far from the others; it counts all the same.') : [];
}
