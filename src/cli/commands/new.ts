/** `sqldyno new workload NAME`: a file that runs as it stands, to be changed from there. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ExitCode, UserError } from '../../base/errors.ts';
import { jsonText, type Terminal } from '../terminal.ts';
import { ownWorkloadText } from '../workload-template.ts';

/** It is in the names of the file, of a table, and of runs. */
const NAME = /^[a-z][a-z0-9_-]*$/;
/** A table's name may have 64 letters, of which a few are added. */
const NAME_LENGTH_MAX = 40;

export function newWorkload(written: string, terminal: Terminal): ExitCode {
  const name = written.replace(/\.ts$/, '');
  if (!NAME.test(name) || name.length > NAME_LENGTH_MAX) {
    throw new UserError(`'${written}' is no name for a workload.`, {
      hint: `Use small letters, digits, - and _, a letter first, ${NAME_LENGTH_MAX} at most. The file is written here, without a path.`,
    });
  }
  const file = `${name}.ts`;
  write(file, ownWorkloadText(readTemplate(), name));
  terminal.json(jsonText({ file }));
  terminal.say(
    [
      `${file} is written, and runs as it stands:`,
      `  sqldyno ./${file} prepare`,
      `  sqldyno ./${file} --threads=8 --time=10 run`,
      `  sqldyno ./${file} cleanup`,
      'Change its statements and options from there. What it may say: docs/workloads.md.',
    ].join('\n'),
  );
  return ExitCode.done;
}

/** Never over what is there, even if it came there a moment ago. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new UserError(`${file} exists already.`, {
        hint: 'Choose another name, or remove it first.',
        cause: error,
      });
    }
    throw new UserError(`${file} cannot be written here (${code}).`, {
      hint: 'Go to a directory in which you may write.',
      cause: error,
    });
  }
}

/** In the package's directory: three up in src/, four in dist/src/. */
function readTemplate(): string {
  const places = ['../../../', '../../../../'].map(
    (up) => new URL(`${up}tools/templates/workload.ts`, import.meta.url),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error('tools/templates/workload.ts is not where it belongs');
  return readFileSync(found, 'utf8');
}
