/**
 * The contract of a report: one file in `catalog/` with `export default defineReport({ … })`. Pure: records in, text
 * out; the caller reads and writes files.
 */
import type { RunRecord } from '../model/run.ts';

export interface RunsToReport {
  readonly runs: readonly RunRecord[];
}

export interface Report {
  readonly summary: string;
  /** Of the file's name, without the dot. */
  readonly extension: string;
  /** Must not throw for runs that failed, were interrupted, or did nothing. */
  render(input: RunsToReport): string;
}

/** One whose result is no text, and which may load what it needs only when it is asked for. */
export interface BinaryReport {
  readonly summary: string;
  readonly extension: string;
  renderBytes(input: RunsToReport): Promise<Uint8Array>;
}

export function defineReport(report: Report): Report {
  return report;
}

export function defineBinaryReport(report: BinaryReport): BinaryReport {
  return report;
}
