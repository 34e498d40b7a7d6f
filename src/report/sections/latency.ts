/** Latency of transactions and of statements: the whole distribution, and what it means. */
import { formatCount, formatPercent } from '../../base/units.ts';
import type { LatencyRecord, RunRecord, TransactionLatency } from '../../model/run.ts';
import { fittedTables } from '../fitted-tables.ts';
import { IMPORTED_LATENCY_COLUMNS, importedLatencyRows } from '../imported-run.ts';
import { type Column, noteLines } from '../layout.ts';
import { ALL_TRANSACTIONS, millisecondCell, percentileCells, percentilesShown } from '../percentiles.ts';
import { UNKNOWN } from '../told.ts';

/** With more percentiles than the usual four, the columns that sysbench's part has already give way. */
const PERCENTILES_BESIDE_MEAN_MAX = 4;

const CLOSED_LOOP_NOTE =
  'Closed loop: a thread sends its next transaction when the last one has ended, so while the server stalls, the waiting of ' +
  'all who would have come meanwhile is not in these figures. With --rate it is.';
const OPEN_LOOP_NOTE =
  'Open loop: response runs from the moment a transaction was due, service from when a thread took it up; queue is the difference.';

const TERMINALS_NOTE =
  'Terminals: response runs from the moment a transaction had been keyed in, service from when a connection took it up; queue is the ' +
  'difference.';
export const LOOPS: Readonly<Record<RunRecord['load']['mode'], { readonly kind: string; readonly note: string }>> = {
  closed: { kind: 'closed loop, service time', note: CLOSED_LOOP_NOTE },
  open: { kind: 'open loop', note: OPEN_LOOP_NOTE },
  terminals: { kind: 'terminals', note: TERMINALS_NOTE },
};

export function transactionLatencyLines(run: RunRecord): string[] {
  if (run.imported !== undefined) return importedLines(run);
  const percentiles = percentilesShown(run.load.percentiles);
  const hasMean = percentiles.length <= PERCENTILES_BESIDE_MEAN_MAX;
  const columns: Column[] = [
    { heading: 'transaction', align: 'left' },
    { heading: 'count', align: 'right' },
    ...(hasMean ? millisecondColumns(['min', 'mean']) : []),
    ...millisecondColumns([...percentiles.map((percentile) => `p${percentile}`), 'max']),
  ];
  const rows = namedTransactions(run).flatMap(([name, latency]) =>
    partsOf(name, latency).map(([label, record]) => [
      label,
      formatCount(record.count),
      ...(hasMean ? [millisecondCell(record.minUs, record.count), millisecondCell(record.meanUs, record.count)] : []),
      ...percentileCells(record, percentiles),
      millisecondCell(record.maxUs, record.count),
    ]),
  );
  const { kind, note } = LOOPS[run.load.mode];
  if (rows.length === 0) return ['Latency of transactions: none was measured.'];
  return [`Latency of transactions, ms (${kind}):`, ...fittedTables(columns, rows).flat(), ...noteLines(note)];
}

/** As it was printed: also where there is a histogram, whose steps are coarser. */
function importedLines(run: RunRecord): string[] {
  const rows = importedLatencyRows(run).map(({ name, cells }) => [name, ...cells]);
  const title = 'Latency of transactions, ms, as the tool tells it';
  if (rows.length === 0) return [`${title}: ${UNKNOWN}`];
  const [count = '', ...others] = IMPORTED_LATENCY_COLUMNS;
  const first: readonly Column[] = [
    { heading: 'transaction', align: 'left' },
    { heading: count, align: 'right' },
  ];
  return [`${title}:`, ...fittedTables([...first, ...millisecondColumns(others)], rows).flat()];
}

/** `all` says nothing new where there is only one. */
export function namedTransactions({ latency }: RunRecord): [string, TransactionLatency][] {
  const entries = Object.entries(latency.transactions);
  const named = entries.filter(([name]) => name !== ALL_TRANSACTIONS);
  return named.length === 1 ? named : entries;
}

export function partsOf(name: string, { service, response, queue }: TransactionLatency): [string, LatencyRecord][] {
  if (response === undefined) return [[name, service]];
  const parts: [string, LatencyRecord][] = [
    [`${name} response`, response],
    ['  service', service],
  ];
  return queue === undefined ? parts : [...parts, ['  queue', queue]];
}

export function statementLatencyLines(run: RunRecord): string[] {
  const { byName } = run.totals.statements;
  const percentiles = percentilesShown(run.load.percentiles);
  const hasWaste = Object.values(byName).some(({ wasted }) => wasted > 0);
  const sumUs = Object.values(run.latency.statements).reduce((sum, record) => sum + record.sumUs, 0);
  const columns: Column[] = [
    { heading: 'statement', align: 'left' },
    { heading: 'committed', align: 'right' },
    ...(hasWaste ? [{ heading: 'wasted', align: 'right' } as const] : []),
    { heading: 'time', align: 'right' },
    ...millisecondColumns([...percentiles.map((percentile) => `p${percentile}`), 'max']),
  ];
  const sent = Object.entries(run.latency.statements).filter(([, record]) => record.count > 0);
  const rows = sent.map(([name, record]) => [
    name,
    formatCount(byName[name]?.committed ?? 0),
    ...(hasWaste ? [formatCount(byName[name]?.wasted ?? 0)] : []),
    sumUs > 0 ? formatPercent(record.sumUs / sumUs) : '-',
    ...percentileCells(record, percentiles),
    millisecondCell(record.maxUs, record.count),
  ]);
  if (rows.length === 0) return [];
  return ['Latency of statements, ms (sent to last byte of the reply):', ...fittedTables(columns, rows).flat()];
}

function millisecondColumns(headings: readonly string[]): Column[] {
  return headings.map((heading) => ({ heading, align: 'point' }));
}
