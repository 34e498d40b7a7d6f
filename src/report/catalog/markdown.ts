/** Markdown to paste into an issue: the answer, the figures, what must be known, and how to do it again. */
import type { Finding, RunRecord } from '../../model/run.ts';
import { commandAgain } from '../command-again.ts';
import { codeBlock, folded, markdownList, markdownTable, markdownText } from '../markdown.ts';
import { defineReport } from '../report.ts';
import { keyTable, runHeadline } from '../run-headline.ts';
import { accountStatementLines, accountWaitLines } from '../sections/account.ts';
import { diagnosisLines, eventLines } from '../sections/diagnosis.ts';
import { statementLatencyLines, transactionLatencyLines } from '../sections/latency.ts';
import { hostLines, observationLines, serverLines } from '../sections/observed.ts';
import { conformanceLines, ownTermLines } from '../sections/own.ts';
import { runLines } from '../sections/run.ts';
import { clientLines, crossCheckLines } from '../sections/trust.ts';
import { errorLines, throughputLines, wastedWorkLines } from '../sections/work.ts';

export default defineReport({
  summary: 'Markdown to paste into an issue: verdict, figures, findings, how to reproduce, the rest folded away.',
  extension: 'md',
  render: ({ runs }) => runs.map(markdownOf).join('\n---\n\n'),
});

function markdownOf(run: RunRecord): string {
  const blocks = [
    `## ${markdownText(`${run.workload.name}: ${run.id}`)}`,
    `**${markdownText(runHeadline(run))}**`,
    ...markdownTable(keyTable(run)),
    ...(run.findings.length === 0 ? [] : ['**Findings**', ...markdownList(run.findings.map(findingText))]),
    ...(run.diagnosis === undefined ? [] : [`**Diagnosis:** ${markdownText(run.diagnosis.is)}`]),
    '**How to reproduce**',
    codeBlock(commandAgain(run)),
    ...foldedLines('Latency', [transactionLatencyLines(run), statementLatencyLines(run)]),
    ...foldedLines('Work and errors', [throughputLines(run), wastedWorkLines(run), errorLines(run)]),
    ...foldedLines('Server and host', [
      serverLines(run),
      hostLines(run),
      accountStatementLines(run),
      accountWaitLines(run),
      eventLines(run),
      diagnosisLines(run),
    ]),
    ...foldedLines('Rules and own terms of the workload', [conformanceLines(run), ownTermLines(run)]),
    ...foldedLines('Run, client and cross-check', [
      runLines(run),
      clientLines(run),
      crossCheckLines(run),
      observationLines(run),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function findingText({ severity, id, is, because, remedy }: Finding): string {
  return `${severity.toUpperCase()} (${id}): ${is} ${because} ${remedy}`;
}

/** Text for a terminal, as it stands. */
function foldedLines(title: string, sections: readonly (readonly string[])[]): string[] {
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return shown.length === 0 ? [] : folded(title, [codeBlock(shown.join('\n\n'))]);
}
