/**
 * The contract of a report: one file in `catalog/` with `export default defineReport({ … })`. Pure: records in, text
 * out; the caller reads and writes files.
 */
import type { RunRecord } from '../model/run.ts';

export interface Report {
  readonly summary: string;
  /** Of the file's name, without the dot. */
  readonly extension: string;
  /** Must not throw for runs that failed, were interrupted, or did nothing. */
  render(input: { readonly runs: readonly RunRecord[] }): string;
}

export function defineReport(report: Report): Report {
  return report;
}
