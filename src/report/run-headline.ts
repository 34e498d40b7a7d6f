/** A run in one sentence, and its figures in a table: what a reader wants to know who reads nothing else. */
import { formatCount, formatDuration, formatPercent, formatRate, formatSignificant } from '../base/units.ts';
import type { Finding, RunRecord } from '../model/run.ts';
import type { Table } from './experiment-tables.ts';
import { importedRows, importedSentence } from './imported-run.ts';
import { latencyOfAll, percentilesMs, percentilesShown } from './percentiles.ts';
import { endingText } from './sections/run.ts';

const PERCENTILE_IN_SENTENCE = 95;

/** What stands first where a run cannot be relied on: its end, then what spoils it. */
export function runHeadline(run: RunRecord): string {
  const reasons = reasonsAgainst(run);
  const figures = figuresSentence(run);
  return reasons.length === 0 ? figures : `${reasons.join(' ')} ${figures}`;
}

/** Empty where the run ended as planned and proves something. */
export function reasonsAgainst({ ending, findings }: RunRecord): string[] {
  const isWhole = ending.kind === 'time' || ending.kind === 'events';
  return [
    ...(isWhole ? [] : [`${endingText(ending).replace(/[.!?]*$/, '')}.`]),
    ...invalidFindings(findings).map(({ is }) => `INVALID: ${is}`),
  ];
}

export function invalidFindings(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity === 'invalid');
}

function figuresSentence(run: RunRecord): string {
  const imported = importedSentence(run);
  if (imported !== undefined) return imported;
  const { totals, rates, load, target } = run;
  const { committed } = totals.transactions;
  if (committed === 0) return 'No transaction was committed.';
  const latency = latencyOfAll(run);
  const percentile = load.percentiles.find((asked) => asked > 0) ?? PERCENTILE_IN_SENTENCE;
  const [ms = 0] = latency.count === 0 ? [] : percentilesMs(latency, [percentile]);
  const latencyPart = latency.count === 0 ? '' : `, p${percentile} ${formatSignificant(ms)} ms`;
  const threads = `${formatCount(load.threads)} ${load.threads === 1 ? 'thread' : 'threads'}`;
  return `${formatSignificant(rates.transactionsPerS)} transactions/s with ${threads} on ${target.flavor} ${target.version}${latencyPart}.`;
}

export function errorCountOf({ totals }: RunRecord): number {
  return totals.errors.reduce((sum, { count }) => sum + count, 0);
}

/** The figures that are asked for first, one a row. */
export function keyTable(run: RunRecord): Table {
  const rows = run.imported === undefined ? keyRows(run) : importedRows(run);
  return {
    columns: [
      { heading: 'figure', align: 'left' },
      { heading: 'value', align: 'left' },
    ],
    rows,
  };
}

function keyRows(run: RunRecord): string[][] {
  const { totals, rates, load, target, client } = run;
  const latency = latencyOfAll(run);
  const percentiles = percentilesShown(load.percentiles);
  const ms = latency.count === 0 ? [] : percentilesMs(latency, percentiles).map(formatSignificant);
  const { read, write, other, wasted } = totals.statements;
  const sent = read + write + other + wasted;
  return [
    ['server', `${target.flavor} ${target.version}`],
    ['load', `${load.mode}, ${formatCount(load.threads)} threads, ${formatDuration(totals.elapsedS)} measured`],
    ['transactions', `${formatRate(rates.transactionsPerS)} (${formatCount(totals.transactions.committed)})`],
    ['statements', formatRate(rates.statementsPerS)],
    ...(ms.length === 0
      ? []
      : [['latency, ms', [...ms.map((value, at) => `p${percentiles[at]} ${value}`)].join(', ')]]),
    ...(ms.length === 0 ? [] : [['longest', `${formatSignificant(latency.maxUs / 1_000)} ms`]]),
    ['errors', errorsText(run)],
    ['wasted statements', sent === 0 ? '0' : `${formatCount(wasted)} (${formatPercent(wasted / sent)})`],
    ['cross-check', crossCheckText(run)],
    ['client', `${formatSignificant(client.cpuUsPerStatement)} us of CPU per statement`],
    ...(run.grade === undefined ? [] : [['grade', run.grade.is]]),
    ...(run.durability === undefined ? [] : [['durability', run.durability.is]]),
  ];
}

function errorsText(run: RunRecord): string {
  const each = run.totals.errors.map(({ symbol, code, count }) => `${symbol || code} ${formatCount(count)}`);
  const count = formatCount(errorCountOf(run));
  return each.length === 0 ? count : `${count} (${each.join(', ')})`;
}

function crossCheckText({ crossCheck }: RunRecord): string {
  if (crossCheck.is === 'impossible') return `not possible, ${crossCheck.because}`;
  return crossCheck.ok ? 'client and server counted the same' : 'FAILED: client and server counted differently';
}
