/** The forms of a report on runs: what is in its catalogue. */
import { entryNames, loadEntry } from '../base/catalog.ts';
import type { RunRecord } from '../model/run.ts';
import type { BinaryReport, Report } from '../report/report.ts';

const CATALOG = new URL('../report/catalog/', import.meta.url);

export const RUN_FORMATS: readonly string[] = entryNames(CATALOG);

/** Text, or bytes where the form is none. `format` is one of `RUN_FORMATS`. */
export async function renderRuns(format: string, runs: readonly RunRecord[]): Promise<string | Uint8Array> {
  const report = (await loadEntry(CATALOG, format)) as Report | BinaryReport;
  return 'renderBytes' in report ? report.renderBytes({ runs }) : report.render({ runs });
}
