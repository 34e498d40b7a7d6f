/** Whether the figures can be believed: the client's own cost, the cross-check with the server, and the findings. */
import { formatBytes, formatCount, formatDuration, formatPercent, formatSignificant } from '../../base/units.ts';
import type { CrossCheck, Finding, RunRecord, Severity } from '../../model/run.ts';
import { type Column, hangingLines, noteLines, tableLines, valueLines } from '../layout.ts';
import { UNKNOWN } from '../told.ts';

export function clientLines({ client, imported }: RunRecord): string[] {
  if (imported !== undefined) return [`The client's own cost: ${UNKNOWN}`];
  const { cpuS, cpuUsPerStatement, eventLoopUtilizationMax, eventLoopDelayP99Ms, scheduleLagP99Ms } = client;
  const lag =
    scheduleLagP99Ms === undefined ? [] : valueLines('schedule lag', `p99 ${formatSignificant(scheduleLagP99Ms)} ms`);
  return [
    "The client's own cost:",
    ...valueLines('CPU', `${formatDuration(cpuS)}, ${formatSignificant(cpuUsPerStatement)} us per statement`),
    ...valueLines(
      'event loop',
      `busy ${formatPercent(eventLoopUtilizationMax)}, delay p99 ${formatSignificant(eventLoopDelayP99Ms)} ms` +
        (client.workers > 1 ? ` (highest of ${client.workers} workers)` : ''),
    ),
    ...lag,
    ...valueLines('memory', `${formatBytes(client.memoryPeakBytes)} at its peak`),
  ];
}

const CROSS_CHECK_COLUMNS: readonly Column[] = [
  { heading: "server's counter", align: 'left' },
  { heading: 'client', align: 'right' },
  { heading: 'server', align: 'right' },
  { heading: 'server - client', align: 'right' },
];

export function crossCheckLines({ crossCheck }: RunRecord): string[] {
  const title = "Cross-check with the server's counters";
  if (crossCheck.is === 'impossible') return hangingLines(`${title}: `, `not possible, ${crossCheck.because}`);
  const note = crossCheck.note === undefined ? [] : noteLines(crossCheck.note);
  const differing = differingRows(crossCheck);
  const all = crossCheck.rows.length;
  if (differing.length === 0) {
    return [`${title}: ${crossCheck.ok ? 'ok' : 'FAILED'}, ${all} of ${all} agree exactly`, ...note];
  }
  return [
    `${title}: ${crossCheck.ok ? 'ok' : 'FAILED'}, ${differing.length} of ${all} differ`,
    ...tableLines(CROSS_CHECK_COLUMNS, differing),
    ...note,
  ];
}

function differingRows({ rows }: Extract<CrossCheck, { is: 'done' }>): string[][] {
  return rows
    .filter(({ client, server }) => client !== server)
    .map(({ counter, client, server }) => {
      const difference = server - client;
      const sign = difference > 0 ? '+' : '';
      return [counter, formatCount(client), formatCount(server), sign + formatCount(difference)];
    });
}

const SEVERITIES: readonly Severity[] = ['invalid', 'warning', 'info'];

/** The gravest first. */
export function findingLines({ findings }: Pick<RunRecord, 'findings'>): string[] {
  if (findings.length === 0) return ['Findings: none'];
  const sorted = SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
  return ['Findings:', ...sorted.flatMap(linesOfFinding)];
}

function linesOfFinding({ severity, id, is, because, remedy }: Finding): string[] {
  const start = `    ${severity.toUpperCase().padEnd(9)}`;
  const below = ' '.repeat(start.length);
  return [
    ...hangingLines(start, `${is} [${id}]`),
    ...hangingLines(`${below}because: `, because),
    ...hangingLines(`${below}remedy:  `, remedy),
  ];
}
