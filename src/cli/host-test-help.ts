/** `sqldyno cpu help` and its like, generated from the declarations. */
import type { HostTest } from '../machine/host-test.ts';
import { HOST_LOAD_OPTIONS, HOST_OUTPUT_OPTIONS } from './host-test-options.ts';
import { fitted, optionsHelp, wrapped } from './options-help.ts';

export function hostTestHelp({ name, summary, details, options }: HostTest, columns: number): string {
  const groups = [
    { title: `${name} options`, options },
    { title: 'General options', options: HOST_LOAD_OPTIONS },
    { title: 'Output options', options: HOST_OUTPUT_OPTIONS },
  ];
  const lines = [
    ...wrapped(`${name}: ${summary}.`, columns),
    ...details.flatMap((paragraph) => ['', ...wrapped(paragraph, columns)]),
    '',
    `Usage: sqldyno ${name} [options] COMMAND`,
    '',
    'Commands:',
    ...(name === 'fileio' ? ['  prepare   make the files; goes on where it was interrupted'] : []),
    '  run       measure, and report',
    ...(name === 'fileio' ? ['  cleanup   remove the files'] : []),
    '  help      this text',
    '',
    optionsHelp(groups, columns),
    '',
    'Dashes and underscores are alike. The result is not kept in the store: --json=FILE keeps it.',
  ];
  return fitted(lines.join('\n'), columns);
}
