/**
 * The whole distribution of latency, by percentile: HdrHistogram's plot, where each nine takes as much room as the
 * last.
 */
import { formatCount, formatPercent } from '../../base/units.ts';
import type { LatencyRecord, RunRecord } from '../../model/run.ts';
import { recordPercentilesUs } from '../../stats/latency-percentiles.ts';
import { ALL_TRANSACTIONS, millisecondCell, percentileCells, percentilesShown } from '../percentiles.ts';
import { LOOPS, namedTransactions, partsOf } from '../sections/latency.ts';
import { logAxis, ninesOf, percentileAxis } from './axis.ts';
import { type ChartLine, chartFigure, LINES_MAX } from './chart.ts';
import { type Child, element, given } from './element.ts';
import { type HtmlColumn, htmlTable } from './table.ts';

const POINTS_PER_NINE = 20;
const HEIGHT_PX = 240;

interface NamedLatency {
  readonly name: string;
  readonly record: LatencyRecord;
}

export function transactionLatency(run: RunRecord): Child[] {
  const parts = namedTransactions(run).flatMap(([name, latency]) =>
    partsOf(name, latency).map(([label, record]) => ({ name: label.trim(), record })),
  );
  const measured = parts.filter(({ record }) => record.count > 0);
  if (measured.length === 0) return [element('p', {}, 'No latency of transactions was measured.')];
  const { kind, note } = LOOPS[run.load.mode];
  const all = run.latency.transactions[ALL_TRANSACTIONS];
  // In the open loop, what is plotted is where the time of all went; its transactions are in the table.
  const plotted = all?.response === undefined ? measured : namedParts(all);
  const percentiles = percentilesShown(run.load.percentiles);
  const columns: HtmlColumn[] = [
    { heading: 'transaction' },
    ...['count', 'min', 'mean', ...percentiles.map((each) => `p${each}`), 'max'].map(numberColumn),
  ];
  const rows = parts.map(({ name, record }) => ({
    cells: [
      given(name),
      formatCount(record.count),
      millisecondCell(record.minUs, record.count),
      millisecondCell(record.meanUs, record.count),
      ...percentileCells(record, percentiles),
      millisecondCell(record.maxUs, record.count),
    ],
  }));
  return [
    percentilePlot('Latency of transactions by percentile', plotted),
    element('h3', {}, `Transactions, ms (${kind})`),
    htmlTable(columns, rows),
    element('p', { class: 'quiet' }, note),
  ];
}

function namedParts(latency: Parameters<typeof partsOf>[1]): NamedLatency[] {
  return partsOf('', latency).map(([label, record]) => ({ name: label.trim(), record }));
}

export function statementLatency(run: RunRecord): Child[] {
  const { byName } = run.totals.statements;
  const sent = Object.entries(run.latency.statements).filter(([, record]) => record.count > 0);
  if (sent.length === 0) return [element('p', {}, 'No latency of statements was measured.')];
  const sumUs = sent.reduce((sum, [, record]) => sum + record.sumUs, 0);
  const percentiles = percentilesShown(run.load.percentiles);
  const columns: HtmlColumn[] = [
    { heading: 'statement' },
    { heading: 'kind' },
    ...['committed', 'wasted', 'time', ...percentiles.map((each) => `p${each}`), 'max'].map(numberColumn),
  ];
  const rows = sent.map(([name, record]) => ({
    cells: [
      given(name),
      byName[name]?.kind ?? '',
      formatCount(byName[name]?.committed ?? 0),
      formatCount(byName[name]?.wasted ?? 0),
      sumUs > 0 ? formatPercent(record.sumUs / sumUs) : '-',
      ...percentileCells(record, percentiles),
      millisecondCell(record.maxUs, record.count),
    ],
  }));
  const longest = [...sent].sort(([, one], [, other]) => other.sumUs - one.sumUs).slice(0, LINES_MAX);
  const left = sent.length - longest.length;
  return [
    htmlTable(columns, rows),
    element(
      'p',
      { class: 'quiet' },
      'Milliseconds, from sending to the last byte of the reply; time: its share of all statements’ time.',
    ),
    percentilePlot(
      `Latency of statements by percentile${left > 0 ? `: the ${LINES_MAX} that took most time` : ''}`,
      longest.map(([name, record]) => ({ name, record })),
    ),
  ];
}

function numberColumn(heading: string): HtmlColumn {
  return { heading, is: 'number' };
}

function percentilePlot(title: string, all: readonly NamedLatency[]): Child {
  const latencies = all.slice(0, LINES_MAX);
  const lines = latencies.map(lineOf);
  return chartFigure({
    title,
    unit: 'ms, logarithmic',
    unitShort: 'ms',
    kind: 'percentile',
    x: percentileAxis(Math.max(...latencies.map(({ record }) => record.count))),
    y: logAxis(lines.flatMap(({ ys }) => ys.filter((value) => value !== null))),
    heightPx: HEIGHT_PX,
    lines,
  });
}

/** Up to the last percentile of which there is more than one value. */
function lineOf({ name, record }: NamedLatency): ChartLine {
  const ninesMax = Math.log10(Math.max(2, record.count));
  const steps = Math.ceil(ninesMax * POINTS_PER_NINE);
  const percentiles = Array.from({ length: steps + 1 }, (_, step) => {
    const nines = (step / steps) * ninesMax;
    return 100 * (1 - 10 ** -nines);
  });
  const ys = recordPercentilesUs(record, percentiles).map((us) => (us > 0 ? us / 1_000 : null));
  return { name, xs: percentiles.map(ninesOf), ys };
}
