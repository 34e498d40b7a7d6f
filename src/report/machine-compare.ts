/** Two cards side by side: which machine is faster, row by row, and where that cannot be told. */
import type { FigureGroup, FigureUnit, MachineCard, MachineFigure } from '../model/machine-card.ts';
import { diffFacts, type FactsDiff } from '../stats/environment-diff.ts';

export type Faster = 'one' | 'other' | 'undecided' | 'not comparable';

export interface ComparedFigure {
  readonly id: string;
  readonly group: FigureGroup;
  readonly label: string;
  readonly unit: FigureUnit;
  readonly better: MachineFigure['better'];
  readonly one: number;
  readonly other: number;
  /** How many times as fast the other is: 2 is twice as fast, whichever way the unit counts. Absent beside a 0. */
  readonly speed?: number;
  readonly faster: Faster;
  /** Of what is not comparable. */
  readonly because?: string;
}

export interface MachineComparison {
  readonly one: Pick<MachineCard, 'id' | 'name' | 'startedAt'>;
  readonly other: Pick<MachineCard, 'id' | 'name' | 'startedAt'>;
  readonly figures: readonly ComparedFigure[];
  /** Ids of figures that only one of them has. */
  readonly onlyInOne: readonly string[];
  readonly onlyInOther: readonly string[];
  readonly facts: FactsDiff;
  /** What the reader must know: sentences. */
  readonly notes: readonly string[];
}

/** Settings in which two figures must agree to be figures of one thing. */
const MUST_AGREE: Readonly<Record<string, string>> = {
  engine: 'One was measured by fio, and the other by threads of sqldyno.',
  isDirect: 'One went past the page cache, and the other did not.',
  maxPrime: 'Their events are not the same.',
  operation: 'They did not do the same.',
  recordBytes: 'Their records are not of one size.',
  socket: 'One reached its server over a Unix socket, and the other over TCP.',
};

export function compareCards(one: MachineCard, other: MachineCard): MachineComparison {
  const others = new Map(other.figures.map((figure) => [figure.id, figure]));
  const ids = new Set(one.figures.map(({ id }) => id));
  const figures = one.figures.flatMap((figure) => {
    const paired = others.get(figure.id);
    return paired === undefined ? [] : [compareFigures(figure, paired)];
  });
  return {
    one: { id: one.id, name: one.name, startedAt: one.startedAt },
    other: { id: other.id, name: other.name, startedAt: other.startedAt },
    figures,
    onlyInOne: one.figures.filter(({ id }) => !others.has(id)).map(({ id }) => id),
    onlyInOther: other.figures.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    facts: diffFacts(one.facts, other.facts),
    notes: notesOn(one, other),
  };
}

function compareFigures(one: MachineFigure, other: MachineFigure): ComparedFigure {
  const { id, group, unit, better } = one;
  const [least, most] = better === 'higher' ? [one.median, other.median] : [other.median, one.median];
  const because = Object.entries(MUST_AGREE).find(([name]) => one.settings[name] !== other.settings[name])?.[1];
  return {
    id,
    group,
    label: one.label === other.label ? one.label : `${one.label} / ${other.label}`,
    unit,
    better,
    one: one.median,
    other: other.median,
    ...(least === 0 ? {} : { speed: most / least }),
    faster: because === undefined ? fasterOf(one, other) : 'not comparable',
    ...(because === undefined ? {} : { because }),
  };
}

/**
 * Decided where the ranges do not overlap, and the medians lie further apart than either range is wide. Of two equal
 * machines, with three repeats of each, that is so by chance once in twenty times (simulated, for normal, even and
 * skewed scatter: 4.5, 5.9 and 3.7 %).
 */
function fasterOf(one: MachineFigure, other: MachineFigure): Faster {
  if (one.repeats.length < 2 || other.repeats.length < 2) return 'undecided';
  const isApart = one.max < other.min || other.max < one.min;
  const widest = Math.max(one.max - one.min, other.max - other.min);
  if (!isApart || Math.abs(one.median - other.median) <= widest) return 'undecided';
  return one.median > other.median === (one.better === 'higher') ? 'one' : 'other';
}

function notesOn(one: MachineCard, other: MachineCard): string[] {
  const notes: string[] = [];
  if (one.node !== other.node) {
    notes.push(
      `Node is ${one.node} in A and ${other.node} in B: processors and memory are measured by what V8 makes of it.`,
    );
  }
  if (one.sqldyno.version !== other.sqldyno.version) {
    notes.push(`sqldyno is ${one.sqldyno.version} in A and ${other.sqldyno.version} in B.`);
  }
  if (one.isQuick !== other.isQuick) {
    notes.push(`${one.isQuick ? 'A' : 'B'} was measured with --quick: shorter, and with a smaller file.`);
  }
  const [ofOne, ofOther] = [one.disk?.fileBytes, other.disk?.fileBytes];
  if (ofOne !== undefined && ofOther !== undefined && ofOne !== ofOther && one.isQuick === other.isQuick) {
    notes.push('The files of the disk test differ in size: of a smaller one, a disk keeps more in its own cache.');
  }
  for (const [name, { network }] of [['A', one] as const, ['B', other] as const]) {
    if (network !== undefined)
      notes.push(`The server of ${name} is ${network.flavor} ${network.version} at ${network.address}.`);
  }
  for (const [name, { figures }] of [['A', one] as const, ['B', other] as const]) {
    const poor = figures.filter(({ trust }) => trust.by === 'doubt').map(({ id }) => id);
    if (poor.length > 0) notes.push(`Not to be trusted in ${name}, for reasons told on its card: ${poor.join(', ')}.`);
  }
  return notes;
}
