/** The result as people who know such benchmarks quote it. */
import { formatCount, formatFixed, formatLatency } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import { fromLatencyRecord } from '../../stats/latency-record.ts';
import { newOrdersPerMinute } from './conformance-pace.ts';
import { deviationsOf } from './deviations.ts';
import type { TpccOptions } from './options.ts';
import { TRANSACTION_NAMES } from './profiles.ts';

const LABEL_WIDTH = 26;
const MINUTE_S = 60;
const SHOWN_PERCENTILE = 90;
/** By which go-tpc divides, whatever the mix. */
const USUAL_CAP = 12.86;

export function tpccOwnTerms(run: RunRecord, options: TpccOptions): string[] {
  const line = (label: string, value: string) => `    ${label.padEnd(LABEL_WIDTH)}${value}`;
  const perMinute = newOrdersPerMinute(run);
  return [
    'TPC-C-like workload:',
    line(
      'new orders per minute',
      `${formatFixed(perMinute, 1)} (committed; those rolled back on purpose do not count)`,
    ),
    ...asTheTool(run, options).map(([label, value]) => line(label, value)),
    ...TRANSACTION_NAMES.map((name) => line(name, transactionText(run, name))),
  ];
}

function transactionText({ totals, latency }: RunRecord, name: string): string {
  const { byName, rolledBack = {} } = totals.transactions;
  const undone = rolledBack[name] ?? 0;
  const record = latency.transactions[name]?.response ?? latency.transactions[name]?.service;
  const parts = [`${formatCount(byName[name] ?? 0)} committed`];
  if (undone > 0) parts.push(`${formatCount(undone)} rolled back on purpose`);
  if (record !== undefined && record.count > 0) {
    parts.push(`90th percentile ${formatLatency(fromLatencyRecord(record).percentileUs(SHOWN_PERCENTILE))}`);
  }
  return parts.join(', ');
}

/** Figures that the tool of the profile would print for the same work. */
function asTheTool(run: RunRecord, options: TpccOptions): (readonly [label: string, value: string])[] {
  const { elapsedS, transactions, rollbacks } = run.totals;
  const perMinute = (count: number) => (elapsedS > 0 ? (count / elapsedS) * MINUTE_S : 0);
  const undone = Object.values(transactions.rolledBack ?? {}).reduce((sum, count) => sum + count, 0);
  const lines: (readonly [string, string])[] = [];
  if (deviationsOf(options).has('rollback_counted_as_done')) {
    const all = (transactions.byName['new_order'] ?? 0) + (transactions.rolledBack?.['new_order'] ?? 0);
    lines.push(['  as the tool counts', `${formatFixed(perMinute(all), 1)} (those rolled back on purpose count)`]);
  }
  if (options.profile === 'hammerdb') {
    const all = transactions.committed + undone + rollbacks;
    lines.push(['transactions per minute', `${formatFixed(perMinute(all), 1)} (commits and rollbacks of the server)`]);
  }
  if (options.profile === 'go-tpc') {
    const usual = USUAL_CAP * options.scale * options.tables;
    const all = (transactions.byName['new_order'] ?? 0) + (transactions.rolledBack?.['new_order'] ?? 0);
    lines.push(['efficiency', `${formatFixed((perMinute(all) / usual) * 100, 1)} % of ${USUAL_CAP} per warehouse`]);
  }
  return lines;
}
