/** An experiment as Markdown, to paste into an issue: the answer, the tables, what must be known. */
import type { ExperimentRecord, ExperimentResult } from '../model/experiment.ts';
import { formatChange, formatP } from '../stats/verdict-words.ts';
import {
  costTable,
  elapsedText,
  intervalText,
  pairTable,
  planFacts,
  pText,
  type Table,
  variantTable,
  verdictWord,
} from './experiment-tables.ts';
import type { Column } from './layout.ts';
import { codeBlock, folded, markdownList, markdownTable, markdownText } from './markdown.ts';

export function experimentMarkdown(record: ExperimentRecord): string {
  const { plan, result, ending, startedAt, endedAt, command } = record;
  const shown = result === undefined ? undefined : { result, metric: plan.metric, baseline: plan.baseline };
  const cause = ending !== undefined && 'cause' in ending ? `It ${ending.kind}: ${ending.cause}` : undefined;
  const blocks = [
    `## ${markdownText(plan.question ?? plan.name)}`,
    `**${markdownText(result?.is ?? `No run counts yet; ${record.runs.length} runs were planned.`)}**`,
    ...(cause === undefined ? [] : [markdownText(cause)]),
    ...(shown === undefined
      ? []
      : [
          ...markdownTable(variantTable(shown)),
          ...markdownTable(comparisonTable(shown.result)),
          ...markdownTable(effectTable(shown.result)),
          ...markdownTable(costTable(shown)),
          ...folded('Block by block', markdownTable(pairTable(shown.result))),
        ]),
    ...markdownList([...plan.notes, ...(result?.notes ?? [])]),
    ...folded('How it was measured', [
      ...markdownList([
        ...planFacts(plan).map(([name, value]) => `${name}: ${value}`),
        `when: ${elapsedText(startedAt, endedAt)}`,
      ]),
      codeBlock(command.join(' ')),
      ...markdownList((result?.variants ?? []).map(({ variant, runs }) => `runs of ${variant}: ${runs.join(', ')}`)),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function comparisonTable({ comparisons }: ExperimentResult): Table {
  const columns = ['metric', 'variant', 'change', '95 % interval', 'p', 'verdict'].map(left);
  const rows = comparisons.map((comparison) => [
    comparison.metric,
    comparison.variant,
    formatChange(comparison.effect),
    intervalText(comparison.interval),
    pText(comparison),
    verdictWord(comparison),
  ]);
  return { columns, rows };
}

function effectTable({ effects = [] }: ExperimentResult): Table {
  const columns = ['factor', 'from', 'to', 'effect', '95 % interval', 'p (Holm)'].map(left);
  const rows = effects.map(({ of, from, to, effect, interval, pHolm }) => [
    of,
    from,
    to,
    formatChange(effect),
    intervalText(interval),
    formatP(pHolm),
  ]);
  return { columns, rows };
}

function left(heading: string): Column {
  return { heading, align: 'left' };
}
