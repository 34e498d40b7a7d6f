/** Asks the server program itself what it thinks of an option file, before anything is loaded. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExitCode, UserError } from '../../base/errors.ts';
import type { ServerBinary } from '../server-binary.ts';
import { rootArguments } from '../server-data.ts';
import { lineOf } from './option-file.ts';

/** It only reads options; on a cold SD card the program itself takes a while to load. */
const DEADLINE_MS = 60_000;
/** `--verbose --help` prints some hundred KiB. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** What `variant` is called in the error. Throws a `UserError` that names the line. */
export async function checkOptionFile(binary: ServerBinary, text: string, variant: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'sqldyno-options-'));
  try {
    const path = join(directory, 'my.cnf');
    await writeFile(path, text, { mode: 0o600 });
    const data = join(directory, 'data');
    const how = binary.flavor === 'mariadb' ? ['--verbose', '--help'] : ['--validate-config'];
    const said = await outputOf(binary.path, [
      `--defaults-file=${path}`,
      ...rootArguments(),
      `--datadir=${data}`,
      '--lc-messages=en_US',
      ...how,
    ]);
    refuse(said, text, variant);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** `said`: an error log. Throws where a line of it says that an option is wrong. */
export function refuse(said: string, text: string, variant: string): void {
  const complaint = said
    .split('\n')
    .filter((line) => line.includes('[ERROR]'))
    .map((line) => line.replace(/^.*\[ERROR\]\s*(?:\[[^\]]*\]\s*)*(?:\S*(?:mysqld|mariadbd)\S*: )?/, ''))
    .find((line) => OF_OPTIONS.test(line));
  if (complaint === undefined) return;
  const line = namesIn(complaint)
    .map((name) => lineOf(text, name))
    .find((found) => found !== undefined);
  const where = line === undefined ? 'its option file' : `line ${line.number} of its option file, ${line.line.trim()}`;
  throw new UserError(`Variant '${variant}': the server refuses ${where}. It says: ${complaint.replace(/\.?$/, '.')}`, {
    hint: /plugin|shared library/i.test(complaint)
      ? 'Install the package of that storage engine or plugin (on Debian: mariadb-plugin-rocksdb), or leave it out.'
      : 'Correct or leave out that setting: settings differ between servers and versions.',
    exitCode: ExitCode.targetUnavailable,
  });
}

const SIGNS = [
  'unknown (?:variable|option|suffix)|ambiguous option|requires an argument|cannot take an argument',
  'Error while setting value|load plugin|shared library|wrong value',
];
const OF_OPTIONS = new RegExp(SIGNS.join('|'), 'i');

/** Of `unknown variable 'foo-bar=1'`: `foo-bar`; of a plugin that is missing, the options that load plugins. */
function namesIn(complaint: string): string[] {
  const quoted = [...complaint.matchAll(/['"](?:--)?([a-z][\w-]*)/gi)].map(([, name]) => name ?? '');
  const dashed = [...complaint.matchAll(/--([a-z][\w-]*)/gi)].map(([, name]) => name ?? '');
  const ofPlugins = /plugin|shared library/i.test(complaint) ? ['plugin_load_add', 'plugin_load'] : [];
  return [...quoted, ...dashed, ...ofPlugins];
}

/** Whatever it exits with: what it printed says more. */
function outputOf(program: string, programArguments: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: DEADLINE_MS, maxBuffer: OUTPUT_BYTES_MAX };
    execFile(program, programArguments, options, (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`));
  });
}
