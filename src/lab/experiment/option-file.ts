/** The option file of a private server in an experiment: a real my.cnf, as one would use it elsewhere. */
import { UserError } from '../../base/errors.ts';
import type { Settings } from '../../model/experiment.ts';
import type { ServerBinary } from '../server-binary.ts';
import { checkExtraArguments, serverSettings } from '../server-settings.ts';

/** Settings that belong together, and whose they are. Later ones win, as in the server. */
export interface OptionGroup {
  readonly comment: string;
  readonly settings: Settings;
}

/** So that runs begin alike: the pool of a run before would be read again in the background of the next. */
const ALIKE: OptionGroup = {
  comment: 'So that runs begin alike: no pages are read in the background that a run before had read',
  settings: { innodb_buffer_pool_load_at_startup: 'OFF', innodb_buffer_pool_dump_at_shutdown: 'OFF' },
};

/** These put files where neither the copy of the data nor what removes it would find them. */
const OUTSIDE = [
  'aria_log_dir_path',
  'innodb_data_home_dir',
  'innodb_log_group_home_dir',
  'innodb_undo_directory',
  'rocksdb_datadir',
  'rocksdb_wal_dir',
];

/** The whole file: what every private server has, as far as nothing else is asked for, and the groups. */
export function optionFileText(
  binary: Pick<ServerBinary, 'flavor' | 'version'>,
  memoryBytes: number,
  groups: readonly OptionGroup[],
): string {
  const asked = new Set(groups.flatMap(({ settings }) => Object.keys(settings).map(bareName)));
  const base = serverSettings(binary, memoryBytes).map(
    ({ name, value }) => [name.replaceAll('-', '_'), value] as const,
  );
  const usual = {
    comment: 'Of every private server',
    settings: Object.fromEntries(base.filter(([name]) => !asked.has(bareName(name)))),
  };
  const parts = [usual, ALIKE, ...groups].map(({ comment, settings }) => {
    const lines = Object.entries(settings).map(([name, value]) => optionLine(name, value));
    return lines.length === 0 ? [] : ['', `# ${comment}`, ...lines];
  });
  return `${['[mysqld]', ...parts.flat()].join('\n')}\n`;
}

/** Throws where a private server decides it itself, or it cannot stand in a file. */
export function checkSettings(settings: Settings): void {
  checkExtraArguments(Object.entries(settings).map(([name, value]) => asArgument(name, value)));
  for (const [name, value] of Object.entries(settings)) {
    if (/[\n\r\0]/.test(value)) {
      throw new UserError(`The value of ${name} has more than one line.`, { hint: 'An option file takes one.' });
    }
    if (OUTSIDE.includes(bareName(name))) {
      throw new UserError(`${name} would put files outside the data directory, which is what is kept and restored.`, {
        hint: 'To try another disk, name a folder on it with dataDirectory.',
      });
    }
  }
}

export function asArgument(name: string, value: string): string {
  return value === '' ? `--${name}` : `--${name}=${value}`;
}

/** `loose-Skip-Log-Bin` and `log_bin` are about the same. */
export function bareName(written: string): string {
  return plainName(written).replace(/^(?:skip|enable|disable|maximum)_/, '');
}

/** With underscores and small letters, as variables are named; `loose_` says only that an unknown name is no error. */
export function plainName(written: string): string {
  return written
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/^loose_/, '');
}

/** Which line of the file sets this. The last one wins. */
export function lineOf(text: string, name: string): { readonly number: number; readonly line: string } | undefined {
  const lines = text.split('\n');
  const index = lines.findLastIndex((line) => plainName(line.split('=')[0]?.trim() ?? '') === plainName(name));
  return index < 0 ? undefined : { number: index + 1, line: lines[index] ?? '' };
}

/** A backslash begins an escape, a # a comment; quotes around the whole are taken off again. */
function optionLine(name: string, value: string): string {
  if (value === '') return name;
  const escaped = value.replaceAll('\\', '\\\\');
  const isPlain = !/#|^\s|\s$|^["']/.test(value);
  if (isPlain) return `${name} = ${escaped}`;
  return escaped.includes('"') ? `${name} = '${escaped}'` : `${name} = "${escaped}"`;
}
