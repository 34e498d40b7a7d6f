/** The report of an experiment: the answer first, then the variants side by side, and what the answer rests on. */
import type { ExperimentRecord, ExperimentResult, FactorEffect } from '../../model/experiment.ts';
import type { SweepResult } from '../../model/sweep.ts';
import { formatChange, formatP, formatShare } from '../../stats/verdict-words.ts';
import {
  byMetric,
  costTable,
  elapsedText,
  intervalText,
  pairTable,
  planFacts,
  pText,
  type Shown,
  type Table,
  variantTable,
  verdictWord,
} from '../experiment-tables.ts';
import { htmlDocument } from './document.ts';
import { type Child, element, given } from './element.ts';
import { intervalCells } from './interval-cell.ts';
import { pairPanels } from './pair-panels.ts';
import { commandBlock } from './run-facts.ts';
import { notice } from './run-headline.ts';
import { contents, footer, type Section, sectionNode } from './sections.ts';
import { sweepContent } from './sweep-content.ts';
import { bullets, factList, folded, type HtmlColumn, type HtmlRow, htmlTable } from './table.ts';

export interface ShownExperiment {
  readonly record: ExperimentRecord;
  /** Where its variants are values of one thing. */
  readonly sweep?: SweepResult;
}

export function experimentHtml({ record, sweep }: ShownExperiment): string {
  const { plan, result, runs } = record;
  const sections = [
    ...(sweep === undefined ? [] : [{ id: 'sweep', title: `Over ${sweep.over}`, content: sweepContent(sweep) }]),
    ...(result === undefined ? [] : resultSections(record, result)),
    ...planSections(record),
  ];
  const title = plan.question ?? plan.name;
  return htmlDocument({
    title: `${title} - sqldyno`,
    body: [
      element(
        'header',
        {},
        element('p', { class: 'kicker' }, 'sqldyno experiment ', given(plan.name)),
        element('h1', {}, given(title)),
        endingNotice(record),
        element(
          'p',
          { class: 'lead' },
          sweep?.is ?? result?.is ?? `No run counts yet; ${runs.length} runs were planned.`,
        ),
        element('p', { class: 'quiet' }, given(record.id), ` · ${elapsedText(record.startedAt, record.endedAt)}`),
        contents(sections),
      ),
      element('main', {}, ...sections.map(sectionNode)),
      footer(),
    ],
  });
}

function endingNotice({ ending }: ExperimentRecord): Child {
  if (ending === undefined) return notice('warn', 'It is not over: this is what has been measured so far.');
  if (ending.kind === 'early') {
    return element('p', {}, `It ended after ${ending.blocks} blocks, where a look that was planned was clear.`);
  }
  if (ending.kind === 'interrupted') return notice('warn', `It was interrupted: ${ending.cause}`);
  return ending.kind === 'failed' ? notice('bad', `It failed: ${ending.cause}`) : null;
}

function resultSections({ plan }: ExperimentRecord, result: ExperimentResult): Section[] {
  const shown = { result, metric: plan.metric, baseline: plan.baseline };
  const { marginShare } = plan;
  const sections: Section[] = [
    { id: 'variants', title: 'The variants', content: [variants(shown, marginShare), legend(marginShare)] },
    { id: 'pairs', title: 'Block by block', content: pairs(result) },
    { id: 'effects', title: 'Effects of the factors', content: effects(result, marginShare) },
    { id: 'metrics', title: 'Every metric', content: comparisons(result, marginShare) },
    { id: 'costs', title: 'What a transaction costs', content: [plainTable(costTable(shown)), ...costNote(result)] },
    { id: 'known', title: 'To be known', content: [bullets(result.notes)] },
  ];
  return sections.filter(({ content }) => content.some((each) => each !== null));
}

function variants(shown: Shown, marginShare: number): Child {
  const { columns, rows } = variantTable(shown);
  const compared = shown.result.variants.map(({ variant }) =>
    shown.result.comparisons.find((each) => each.isPrimary && each.variant === variant),
  );
  const cells = intervalCells(
    compared.flatMap((each) => each ?? []),
    marginShare,
  );
  const drawn = compared.map((each) => (each === undefined ? '' : (cells.shift() ?? '')));
  const spans = compared.map((each) => (each === undefined ? '' : intervalText(each.interval)));
  const [name, figure, change, ...others] = columns.map(htmlColumn);
  return htmlTable(
    [
      name!,
      figure!,
      change!,
      { heading: '95 % interval', is: 'number' },
      { heading: '', is: 'drawn' },
      ...others.map(({ heading }): HtmlColumn => ({ heading, is: 'word' })),
    ],
    rows.map(([first = '', second = '', third = '', ...rest], at) => ({
      cells: [given(first), second, third, spans[at], drawn[at], ...rest],
    })),
  );
}

function legend(marginShare: number): Child {
  const margin = marginShare > 0 ? `; dotted: the margin of ${formatShare(marginShare)}` : '';
  return element('p', { class: 'quiet' }, `Drawn: the change with its 95 % interval; upright: no difference${margin}.`);
}

function pairs(result: ExperimentResult): Child[] {
  const table = plainTable(pairTable(result));
  if (table === null) return [null];
  const hasFar = result.comparisons.some(({ isPrimary, outliers }) => isPrimary && outliers.length > 0);
  return [
    element(
      'p',
      {},
      'Each dot is a pair: the variant and the baseline within one block. The line is the change on the whole, the band its 95 % interval.',
    ),
    pairPanels(result.comparisons),
    folded('The figures of each block', table, hasFar ? element('p', { class: 'quiet' }, FAR) : null),
  ];
}

const FAR = '* lies far from the others; it counts all the same.';

function comparisons({ comparisons: all }: ExperimentResult, marginShare: number): Child[] {
  return [...byMetric(all)].flatMap(([metric, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const wanted = first.better === 'higher' ? 'more is better' : 'less is better';
    const drawn = intervalCells(group, marginShare);
    const rows = group.map((comparison, at) => ({
      cells: [
        given(comparison.variant),
        formatChange(comparison.effect),
        intervalText(comparison.interval),
        drawn[at],
        pText(comparison),
        verdictWord(comparison),
      ],
    }));
    return [
      element('h3', {}, `${metric}, against `, given(first.baseline), ` (${wanted})`),
      htmlTable(
        [{ heading: 'variant' }, ...INTERVAL, { heading: 'p', is: 'word' }, { heading: 'verdict', is: 'word' }],
        rows,
      ),
    ];
  });
}

const INTERVAL: readonly HtmlColumn[] = [
  { heading: 'change', is: 'number' },
  { heading: '95 % interval', is: 'number' },
  { heading: '', is: 'drawn' },
];

function effects({ effects: all = [] }: ExperimentResult, marginShare: number): Child[] {
  if (all.length === 0) return [null];
  const drawn = intervalCells(all, marginShare);
  const rows = all.map((effect, at) => effectRow(effect, drawn[at]));
  return [
    element(
      'p',
      {},
      'Of each factor, all else alike; with an x between two of them: how far one depends on the other.',
    ),
    htmlTable(
      [{ heading: 'factor' }, { heading: 'from' }, { heading: 'to' }, ...INTERVAL, { heading: 'p (Holm)', is: 'word' }],
      rows,
    ),
  ];
}

function effectRow({ of, from, to, effect, interval, pHolm }: FactorEffect, drawn: Child): HtmlRow {
  return { cells: [given(of), from, to, formatChange(effect), intervalText(interval), drawn, formatP(pHolm)] };
}

function costNote({ variants: all }: ExperimentResult): Child[] {
  const isPriced = all.some(({ metrics }) => Object.keys(metrics).some((name) => name.startsWith('cost of ')));
  if (!isPriced) return [];
  return [element('p', { class: 'quiet' }, 'Prices are those of the plan, a month, in its currency.')];
}

function plainTable({ columns, rows }: Table): Child {
  const kept = columns.map((_, at) => at).filter((at) => at === 0 || rows.some((row) => (row[at] ?? '') !== ''));
  return htmlTable(
    kept.map((at) => htmlColumn(columns[at]!)),
    rows.map((row) => ({ cells: kept.map((at) => row[at] ?? '') })),
  );
}

function htmlColumn({ heading, align }: Table['columns'][number]): HtmlColumn {
  return align === 'left' ? { heading } : { heading, is: 'number' };
}

function planSections(record: ExperimentRecord): Section[] {
  const { plan, command, id, result, ending } = record;
  const isOpen = ending === undefined || 'cause' in ending;
  const runs = (result?.variants ?? []).filter((summary) => summary.runs.length > 0);
  return [
    ...(plan.notes.length === 0
      ? []
      : [{ id: 'beforehand', title: 'Said beforehand', content: [bullets(plan.notes)] }]),
    {
      id: 'how',
      title: 'How it was measured',
      content: [
        factList(planFacts(plan).map(([name, value]) => [given(name), value] as const)),
        runs.length === 0
          ? null
          : folded(
              'Its runs',
              factList(runs.map(({ variant, runs: ids }) => [given(variant), ids.join(' ')] as const)),
            ),
      ],
    },
    {
      id: 'again',
      title: 'How to run it again',
      content: [
        commandBlock(command),
        isOpen ? element('p', {}, 'To go on with it:') : null,
        isOpen ? commandBlock(['sqldyno', 'experiment', 'resume', id]) : null,
      ],
    },
  ];
}
