/** A run that another tool measured, as reports show it: what it told, under its own names, and what nobody knows. */
import { formatCount, formatDuration, formatRate, formatSignificant } from '../base/units.ts';
import { type Imported, tells } from '../model/imported.ts';
import type { RunRecord } from '../model/run.ts';
import { latencyMetricOf } from '../stats/metrics-latency.ts';
import { valueLines } from './layout.ts';
import { sourceName, toldText, toolName, UNKNOWN } from './told.ts';

const STATISTICS = ['min', 'mean', 'p50', 'p95', 'p99', 'p99.9', 'max'] as const;

/** Without those that stand in the record's own fields, and so in the rows above. */
const SHOWN_ELSEWHERE = new Set(
  [
    'reads writes others queries queriesOfKinds transactions events ignoredErrors reconnects threads elapsedS',
    'transactionsPerS queriesPerS eventsPerS ignoredErrorsPerS reconnectsPerS latencyMinMs latencyAvgMs latencyMaxMs',
  ]
    .join(' ')
    .split(' '),
);

/** Undefined for a run of our own. */
export function importedSentence(run: RunRecord): string | undefined {
  const { imported, load, rates } = run;
  if (imported === undefined) return undefined;
  const rate = toldText(run, 'rates.transactionsPerS', () => formatSignificant(rates.transactionsPerS));
  const count = toldText(run, 'load.threads', () => formatCount(load.threads));
  const threads =
    count === UNKNOWN ? 'an unknown number of threads' : `${count} ${count === '1' ? 'thread' : 'threads'}`;
  const transactions = rate === UNKNOWN ? 'Transactions/s: unknown' : `${rate} transactions/s`;
  const p95 = latencyMetricOf('p95')?.of(run);
  const latency = p95 === undefined ? '' : `, p95 ${formatSignificant(p95)} ms`;
  return `${transactions}, with ${threads}${latency}; measured by ${toolName(imported)} on a server that is not told.`;
}

/** The figures that are asked for first, and then all else that the output tells: name and value. Empty for our own. */
export function importedRows(run: RunRecord): string[][] {
  const { imported, totals, rates, load } = run;
  if (imported === undefined) return [];
  const count = (path: string, value: number) => toldText(run, path, () => formatCount(value));
  const rate = (path: string, perS: number) => toldText(run, path, () => formatRate(perS));
  const errors = totals.errors.reduce((sum, { count: each }) => sum + each, 0);
  const { read, write, other } = totals.statements;
  const kinds = toldText(
    run,
    'totals.statements',
    () => `${formatCount(read)} read, ${formatCount(write)} write, ${formatCount(other)} other`,
  );
  return [
    ['measured by', toolName(imported)],
    ['imported from', sourceName(imported)],
    ...(imported.cutOff.length === 0 ? [] : [['missing there', imported.cutOff.join('; ')]]),
    ['server', UNKNOWN],
    ['threads', count('load.threads', load.threads)],
    ['transactions', transactionsText(run)],
    ['statements', rate('rates.statementsPerS', rates.statementsPerS)],
    ['statements by kind', kinds],
    ['measured time', toldText(run, 'totals.elapsedS', () => formatDuration(totals.elapsedS))],
    ['latency, ms', latencyText(run)],
    ['errors', count('totals.errors', errors)],
    ['reconnects', count('totals.reconnects', totals.reconnects)],
    ...otherFigures(imported).map(([name, value]) => [name, value]),
    ['cross-check', 'not possible'],
    ['client', UNKNOWN],
  ];
}

export function importedLines(run: RunRecord): string[] {
  const rows = importedRows(run);
  if (rows.length === 0) return [];
  return ['Result of another tool:', ...rows.flatMap(([name = '', value = '']) => valueLines(name, value))];
}

/** How it ended, as far as its output says; undefined for our own. */
export function importedEnding({ imported, ending }: RunRecord): string | undefined {
  if (imported === undefined) return undefined;
  if (ending.kind === 'interrupted') return `IMPORTED IN PART: ${ending.cause}`;
  return `Imported: ${toolName(imported)} printed its result; nothing of it was checked.`;
}

function transactionsText(run: RunRecord): string {
  const rate = toldText(run, 'rates.transactionsPerS', () => formatRate(run.rates.transactionsPerS));
  const count = toldText(run, 'totals.transactions', () => formatCount(run.totals.transactions.committed));
  return rate === UNKNOWN && count === UNKNOWN ? UNKNOWN : `${rate} (${count})`;
}

function latencyText(run: RunRecord): string {
  const told = STATISTICS.flatMap((name) => {
    const ms = latencyMetricOf(name)?.of(run);
    return ms === undefined ? [] : [`${name} ${formatSignificant(ms)}`];
  });
  if (told.length === 0) return UNKNOWN;
  return told.length === STATISTICS.length ? told.join(', ') : `${told.join(', ')}; other percentiles ${UNKNOWN}`;
}

/** In the table of latencies, or its doubles. */
const OF_A_KIND = /\.(?:latency\w+|p\d+(?:\.\d+)?|transactions\w*)$/;

function otherFigures({ figures }: Imported): [string, string][] {
  return Object.entries(figures)
    .filter(([name]) => !SHOWN_ELSEWHERE.has(name) && !/^p(?:50|95|99|99\.9)$/.test(name) && !OF_A_KIND.test(name))
    .map(([name, value]) => [name, Number.isInteger(value) ? formatCount(value) : formatSignificant(value)]);
}

/** What of the latencies of parts is told, as a table's cells: name, count, then STATISTICS. */
export function importedLatencyRows(run: RunRecord): { readonly name: string; readonly cells: string[] }[] {
  const { imported, totals } = run;
  if (imported === undefined) return [];
  const { committed, byName } = totals.transactions;
  const all = { name: 'all', count: tells(run, 'totals.transactions') ? formatCount(committed) : UNKNOWN };
  const kinds = Object.entries(byName).map(([name, count]) => ({ name, count: formatCount(count) }));
  return [...kinds, all].flatMap(({ name, count }) => {
    const values = STATISTICS.map((statistic) => latencyMetricOf(`${statistic}(${name})`)?.of(run));
    if (values.every((value) => value === undefined)) return [];
    const cells = values.map((ms) => (ms === undefined ? UNKNOWN : formatSignificant(ms)));
    return [{ name, cells: [count, ...cells] }];
  });
}

export const IMPORTED_LATENCY_COLUMNS: readonly string[] = ['count', ...STATISTICS];
