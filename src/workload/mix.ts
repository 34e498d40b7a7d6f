/** What one transaction of a workload sends, in words: told before a run, where the options may ask for little. */
import type { OptionsSchema, ValuesOf } from '../base/options.ts';
import type { MixLine, StatementKind, Workload } from './workload.ts';

/** 'per transaction: 14 reads, 4 writes, 2 other'; undefined where the workload does not tell. */
export function describeMix<S extends OptionsSchema>(workload: Workload<S>, options: ValuesOf<S>): string | undefined {
  const lines = workload.mix?.(options);
  if (lines === undefined) return undefined;
  const reads = sumOf(lines, 'read');
  const writes = sumOf(lines, 'write');
  return `per transaction: ${counted(reads, 'read')}, ${counted(writes, 'write')}, ${shown(sumOf(lines, 'other'))} other`;
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
