/** The tables of a gate, for all its forms. */
import type { GateCheck, GateComparison, GateReport } from '../model/gate.ts';
import { formatChange, formatShare, formatSpan } from '../stats/verdict-words.ts';
import type { Table } from './experiment-tables.ts';
import type { Column } from './layout.ts';
import { metricCell, unitOfHeading } from './metric-cell.ts';

const left = (heading: string): Column => ({ heading, align: 'left' });
const right = (heading: string): Column => ({ heading, align: 'right' });

/** One row a requirement and run, and one a run that proves nothing; which run only where there are several. */
export function checkTable({ checks, runs }: GateReport): Table {
  const isOne = runs.length === 1;
  const runCells = (run: string) => (isOne ? [] : [run]);
  const invalid = runs.filter(({ isValid }) => !isValid);
  return {
    columns: [left(''), left('required'), right('measured'), ...(isOne ? [] : [left('run')])],
    rows: [
      ...invalid.map(({ run }) => [resultWord(false), 'the run proves something', 'no', ...runCells(run)]),
      ...checks.map((check) => [
        resultWord(check.isMet),
        check.requirement.is,
        measuredText(check),
        ...runCells(check.run),
      ]),
    ],
  };
}

/** Behind each name, how many runs count. */
export function comparisonTable({ comparisons }: GateReport): Table {
  return {
    columns: [
      left(''),
      left('metric'),
      left('of'),
      left('against'),
      right('change'),
      left('95 % interval'),
      left('verdict'),
    ],
    rows: comparisons.map((comparison) => [
      resultWord(comparison.isMet),
      comparison.metric,
      `${comparison.of} (${comparison.runs})`,
      `${comparison.baseline} (${comparison.baselineRuns})`,
      comparison.effect === undefined ? '-' : formatChange(comparison.effect),
      comparison.interval === undefined ? '-' : formatSpan(comparison.interval),
      verdictText(comparison),
    ]),
  };
}

export function resultWord(isMet: boolean): string {
  return isMet ? 'ok' : 'NOT MET';
}

export function measuredText({ measured, requirement: { unit } }: GateCheck): string {
  return measured === undefined ? 'not seen' : `${metricCell(measured, unit)} ${unitOfHeading(unit)}`.trimEnd();
}

function verdictText({ verdict, marginShare }: GateComparison): string {
  return `${verdict} (margin ${formatShare(marginShare)})`;
}

/** Why, for each thing that does not hold. */
export function reasonsOf({ runs, checks, comparisons }: GateReport): string[] {
  return [
    ...runs.filter(({ isValid }) => !isValid).map(({ run, because = '' }) => `${run} proves nothing. ${because}`),
    ...checks
      .filter(({ isMet }) => !isMet)
      .map(({ requirement, run, because }) => `${requirement.is}: ${because} (${run})`),
    ...comparisons.filter(({ isMet }) => !isMet).map(({ metric, because }) => `${metric}: ${because}`),
  ];
}

/** What passed, and proves less than it seems. */
export function doubtsOf({ comparisons }: GateReport): string[] {
  return comparisons
    .filter(({ isMet, verdict }) => isMet && verdict === 'UNDECIDED')
    .map(({ metric, because }) => `${metric} could not be decided, and --strict was not asked for: ${because}`);
}
