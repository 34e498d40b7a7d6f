/** `sqldyno WORKLOAD help`, generated from the declarations. */
import { LOAD_OPTIONS } from '../load/options.ts';
import { optionsHelp, wrapped } from './options-help.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { TARGET_OPTIONS } from './target-options.ts';
import type { FoundWorkload } from './workload-line.ts';

export function workloadHelp({ name, workload }: FoundWorkload, columns: number): string {
  const options = optionsHelp(
    [
      { title: `${name} options`, options: workload.options },
      { title: 'Target options (without any of these, a private server is used)', options: TARGET_OPTIONS },
      { title: 'Load options', options: LOAD_OPTIONS },
      { title: 'Output options', options: OUTPUT_OPTIONS },
    ],
    columns,
  );
  const details = (workload.details ?? []).flatMap((paragraph) => ['', ...wrapped(paragraph, columns)]);
  return [
    `${name}: ${workload.summary}`,
    ...details,
    '',
    `Usage: sqldyno ${name} [options] COMMAND`,
    '',
    'Commands:',
    ...commandLines(workload),
    '',
    options,
    '',
    'Dashes and underscores are alike. On and off may be written --NAME and --no-NAME.',
    "sysbench's other options are accepted, and said to have no effect.",
  ].join('\n');
}

function commandLines(workload: FoundWorkload['workload']): string[] {
  return [
    ...(workload.prepare === undefined
      ? []
      : ['  prepare   make the tables and fill them; goes on where it was interrupted']),
    ...(workload.prewarm === undefined ? [] : ['  prewarm   read the tables into memory (also: warmup)']),
    '  run       apply the load, and report',
    '  check     look whether server and data are ready for a run',
    ...(workload.cleanup === undefined ? [] : ['  cleanup   drop the tables']),
    '  help      this text',
  ];
}
