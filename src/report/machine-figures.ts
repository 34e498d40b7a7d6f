/** What cards of machines have in common as text: groups, their order and titles, and figures in the group's unit. */
import { formatSignificant } from '../base/units.ts';
import type { FigureGroup, FigureUnit, MachineFigure } from '../model/machine-card.ts';

const MIB = 2 ** 20;

export const GROUP_TITLES: Readonly<Record<FigureGroup, string>> = {
  cpu: 'Processors',
  memory: 'Memory',
  commits: 'Durable commits',
  disk: 'Disk',
  network: 'Way to the server',
};

const UNITS: Readonly<Record<FigureUnit, { readonly text: string; readonly size: number }>> = {
  'events/s': { text: 'events/s', size: 1 },
  'bytes/s': { text: 'MiB/s', size: MIB },
  IOPS: { text: 'requests/s (IOPS)', size: 1 },
  us: { text: 'us', size: 1 },
};

/** `Memory, MiB/s, more is better:` A group has figures of one unit. */
export function groupTitle(group: FigureGroup, { unit, better }: Pick<MachineFigure, 'unit' | 'better'>): string {
  return `${GROUP_TITLES[group]}, ${UNITS[unit].text}, ${better === 'higher' ? 'more' : 'less'} is better:`;
}

export function figureCell(value: number, unit: FigureUnit): string {
  return formatSignificant(value / UNITS[unit].size);
}
