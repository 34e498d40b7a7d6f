/** Two cards side by side, for people. */
import { formatFixed } from '../base/units.ts';
import { FIGURE_GROUPS, type FigureGroup } from '../model/machine-card.ts';
import { isWithoutDifference } from '../stats/environment-diff.ts';
import { countOfFacts, factsDiffLines } from './facts-text.ts';
import { type Column, noteLines, tableLines, valueLines } from './layout.ts';
import type { ComparedFigure, Faster, MachineComparison } from './machine-compare.ts';
import { figureCell, groupTitle } from './machine-figures.ts';

const SIDES = { one: 'A', other: 'B' } as const;

const COLUMNS: readonly Column[] = [
  { heading: 'figure', align: 'left' },
  { heading: 'A', align: 'point' },
  { heading: 'B', align: 'point' },
  { heading: 'speed B : A', align: 'point' },
  { heading: 'faster', align: 'left' },
];
const FASTER: Readonly<Record<Faster, string>> = {
  one: 'A',
  other: 'B',
  undecided: 'undecided',
  'not comparable': 'not comparable',
};

export function machineComparisonText(comparison: MachineComparison): string {
  const { one, other, figures, facts, notes } = comparison;
  const paragraphs = [
    [
      'Two machines',
      ...valueLines('A', `${one.name}, card ${one.id}`),
      ...valueLines('B', `${other.name}, card ${other.id}`),
    ],
    ...FIGURE_GROUPS.flatMap((group) => groupParagraph(figures, group)),
    howLines(figures),
    ...loneLines(comparison),
    ...(notes.length === 0 ? [] : [['Notes:', ...notes.flatMap(noteLines)]]),
    [
      isWithoutDifference(facts)
        ? `The machines themselves: no difference, ${countOfFacts(facts.alike)} alike.`
        : `The machines themselves, where they differ (${countOfFacts(facts.alike)} alike):`,
      ...factsDiffLines(facts, SIDES),
    ],
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function groupParagraph(figures: readonly ComparedFigure[], group: FigureGroup): string[][] {
  const ofGroup = figures.filter((figure) => figure.group === group);
  const [first] = ofGroup;
  if (first === undefined) return [];
  const reasons = [...new Set(ofGroup.flatMap(({ because }) => (because === undefined ? [] : [because])))];
  return [[groupTitle(group, first), ...tableLines(COLUMNS, ofGroup.map(rowOf)), ...reasons.flatMap(noteLines)]];
}

function rowOf({ label, unit, one, other, speed, faster }: ComparedFigure): string[] {
  const ratio = speed === undefined || faster === 'not comparable' ? '-' : formatFixed(speed, 2);
  return [label, figureCell(one, unit), figureCell(other, unit), ratio, FASTER[faster]];
}

function howLines(figures: readonly ComparedFigure[]): string[] {
  if (figures.length === 0) return ['The cards have no figure in common.'];
  return noteLines(
    'Medians. Undecided: the ranges of the repeats overlap, or the medians are no further apart than one range is wide. ' +
      'Of two equal machines, about one row in twenty is decided by chance.',
  );
}

function loneLines({ onlyInOne, onlyInOther }: MachineComparison): string[][] {
  const lines = [
    ...(onlyInOne.length === 0 ? [] : noteLines(`Only in A: ${onlyInOne.join(', ')}`)),
    ...(onlyInOther.length === 0 ? [] : noteLines(`Only in B: ${onlyInOther.join(', ')}`)),
  ];
  return lines.length === 0 ? [] : [lines];
}
