/** A run that another tool measured: what it told, and no more. */
import { tells } from '../../model/imported.ts';
import type { RunRecord } from '../../model/run.ts';
import {
  IMPORTED_LATENCY_COLUMNS,
  importedEnding,
  importedLatencyRows,
  importedRows,
  importedSentence,
} from '../imported-run.ts';
import { hostFacts } from '../sections/observed.ts';
import { type Child, element, given } from './element.ts';
import { hostCharts, otherCharts } from './observed-charts.ts';
import { commandBlock } from './run-facts.ts';
import { notice } from './run-headline.ts';
import { findingCards } from './run-judgement.ts';
import type { Section } from './sections.ts';
import { factList, type HtmlColumn, htmlTable } from './table.ts';
import { loadCharts, runClock } from './time-charts.ts';

export function importedHeadline(run: RunRecord): Child[] {
  const ending = importedEnding(run);
  return [
    ending === undefined ? null : notice('warn', ending),
    element('p', { class: 'lead' }, importedSentence(run)),
    element('p', { class: 'quiet' }, 'Run ', given(run.id)),
  ];
}

export function importedSections(run: RunRecord): Section[] {
  const hasIntervals = run.intervals.length > 1 && tells(run, 'intervals.transactions');
  return [
    {
      id: 'result',
      title: 'Result',
      content: [factList(importedRows(run).map(([name = '', value = '']) => [name, value]))],
    },
    ...(hasIntervals ? [{ id: 'time', title: 'Over time', content: loadCharts(run, runClock(run)) }] : []),
    { id: 'latency', title: 'Latency', content: [latencyTable(run)] },
    ...hostSection(run),
    { id: 'findings', title: 'Findings', content: [findingCards(run)] },
    ...(run.command.length === 0
      ? []
      : [{ id: 'again', title: 'The command, as it stands in the output', content: [commandBlock(run.command)] }]),
  ];
}

/** Of a log that ran beside it. */
function hostSection(run: RunRecord): Section[] {
  const clock = runClock(run);
  const content = [factList(hostFacts(run)), ...hostCharts(run, clock), otherCharts(run, clock)];
  return content.every((each) => each === null) ? [] : [{ id: 'host', title: 'Host of the server', content }];
}

function latencyTable(run: RunRecord): Child {
  const rows = importedLatencyRows(run).map(({ name, cells }) => ({ cells: [given(name), ...cells] }));
  if (rows.length === 0) return element('p', {}, 'The tool tells no latency.');
  const [count = '', ...others] = IMPORTED_LATENCY_COLUMNS;
  const columns: HtmlColumn[] = [
    { heading: 'transaction' },
    { heading: count, is: 'number' },
    ...others.map((name): HtmlColumn => ({ heading: `${name} ms`, is: 'number' })),
  ];
  return htmlTable(columns, rows);
}
