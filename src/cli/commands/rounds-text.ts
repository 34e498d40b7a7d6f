/** Runs that consist of rounds, in words: before, between and after them. */
import { formatDuration, formatLatency, formatRate } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import { noteLines, tableLines, valueLines } from '../../report/layout.ts';
import { latencyOfAll } from '../../report/percentiles.ts';
import { fromLatencyRecord } from '../../stats/latency-record.ts';
import type { Rounds, RoundsSummary } from '../../workload/rounds.ts';
import type { OpenTarget } from '../open-target.ts';
import { targetText } from '../run-header.ts';
import { programVersion } from '../version.ts';

export interface RoundsHeader {
  readonly name: string;
  readonly rounds: Rounds;
  readonly target: OpenTarget;
  readonly seed: number;
  /** By which the runs are found together. */
  readonly tag: string;
}

export function roundsHeaderLines({ name, rounds, target, seed, tag }: RoundsHeader): string[] {
  return [
    `sqldyno ${programVersion()}`,
    ...valueLines('target', targetText(target)),
    ...valueLines('workload', name),
    ...valueLines('rounds', `${rounds.rounds.length}, kept with the tag ${tag}`),
    ...valueLines('seed', String(seed)),
    ...noteLinesOf(rounds),
    '',
  ];
}

export function noteLinesOf({ notes }: Rounds): string[] {
  return notes.flatMap((note) => valueLines('note', note));
}

/** What a round came to, in one line. */
export function roundLine(record: RunRecord): string {
  const { totals, rates, ending, load } = record;
  const percentile = load.percentiles.at(-1);
  const parts = [
    formatDuration(totals.elapsedS),
    `transactions ${formatRate(rates.transactionsPerS)}`,
    ...(percentile === undefined || totals.transactions.committed === 0
      ? []
      : [`p${percentile} ${formatLatency(fromLatencyRecord(latencyOfAll(record)).percentileUs(percentile))}`]),
    ...(totals.retries === 0 ? [] : [`retries ${totals.retries}`]),
    ...('cause' in ending ? [ending.kind] : []),
  ];
  return `  ${parts.join(', ')}`;
}

export function summaryLines({ title, columns, rows, notes }: RoundsSummary): string[] {
  return rows.length === 0 ? [] : ['', title, ...tableLines(columns, rows), ...notes.flatMap(noteLines)];
}
