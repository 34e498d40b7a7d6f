/** The summary of a job on GitHub: all runs in one table, then what must be known of each. */
import { formatCount, formatRate, formatSignificant } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import { latencyMetricOf } from '../../stats/metrics-latency.ts';
import { commandAgain } from '../command-again.ts';
import type { Table } from '../experiment-tables.ts';
import { alert, codeBlock, folded, markdownList, markdownTable } from '../markdown.ts';
import { latencyOfAll, percentilesMs } from '../percentiles.ts';
import { defineReport } from '../report.ts';
import { errorCountOf, keyTable, reasonsAgainst } from '../run-headline.ts';
import { toldText, UNKNOWN } from '../told.ts';

/** A summary may have a megabyte; of more runs than these the table will do. */
const DETAILED_MAX = 50;
const PERCENTILES_SHOWN = [50, 95, 99];

export default defineReport({
  summary: 'Markdown for the summary of a GitHub job: one row a run, what spoils any, how to reproduce each.',
  extension: 'md',
  render: ({ runs }) => {
    const detailed = runs.length > DETAILED_MAX ? [] : runs;
    const blocks = [
      '## sqldyno',
      ...markdownTable(runsTable(runs)),
      ...runs.flatMap(againstRun),
      ...detailed.flatMap(details),
    ];
    return `${blocks.join('\n\n')}\n`;
  },
});

function runsTable(runs: readonly RunRecord[]): Table {
  const left = ['', 'run', 'workload', 'server'].map((heading) => ({ heading, align: 'left' as const }));
  const right = ['threads', 'transactions', ...PERCENTILES_SHOWN.map((each) => `p${each} ms`), 'errors', 'grade'];
  return {
    columns: [...left, ...right.map((heading) => ({ heading, align: 'right' as const }))],
    rows: runs.map((run) => [
      reasonsAgainst(run).length === 0 ? '✅' : '❌',
      run.id,
      run.workload.name,
      toldText(run, 'target', () => `${run.target.flavor} ${run.target.version}`),
      toldText(run, 'load.threads', () => formatCount(run.load.threads)),
      toldText(run, 'rates.transactionsPerS', () => formatRate(run.rates.transactionsPerS)),
      ...latencyCells(run),
      toldText(run, 'totals.errors', () => formatCount(errorCountOf(run))),
      run.grade?.is ?? '',
    ]),
  };
}

function latencyCells(run: RunRecord): string[] {
  if (run.imported !== undefined) {
    const told = PERCENTILES_SHOWN.map((percentile) => latencyMetricOf(`p${percentile}`)?.of(run));
    return told.map((ms) => (ms === undefined ? UNKNOWN : formatSignificant(ms)));
  }
  const latency = latencyOfAll(run);
  if (latency.count === 0) return PERCENTILES_SHOWN.map(() => '-');
  return percentilesMs(latency, PERCENTILES_SHOWN).map(formatSignificant);
}

function againstRun(run: RunRecord): string[] {
  const reasons = reasonsAgainst(run);
  return reasons.length === 0 ? [] : [alert('CAUTION', [run.id, ...reasons])];
}

function details(run: RunRecord): string[] {
  const findings = run.findings.map(({ severity, is, remedy }) => `${severity}: ${is} ${remedy}`);
  return folded(`${run.id}: figures, findings, how to reproduce`, [
    ...markdownTable(keyTable(run)),
    ...markdownList(findings),
    codeBlock(commandAgain(run)),
  ]);
}
