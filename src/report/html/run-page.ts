/** The report of one run, or of several below each other with what tells them apart. */
import { formatCount, formatSignificant } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import { type DifferingFact, environmentDiff, type LoneFact } from '../../stats/environment-diff.ts';
import { latencyOfAll, percentileCells } from '../percentiles.ts';
import { hostFacts, observationFacts, serverFacts } from '../sections/observed.ts';
import { toldText } from '../told.ts';
import { statementLatency, transactionLatency } from './distribution.ts';
import { htmlDocument } from './document.ts';
import { type Child, element, given } from './element.ts';
import { importedHeadline, importedSections } from './imported-content.ts';
import { clientCharts, hostCharts, nothingWatched, otherCharts, serverCharts } from './observed-charts.ts';
import {
  accountContent,
  clientFacts,
  environmentContent,
  factText,
  reproduceContent,
  variablesContent,
  workContent,
} from './run-facts.ts';
import { runHeadline, runTitle } from './run-headline.ts';
import { diagnosisContent, findingCards, trustContent } from './run-judgement.ts';
import { contents, footer, type Section, sectionNode } from './sections.ts';
import { factList, type HtmlColumn, htmlTable } from './table.ts';
import { loadCharts, runClock } from './time-charts.ts';

export function runsDocument(runs: readonly RunRecord[]): string {
  const [only] = runs;
  if (only === undefined || runs.length > 1) return severalDocument(runs);
  return runDocument(only, []);
}

/** `above`: what stands over the title, such as a way back to where it was found. */
export function runDocument(only: RunRecord, above: readonly Child[]): string {
  const sections = sectionsOf(only, '');
  return htmlDocument({
    title: `${runTitle(only)} - sqldyno`,
    body: [
      element(
        'header',
        {},
        element('p', { class: 'kicker' }, 'sqldyno run report', ...above),
        element('h1', {}, given(runTitle(only))),
        ...headlineOf(only),
        contents(sections),
      ),
      element('main', {}, element('section', { class: 'run' }, ...sections.map(sectionNode))),
      footer(),
    ],
  });
}

function severalDocument(runs: readonly RunRecord[]): string {
  const title = `${formatCount(runs.length)} runs`;
  return htmlDocument({
    title: `${title} - sqldyno`,
    body: [
      element(
        'header',
        {},
        element('p', { class: 'kicker' }, 'sqldyno run report'),
        element('h1', {}, title),
        overview(runs),
        ...differences(runs),
      ),
      element('main', {}, ...runs.map(wholeRun)),
      footer(),
    ],
  });
}

function wholeRun(run: RunRecord, at: number): Child {
  const sections = sectionsOf(run, `r${at + 1}-`);
  return element(
    'section',
    { class: 'run', id: `r${at + 1}` },
    element('h2', { class: 'run-title' }, `${at + 1}. `, given(runTitle(run))),
    ...headlineOf(run),
    contents(sections),
    ...sections.map(sectionNode),
  );
}

/** `prefix`: of what must be told apart on one page. */
function sectionsOf(run: RunRecord, prefix: string): Section[] {
  const sections = run.imported === undefined ? ownSections(run) : importedSections(run);
  return sections.map((section) => ({ ...section, id: prefix + section.id }));
}

function headlineOf(run: RunRecord): Child[] {
  return run.imported === undefined ? runHeadline(run) : importedHeadline(run);
}

function ownSections(run: RunRecord): Section[] {
  const clock = runClock(run);
  const server = serverFacts(run);
  const serverDrawn = serverCharts(run, clock);
  const host = hostFacts(run);
  const hostDrawn = hostCharts(run, clock);
  const isSeen = (facts: readonly unknown[], charts: readonly Child[]) => facts.length + charts.length > 0;
  return [
    { id: 'time', title: 'Over time', content: loadCharts(run, clock) },
    { id: 'latency', title: 'Latency', content: transactionLatency(run) },
    { id: 'statements', title: 'Statements', content: [...statementLatency(run), ...accountContent(run)] },
    { id: 'work', title: 'Beside the committed work', content: workContent(run) },
    {
      id: 'server',
      title: 'Server',
      content: isSeen(server, serverDrawn) ? [factList(server), ...serverDrawn] : [nothingWatched(run)],
    },
    {
      id: 'host',
      title: 'Host of the server',
      content: isSeen(host, hostDrawn) ? [factList(host), ...hostDrawn] : [nothingWatched(run)],
    },
    {
      id: 'client',
      title: 'Client',
      content: [
        factList([
          ...clientFacts(run),
          ...observationFacts(run).map(([name, text]) => [`watching, ${name}`, text] as const),
        ]),
        ...clientCharts(run, clock),
        otherCharts(run, clock),
      ],
    },
    { id: 'diagnosis', title: 'Diagnosis', content: diagnosisContent(run) },
    { id: 'findings', title: 'Findings', content: [findingCards(run), ...trustContent(run)] },
    { id: 'environment', title: 'Environment', content: environmentContent(run) },
    { id: 'variables', title: 'Variables that were set', content: variablesContent(run) },
    { id: 'again', title: 'How to run it again', content: reproduceContent(run) },
  ];
}

const OVERVIEW: readonly HtmlColumn[] = [
  { heading: 'run' },
  { heading: 'workload' },
  ...['threads', 'transactions/s', 'p50 ms', 'p95 ms', 'p99 ms'].map((heading) => ({ heading, is: 'number' }) as const),
  { heading: 'ended by' },
  { heading: 'grade' },
];

function overview(runs: readonly RunRecord[]): Child {
  const rows = runs.map((run, at) => ({
    cells: [
      element('a', { href: `#r${at + 1}` }, given(run.id)),
      given(run.workload.name),
      toldText(run, 'load.threads', () => formatCount(run.load.threads)),
      toldText(run, 'rates.transactionsPerS', () => formatSignificant(run.rates.transactionsPerS)),
      ...percentileCells(latencyOfAll(run), [50, 95, 99]),
      run.ending.kind,
      run.grade?.is ?? '',
    ],
  }));
  return htmlTable(OVERVIEW, rows);
}

/** Each beside the first. */
function differences(runs: readonly RunRecord[]): Child[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  return others.flatMap((other, at) => {
    const { server, host, client } = environmentDiff(first, other);
    const rows = [server, host, ...(client === undefined ? [] : [client])].flatMap((diff) => [
      ...diff.differing.map(bothSides),
      ...diff.onlyInOne.map((fact) => ({ cells: [fact.name, loneText(fact), '-'] })),
      ...diff.onlyInOther.map((fact) => ({ cells: [fact.name, '-', loneText(fact)] })),
    ]);
    const title = element('h3', {}, `What tells run ${at + 2} from run 1, beside what was measured`);
    const columns = [
      { heading: 'fact', is: 'code' },
      { heading: 'run 1', is: 'code' },
      { heading: `run ${at + 2}`, is: 'code' },
    ] as const;
    return [title, rows.length === 0 ? element('p', {}, 'Nothing that is known.') : htmlTable(columns, rows)];
  });
}

function bothSides({ name, one, other, originOfOne, originOfOther }: DifferingFact): { cells: Child[] } {
  return {
    cells: [name, withOrigin(factText(name, one), originOfOne), withOrigin(factText(name, other), originOfOther)],
  };
}

function loneText({ name, value, origin }: LoneFact): string {
  return withOrigin(factText(name, value), origin);
}

function withOrigin(text: string, origin: string | undefined): string {
  return origin === undefined ? text : `${text} (${origin})`;
}
