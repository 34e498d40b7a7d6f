/** What one transaction of a workload sends, in words: told before a run, where the options may ask for little. */
import { defaultsOf, type OptionsSchema, type ValuesOf } from '../base/options.ts';
import type { MixLine, StatementKind, Workload } from './workload.ts';

/** Statements of each kind in a transaction. */
export type MixCounts = Readonly<Record<StatementKind, number>>;

/** Undefined where the workload does not tell. */
export function mixCounts<S extends OptionsSchema>(workload: Workload<S>, options: ValuesOf<S>): MixCounts | undefined {
  const lines = workload.mix?.(options);
  return lines && { read: sumOf(lines, 'read'), write: sumOf(lines, 'write'), other: sumOf(lines, 'other') };
}

/** 'per transaction: 14 reads, 4 writes, 2 other'; undefined where the workload does not tell. */
export function describeMix<S extends OptionsSchema>(workload: Workload<S>, options: ValuesOf<S>): string | undefined {
  const counts = mixCounts(workload, options);
  if (counts === undefined) return undefined;
  const { read, write, other } = counts;
  return `per transaction: ${counted(read, 'read')}, ${counted(write, 'write')}, ${shown(other)} other`;
}

function sumOf(lines: readonly MixLine[], kind: StatementKind): number {
  return lines.reduce((sum, line) => (line.kind === kind ? sum + line.perTransaction : sum), 0);
}

function counted(count: number, noun: string): string {
  return `${shown(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Weighted means need not be whole. */
function shown(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(2);
}

const NOUNS = { read: 'reads', write: 'writes' } as const;

/** Options that leave out a whole kind of work make figures that do not compare with those of the usual mix. */
export function mixNotes(workload: Workload, options: Readonly<Record<string, unknown>>): string[] {
  const usual = mixCounts(workload, defaultsOf(workload.options) as never);
  const asked = mixCounts(workload, options as never);
  if (usual === undefined || asked === undefined) return [];
  return (['read', 'write'] as const)
    .filter((kind) => usual[kind] > 0 && asked[kind] === 0)
    .map(
      (kind) =>
        `these options ask for no ${NOUNS[kind]}, where this workload has ${usual[kind]} in each transaction: results with ${NOUNS[kind]} came from other options`,
    );
}
