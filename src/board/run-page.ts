/** The page of one run on a board: its report, with the way back and its record. */
import type { RunRecord } from '../model/run.ts';
import { element, given } from '../report/html/element.ts';
import { runDocument } from '../report/html/run-page.ts';

export function runPage(run: RunRecord, title: string): string {
  return runDocument(run, [
    ' · ',
    element('a', { href: '../index.html' }, given(title)),
    ' · ',
    element('a', { href: `${run.id}.json` }, 'record as JSON'),
  ]);
}
