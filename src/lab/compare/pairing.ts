/** Which runs belong together: those of one block of an experiment, or those that ran by turns. Else none. */
import type { RunsComparison } from '../../model/comparison.ts';
import { tells } from '../../model/imported.ts';
import type { PlacedRun } from '../experiment/placed-run.ts';
import { byStart, type RunGroup } from './groups.ts';

export interface Paired {
  readonly pairing: RunsComparison['pairing'];
  readonly runs: readonly PlacedRun[];
  /** What must be known of it, each a sentence. */
  readonly notes: readonly string[];
}

export function pair(groups: readonly RunGroup[]): Paired {
  return byBlocks(groups) ?? inTurn(groups) ?? unpaired(groups);
}

/** All of one experiment, and each name at most once in a block. */
function byBlocks(groups: readonly RunGroup[]): Paired | undefined {
  const ids = new Set(groups.flatMap(({ runs }) => runs.map(({ experiment }) => experiment?.id)));
  if (ids.size !== 1 || ids.has(undefined)) return undefined;
  const blocksOf = ({ runs }: RunGroup) => runs.map(({ experiment }) => experiment?.block ?? 0);
  const isOnce = groups.every((group) => new Set(blocksOf(group)).size === group.runs.length);
  if (!isOnce) return undefined;
  const runs = groups.flatMap(({ name, runs }) =>
    runs.map((record) => ({ block: record.experiment?.block ?? 0, variant: name, record })),
  );
  return { pairing: 'blocks', runs, notes: [] };
}

/** As many of each, and no name ran twice before all others had run. */
function inTurn(groups: readonly RunGroup[]): Paired | undefined {
  // When they ran is not known of all: their order is that of the file.
  if (groups.some(({ runs }) => runs.some((run) => !tells(run, 'startedAt')))) return undefined;
  const count = groups[0]?.runs.length ?? 0;
  if (count < 2 || groups.some(({ runs }) => runs.length !== count)) return undefined;
  const all = groups.flatMap(({ name, runs }) => runs.map((record) => ({ variant: name, record })));
  const inOrder = all.sort((one, other) => byStart(one.record, other.record));
  const turns = Array.from({ length: count }, (_, turn) =>
    inOrder.slice(turn * groups.length, (turn + 1) * groups.length),
  );
  if (turns.some((turn) => new Set(turn.map(({ variant }) => variant)).size !== groups.length)) return undefined;
  const first = new Set(turns.map((turn) => turn[0]?.variant));
  const [only] = first;
  return {
    pairing: 'in turn',
    runs: turns.flatMap((turn, at) => turn.map((run) => ({ block: at + 1, ...run }))),
    notes: [
      'Runs that followed each other are taken as pairs.',
      ...(first.size === 1
        ? [`In every pair ${only} ran first: what a run leaves behind for the next looks like a difference.`]
        : []),
    ],
  };
}

function unpaired(groups: readonly RunGroup[]): Paired {
  const runs = groups.flatMap(({ name, runs }) => runs.map((record, at) => ({ block: at + 1, variant: name, record })));
  const several = groups.some(({ runs }) => runs.length > 1);
  return {
    pairing: 'none',
    runs,
    notes: several
      ? [
          'The runs are no pairs, and their order was not balanced: if the machine became faster or slower meanwhile, that looks ' +
            'like a difference, and no test can tell. sqldyno experiment makes runs that can be relied on.',
        ]
      : ['One run of each shows what was measured, and not how much it would be another time.'],
  };
}
