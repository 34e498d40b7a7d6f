/** A gate for the terminal: every requirement with what was measured, the reasons, and the answer last. */
import type { GateReport } from '../model/gate.ts';
import { checkTable, comparisonTable, doubtsOf, reasonsOf } from './gate-tables.ts';
import { hangingLines, noteLines, tableLines } from './layout.ts';

export function gateText(report: GateReport): string {
  const { comparisons, notes } = report;
  const [required, compared] = [checkTable(report), comparisonTable(report)];
  const sections = [
    required.rows.length === 0 ? [] : tableLines(required.columns, required.rows),
    comparisons.length === 0 ? [] : tableLines(compared.columns, compared.rows),
    reasonsOf(report).flatMap((reason) => hangingLines('  - ', reason)),
    [...doubtsOf(report), ...notes].flatMap(noteLines),
    hangingLines('', report.is),
  ];
  const paragraphs = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${paragraphs.join('\n\n')}\n`;
}
