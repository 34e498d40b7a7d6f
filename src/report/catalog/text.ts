/** The report for the terminal: sysbench's statistics first, then what they leave out. */
import type { RunRecord } from '../../model/run.ts';
import { importedEnding, importedLines } from '../imported-run.ts';
import { latencyOfAll } from '../percentiles.ts';
import { defineReport } from '../report.ts';
import { accountStageLines, accountStatementLines, accountWaitLines } from '../sections/account.ts';
import { diagnosisLines, eventLines, gradeLines } from '../sections/diagnosis.ts';
import { statementLatencyLines, transactionLatencyLines } from '../sections/latency.ts';
import { hostLines, observationLines, serverLines } from '../sections/observed.ts';
import { conformanceLines, ownTermLines } from '../sections/own.ts';
import { endingText, runLines } from '../sections/run.ts';
import { clientLines, crossCheckLines, findingLines } from '../sections/trust.ts';
import { errorLines, throughputLines, wastedWorkLines } from '../sections/work.ts';
import { sysbenchStatistics } from '../sysbench-statistics.ts';

const BETWEEN_RUNS = `\n${'='.repeat(78)}\n\n`;

export default defineReport({
  summary: "Text for people: sysbench's own fields, then the whole latency, the errors and what to make of it.",
  extension: 'txt',
  render: ({ runs }) => runs.map(textOf).join(BETWEEN_RUNS),
});

/** What matters most for the reader's next step comes last: it is what stays on the screen. */
function textOf(run: RunRecord): string {
  const { totals, load } = run;
  const statistics =
    run.imported === undefined
      ? sysbenchStatistics({ totals, latency: latencyOfAll(run), percentiles: load.percentiles })
      : importedLines(run).join('\n');
  const sections = [
    transactionLatencyLines(run),
    statementLatencyLines(run),
    throughputLines(run),
    wastedWorkLines(run),
    errorLines(run),
    serverLines(run),
    hostLines(run),
    accountStatementLines(run),
    accountWaitLines(run),
    accountStageLines(run),
    clientLines(run),
    observationLines(run),
    runLines(run),
    conformanceLines(run),
    crossCheckLines(run),
    eventLines(run),
    findingLines(run),
    diagnosisLines(run),
    gradeLines(run),
    ownTermLines(run),
    [importedEnding(run) ?? endingText(run.ending)],
  ];
  const paragraphs = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${[statistics, ...paragraphs].join('\n\n')}\n`;
}
