/** `sqldyno WORKLOAD help`, generated from the declarations. */
import { withDefaults } from '../base/options.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import { HOST_OPTIONS } from './host-options.ts';
import { METRICS_OPTIONS } from './metrics-options.ts';
import { fitted, optionsHelp, wrapped } from './options-help.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { TARGET_OPTIONS } from './target-options.ts';
import type { FoundWorkload } from './workload-line.ts';

export function workloadHelp({ name, path, workload }: FoundWorkload, columns: number): string {
  const options = optionsHelp(
    [
      { title: `${name} options`, options: workload.options },
      {
        title: 'Target options (without any of these, a private server is used)',
        options: withDefaults(TARGET_OPTIONS, workload.defaults),
      },
      { title: 'Load options', options: withDefaults(LOAD_OPTIONS, workload.defaults) },
      { title: 'Options of what is watched', options: HOST_OPTIONS },
      { title: 'Output options', options: { ...OUTPUT_OPTIONS, ...METRICS_OPTIONS } },
    ],
    columns,
  );
  const details = (workload.details ?? []).flatMap((paragraph) => [
    '',
    ...paragraph.split('\n').flatMap((line) => wrapped(line, columns)),
  ]);
  const lines = [
    `${name}: ${workload.summary}`,
    ...details,
    '',
    `Usage: sqldyno ${path ?? name} [options] COMMAND`,
    '',
    'Commands:',
    ...commandLines(workload),
    '',
    options,
    '',
    'Dashes and underscores are alike. On and off may be written --NAME and --no-NAME.',
    "sysbench's other options are accepted, and said to have no effect.",
  ];
  return fitted(lines.join('\n'), columns);
}

function commandLines(workload: FoundWorkload['workload']): string[] {
  if (workload.rounds !== undefined) {
    return [
      '  run       make the data, apply the load, remove the data, round by round; and report',
      '  cleanup   drop the database that a run has left',
      '  help      this text',
    ];
  }
  return [
    ...(workload.prepare === undefined ? [] : ['  prepare   make the tables and fill them']),
    ...(workload.sql === undefined ? [] : ['  print-sql print what prepare would do, for a client such as mysql']),
    ...(workload.prewarm === undefined ? [] : ['  prewarm   read the tables into memory (also: warmup)']),
    '  run       apply the load, and report',
    '  check     look whether server and data are ready for a run',
    ...(workload.cleanup === undefined ? [] : ['  cleanup   drop the tables']),
    '  help      this text',
  ];
}
