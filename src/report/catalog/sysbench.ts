/**
 * What sysbench 1.0 would have printed of the run: heading, progress, statistics, under its labels and in its columns,
 * for scripts that read them. It has one percentile and no warm-up; what it has no line for is left out.
 */
import type { Imported } from '../../model/imported.ts';
import type { Interval, RunRecord } from '../../model/run.ts';
import { intervalLines } from '../interval-line.ts';
import { latencyOfAll } from '../percentiles.ts';
import { defineReport } from '../report.ts';
import { reasonsAgainst } from '../run-headline.ts';
import { sysbenchStatistics } from '../sysbench-statistics.ts';
import { toolName } from '../told.ts';

/** sysbench's own default. */
const PERCENTILE = 95;

export default defineReport({
  summary: "sysbench 1.0's own output, for scripts that read it.",
  extension: 'log',
  render: ({ runs }) => runs.map(sysbenchOf).join('\n'),
});

function sysbenchOf(run: RunRecord): string {
  if (run.imported !== undefined) return importedOf(run, run.imported);
  const { load, totals } = run;
  const asked = load.percentiles.find((percentile) => percentile > 0);
  const percentiles = load.percentiles.length > 0 && asked === undefined ? [] : [asked ?? PERCENTILE];
  const progress = run.intervals.filter(({ isWarmup }) => !isWarmup).map(withWholeQueue);
  return [
    ...headingLines(run),
    ...progress.flatMap((interval) => intervalLines(interval, percentiles)),
    ...(progress.length === 0 ? [] : ['']),
    // A script that sees statistics below must see this first.
    ...fatalLines(run),
    sysbenchStatistics({ totals, latency: latencyOfAll(run), percentiles }),
    '',
  ].join('\n');
}

/** What it printed itself; of other tools too little is known for its fields. */
function importedOf({ ownTerms = [] }: RunRecord, imported: Imported): string {
  if (imported.tool === 'sysbench') return `${ownTerms.join('\n')}\n`;
  return `FATAL: measured by ${toolName(imported)}, which does not tell what sysbench would have printed\n`;
}

function fatalLines(run: RunRecord): string[] {
  const lines = reasonsAgainst(run).map((reason) => `FATAL: ${reason.replaceAll(/\s+/g, ' ')}`);
  return lines.length === 0 ? [] : [...lines, ''];
}

function headingLines({ sqldyno, load, intervals, seed }: RunRecord): string[] {
  const [first] = intervals.filter(({ isWarmup }) => !isWarmup);
  const everyS = first === undefined ? 0 : Math.round(first.endS - first.startS);
  return [
    `sysbench 1.0 (using a record of sqldyno ${sqldyno.version})`,
    '',
    `Number of threads: ${load.threads}`,
    ...(load.ratePerS === undefined ? [] : [`Target transaction rate: ${load.ratePerS}/sec`]),
    ...(everyS === 0 ? [] : [`Report intermediate results every ${everyS} second(s)`]),
    `Random number generator seed: ${seed}`,
    '',
  ];
}

/** Its second line has both fields, or is not there. */
function withWholeQueue({ dropped: _dropped, ...interval }: Interval): Interval {
  const { queueLength, concurrency, ...others } = interval;
  return queueLength === undefined || concurrency === undefined ? others : { ...others, queueLength, concurrency };
}
