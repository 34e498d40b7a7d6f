/** The card of one machine for people: what it is, every figure with its range, and how far it may be trusted. */
import { formatBytes, formatCount, formatDuration, formatPercent } from '../base/units.ts';
import {
  FIGURE_GROUPS,
  type FigureGroup,
  type MachineCard,
  type MachineFigure,
  SCATTER_FAIR_MAX,
  SCATTER_GOOD_MAX,
} from '../model/machine-card.ts';
import type { Finding, LatencyRecord } from '../model/run.ts';
import { type Column, noteLines, tableLines, valueLines } from './layout.ts';
import { figureCell, groupTitle } from './machine-figures.ts';
import { millisecondCell, percentileCells } from './percentiles.ts';
import { endingText } from './sections/run.ts';
import { findingLines } from './sections/trust.ts';

export function machineCardText(card: MachineCard): string {
  const paragraphs = [
    headLines(card),
    ...FIGURE_GROUPS.flatMap((group) => groupParagraphs(card, group)),
    ...(card.figures.length === 0 ? [['Nothing was measured.']] : [trustLines()]),
    ...(card.missing.length === 0 ? [] : [missingLines(card)]),
    findingLines({ findings: [...card.findings, ...scatterFindings(card)] }),
    ...(card.ending.kind === 'time' ? [] : [[endingText(card.ending)]]),
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function headLines({ id, name, startedAt, endedAt, isQuick, facts, network }: MachineCard): string[] {
  const tookS = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  return [
    `Card of ${name}`,
    ...valueLines('card', id),
    ...valueLines('measured', `${startedAt}, in ${formatDuration(tookS)}${isQuick ? ' (--quick)' : ''}`),
    ...factLines(facts),
    ...(network === undefined
      ? []
      : valueLines('server', `${network.flavor} ${network.version} at ${network.address}${tlsText(network.tls)}`)),
  ];
}

function tlsText(tls: string | null): string {
  return tls === null ? ', not encrypted' : `, ${tls}`;
}

/** Of the many facts those by which people tell machines from each other; all of them are in the JSON. */
function factLines(facts: MachineCard['facts']): string[] {
  const has = (name: string) => facts[name] !== undefined && facts[name] !== 'none';
  const text = (name: string) => String(facts[name]);
  const bytes = (name: string) => formatBytes(Number(facts[name]));
  const joined = (...parts: (string | false)[]) => parts.filter((part) => part !== false).join(', ');
  const lines: [string, string][] = [
    ['machine', joined(has('machine.model') && text('machine.model'), has('dmi.product') && dmiText(facts))],
    [
      'processors',
      joined(
        has('cpu.model') && text('cpu.model'),
        has('cpu.threads') && `${text('cpu.threads')} threads`,
        has('process.cores') && `${text('process.cores')} usable here`,
        has('cpu.governor') && `governor ${text('cpu.governor')}`,
      ),
    ],
    [
      'memory',
      joined(
        has('memory.totalBytes') && bytes('memory.totalBytes'),
        has('cgroup.memoryLimitBytes') && `limit ${bytes('cgroup.memoryLimitBytes')}`,
      ),
    ],
    ['system', joined(has('distribution') && text('distribution'), has('kernel.release') && text('kernel.release'))],
    [
      'virtualization',
      joined(
        has('virtualization.hypervisor') && `hypervisor ${text('virtualization.hypervisor')}`,
        has('virtualization.container') && `container ${text('virtualization.container')}`,
      ),
    ],
    [
      'disk',
      joined(
        has('disk.model') && text('disk.model'),
        has('disk.name') && text('disk.name'),
        has('disk.sizeBytes') && bytes('disk.sizeBytes'),
        has('disk.rotational') && (facts['disk.rotational'] === true ? 'rotational' : 'not rotational'),
        has('disk.writeCache') && `cache ${text('disk.writeCache')}`,
      ),
    ],
    [
      'file system',
      joined(
        has('directory.filesystem') &&
          `${text('directory.filesystem')} (${text('directory.mountOptions').replaceAll(',', ', ')})`,
        has('directory.path') && `of ${text('directory.path')}`,
      ),
    ],
  ];
  return lines.flatMap(([label, value]) => (value === '' ? [] : valueLines(label, value)));
}

function dmiText(facts: MachineCard['facts']): string {
  return ['dmi.vendor', 'dmi.product']
    .flatMap((name) => (facts[name] === undefined ? [] : [String(facts[name])]))
    .join(' ');
}

const COLUMNS: readonly Column[] = [
  { heading: 'figure', align: 'left' },
  { heading: 'median', align: 'point' },
  { heading: 'from', align: 'point' },
  { heading: 'to', align: 'point' },
  { heading: 'scatter', align: 'right' },
  { heading: 'trust', align: 'left' },
];
const LATENCY_COLUMNS: readonly Column[] = [
  { heading: 'p50 ms', align: 'point' },
  { heading: 'p99 ms', align: 'point' },
];

function groupParagraphs(card: MachineCard, group: FigureGroup): string[][] {
  const figures = card.figures.filter((figure) => figure.group === group);
  const [first] = figures;
  if (first === undefined) return [];
  const columns = group === 'disk' ? [...COLUMNS, ...LATENCY_COLUMNS] : COLUMNS;
  const rows = figures.map((figure) => [
    ...rowOf(figure),
    ...(group === 'disk' ? latencyCells(card.latencies[figure.id]) : []),
  ]);
  const notes = [...new Set([...figures.map(({ how }) => how), ...threadNotes(figures), ...doubts(figures)])];
  return [
    [groupTitle(group, first), ...tableLines(columns, rows), ...notes.flatMap(noteLines)],
    ...(group === 'commits' ? [commitLines(card)] : []),
  ];
}

function rowOf({ label, median, min, max, unit, repeats, trust }: MachineFigure): string[] {
  const scatter = repeats.length < 2 || median === 0 ? '-' : formatPercent((max - min) / median);
  return [label, figureCell(median, unit), figureCell(min, unit), figureCell(max, unit), scatter, trust.is];
}

function latencyCells(record: LatencyRecord | undefined): string[] {
  return record === undefined ? ['-', '-'] : percentileCells(record, [50, 99]);
}

function threadNotes(figures: readonly MachineFigure[]): string[] {
  const all = figures.find(({ id }) => id.endsWith('.all_threads'))?.settings['threads'];
  return all === undefined ? [] : [`All threads: ${all}.`];
}

/** Each reason once, with the figures that it is about. */
function doubts(figures: readonly MachineFigure[]): string[] {
  const labels = new Map<string, string[]>();
  for (const { label, trust } of figures.filter((figure) => figure.trust.by === 'doubt')) {
    labels.set(trust.because, [...(labels.get(trust.because) ?? []), label]);
  }
  return [...labels].map(([because, ofThese]) =>
    ofThese.length === figures.length ? `Poor: ${because}` : `Poor (${ofThese.join('; ')}): ${because}`,
  );
}

const PERCENTILES = [50, 90, 95, 99, 99.9] as const;
const COMMIT_COLUMNS: readonly Column[] = [
  { heading: 'written', align: 'left' },
  { heading: 'count', align: 'right' },
  ...['min', ...PERCENTILES.map((percentile) => `p${percentile}`), 'max'].map(
    (heading): Column => ({ heading, align: 'point' }),
  ),
];

/** The distribution, and the figure that decides: a transaction of one connection waits for the median, every time. */
function commitLines({ latencies, figures }: MachineCard): string[] {
  const [redo, binlog] = [latencies['commits.overwrite'], latencies['commits.append']];
  if (redo === undefined || binlog === undefined) return [];
  const medianUs = (kind: string) => figures.find(({ id }) => id === `commits.${kind}_p50`)?.median ?? 0;
  const perS = (us: number) => `${formatCount(1_000_000 / Math.max(us, 1))} commits/s`;
  const [redoUs, binlogUs] = [medianUs('overwrite'), medianUs('append')];
  return [
    'The commits of all rounds, ms:',
    ...tableLines(COMMIT_COLUMNS, [commitRow('over a file', redo), commitRow('at its end', binlog)]),
    ...noteLines(
      `One connection can have at most ${perS(redoUs)} with innodb_flush_log_at_trx_commit=1 (1 / p50), and ` +
        `${perS(redoUs + binlogUs)} with sync_binlog=1 as well.`,
    ),
  ];
}

function commitRow(name: string, latency: LatencyRecord): string[] {
  return [
    name,
    formatCount(latency.count),
    millisecondCell(latency.minUs, latency.count),
    ...percentileCells(latency, PERCENTILES),
    millisecondCell(latency.maxUs, latency.count),
  ];
}

function trustLines(): string[] {
  const [good, fair] = [SCATTER_GOOD_MAX, SCATTER_FAIR_MAX].map((share) => `${share * 100} %`);
  return noteLines(
    'Each was measured in several rounds; scatter is the way from the lowest to the highest, as a share of the median. ' +
      `Trust: with a scatter up to ${good} good, up to ${fair} fair, beyond it poor, or for a reason that is told.`,
  );
}

/** Of those that are poor for another reason, that reason is told. */
function scatterFindings({ figures }: MachineCard): Finding[] {
  const poor = figures.filter(({ trust }) => trust.is === 'poor' && trust.by === 'scatter');
  if (poor.length === 0) return [];
  const of = `${poor.length} of ${figures.length} ${figures.length === 1 ? 'figure' : 'figures'}`;
  return [
    {
      id: 'scattered',
      severity: 'warning',
      is: `${of} cannot be trusted much (poor).`,
      because: `Their repeats lie more than ${SCATTER_FAIR_MAX * 100} % apart, as where something else is at work here.`,
      remedy:
        'See what it is (sqldyno doctor), and measure again when the machine is at rest, or for longer (--seconds).',
    },
  ];
}

function missingLines({ missing }: MachineCard): string[] {
  return ['Not measured, or not wholly:', ...missing.flatMap(({ what, because }) => noteLines(`${what}: ${because}`))];
}
