/** A gate as Markdown, for the summary of a GitHub job or a comment. */
import type { GateReport } from '../model/gate.ts';
import { checkTable, comparisonTable, doubtsOf, reasonsOf } from './gate-tables.ts';
import { alert, folded, markdownList, markdownTable } from './markdown.ts';

export function gateMarkdown(report: GateReport): string {
  const reasons = reasonsOf(report);
  const doubts = doubtsOf(report);
  const blocks = [
    `## ${report.isMet ? '✅' : '❌'} sqldyno gate`,
    alert(report.isMet ? 'TIP' : 'CAUTION', [report.is]),
    ...markdownTable(checkTable(report)),
    ...markdownTable(comparisonTable(report)),
    ...(reasons.length === 0 ? [] : ['**Why**', ...markdownList(reasons)]),
    ...(doubts.length === 0 ? [] : [alert('WARNING', doubts)]),
    ...folded('What must be known of the comparison', markdownList(report.notes)),
  ];
  return `${blocks.join('\n\n')}\n`;
}
