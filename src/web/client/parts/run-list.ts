/** Which runs of a long list are shown: what is asked for, in which order, and the part that is on the screen. */
import type { RunRow } from '../../api.ts';

export interface RunsAsked {
  /** Words, all of which must be found somewhere in a run. */
  readonly words: string;
  readonly workload: string;
  readonly tag: string;
  readonly onlyValid: boolean;
  readonly order: RunOrder;
}
export type RunOrder = 'newest' | 'oldest' | 'fastest' | 'slowest' | 'p95';
export const RUN_ORDERS: readonly { readonly order: RunOrder; readonly label: string }[] = [
  { order: 'newest', label: 'newest first' },
  { order: 'oldest', label: 'oldest first' },
  { order: 'fastest', label: 'most transactions/s first' },
  { order: 'slowest', label: 'fewest transactions/s first' },
  { order: 'p95', label: 'longest p95 first' },
];

export interface SearchableRun {
  readonly run: RunRow;
  /** All that is searched, in small letters: made once, since it is looked through at every key. */
  readonly text: string;
}

export function searchable(run: RunRow): SearchableRun {
  const {
    id,
    workload,
    target,
    address,
    host = '',
    tags,
    experiment,
    ending,
    bottleneck = '',
    importedFrom = '',
  } = run;
  const place = experiment === undefined ? '' : `${experiment.name} ${experiment.variant}`;
  const all = [id, workload, target, address, host, ...tags, place, ending, bottleneck, importedFrom];
  return { run, text: all.join(' ').toLowerCase() };
}

/** `all`: newest first. */
export function wantedRuns(
  all: readonly SearchableRun[],
  { words, workload, tag, onlyValid, order }: RunsAsked,
): RunRow[] {
  const each = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const wanted = all
    .filter(
      ({ run, text }) =>
        (workload === '' || run.workload === workload) &&
        (tag === '' || run.tags.includes(tag)) &&
        (!onlyValid || run.isValid) &&
        each.every((word) => text.includes(word)),
    )
    .map(({ run }) => run);
  return inOrder(wanted, order);
}

function inOrder(runs: RunRow[], order: RunOrder): RunRow[] {
  const perS = ({ transactionsPerS = Number.NaN }: RunRow) => transactionsPerS;
  const p95 = ({ p95Ms = Number.NaN }: RunRow) => p95Ms;
  switch (order) {
    case 'newest':
      return runs;
    case 'oldest':
      return runs.reverse();
    case 'fastest':
      return runs.sort((a, b) => unknownLast(perS(b) - perS(a), perS(a), perS(b)));
    case 'slowest':
      return runs.sort((a, b) => unknownLast(perS(a) - perS(b), perS(a), perS(b)));
    case 'p95':
      return runs.sort((a, b) => unknownLast(p95(b) - p95(a), p95(a), p95(b)));
  }
}

function unknownLast(difference: number, one: number, other: number): number {
  return Number.isNaN(difference) ? Number(Number.isNaN(one)) - Number(Number.isNaN(other)) : difference;
}

export interface Window {
  /** The first that is drawn. */
  readonly from: number;
  /** Behind the last. */
  readonly to: number;
}

/** Drawn above and below what is seen, so that fast scrolling meets no gap. */
const BEYOND = 10;

/** `topPx`: of the list, relative to the top of the screen; negative when scrolled past. */
export function windowOf(count: number, rowPx: number, topPx: number, screenPx: number): Window {
  const first = Math.floor(-topPx / rowPx);
  const last = Math.ceil((screenPx - topPx) / rowPx);
  const from = Math.min(Math.max(0, first - BEYOND), count);
  return { from, to: Math.min(count, Math.max(from, last + BEYOND)) };
}
