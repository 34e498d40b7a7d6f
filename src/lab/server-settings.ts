/** How a private server is set up: sane for a benchmark on a small machine, as durable as the server's defaults. */
import { totalmem } from 'node:os';
import { UserError } from '../base/errors.ts';
import type { ServerBinary } from './server-binary.ts';

const MIB = 1024 * 1024;

export interface ServerSetting {
  readonly name: string;
  /** Empty for a switch. */
  readonly value: string;
  readonly because: string;
}

/**
 * Durability (innodb_flush_log_at_trx_commit, doublewrite, sync) is left as the server's makers ship it: a private
 * server must not look faster than the one it stands for.
 */
export function serverSettings(binary: Pick<ServerBinary, 'flavor' | 'version'>, memoryBytes: number): ServerSetting[] {
  const poolMib = bufferPoolMib(memoryBytes);
  return [
    {
      name: 'innodb-buffer-pool-size',
      value: `${poolMib}M`,
      because: 'a quarter of the memory: client, page cache and everything else on the host need the rest',
    },
    redoSetting(binary, clamp(poolMib / 2, 128, 512)),
    {
      name: 'max-connections',
      value: '4100',
      because: 'a sweep to 4096 connections must fit, with the observer and an administrator; unused ones cost nothing',
    },
    {
      name: 'back-log',
      value: '4096',
      because: 'a thousand connections arrive at once, and a full queue on a Unix socket refuses instead of waiting',
    },
    {
      name: 'max-prepared-stmt-count',
      value: '1048576',
      because: '178 connections with 92 statements each reach the default of 16382; this is the most old versions take',
    },
    {
      name: 'skip-name-resolve',
      value: '',
      because: "no DNS in connect times, and 'root'@'localhost', which has no password, then means the socket alone",
    },
    {
      name: 'local-infile',
      value: 'ON',
      because: 'bulk loading sends rows from this program, which decides what it sends',
    },
    { name: 'performance-schema', value: 'OFF', because: 'it costs memory and time; the same default on both flavors' },
    {
      name: 'skip-log-bin',
      value: '',
      because: 'nobody replicates from it; MySQL 8 would write a binary log by default',
    },
    ...(binary.flavor === 'mysql' ? MYSQL_SETTINGS : []),
  ];
}

const MYSQL_SETTINGS: readonly ServerSetting[] = [
  { name: 'loose-mysqlx', value: 'OFF', because: 'the X plugin would listen on port 33060 of every address' },
  {
    name: 'secure-file-priv',
    value: 'NULL',
    because: 'packages compile in a folder that an ordinary user cannot reach, and the server then refuses to start',
  },
];

/** MySQL 8.0.30 replaced the size of one of two files by the capacity of all; MariaDB has a single file. */
function redoSetting({ flavor, version }: Pick<ServerBinary, 'flavor' | 'version'>, redoMib: number): ServerSetting {
  const because =
    'half the pool: a minute of writing must not end in forced checkpoints that the default of 96 MiB brings';
  if (flavor === 'mariadb') return { name: 'innodb-log-file-size', value: `${redoMib}M`, because };
  if (isAtLeast(version, [8, 0, 30])) return { name: 'innodb-redo-log-capacity', value: `${redoMib}M`, because };
  return { name: 'innodb-log-file-size', value: `${redoMib / 2}M`, because };
}

/** A power of two: others MySQL rounds up to a multiple of chunk size times instances, and takes more than said. */
export function bufferPoolMib(memoryBytes: number): number {
  return clamp(2 ** Math.floor(Math.log2(memoryBytes / 4 / MIB)), 64, 2048);
}

/** Memory this process may use: a container's limit counts, not the host's size. */
export function usableMemoryBytes(): number {
  const limitBytes = process.constrainedMemory();
  return limitBytes > 0 ? Math.min(limitBytes, totalmem()) : totalmem();
}

export function asArguments(settings: readonly ServerSetting[]): string[] {
  return settings.map(({ name, value }) => (value === '' ? `--${name}` : `--${name}=${value}`));
}

/** What makes the server private and findable is decided here alone. */
const RESERVED = [
  'basedir',
  'bind-address',
  'bootstrap',
  'daemonize',
  'datadir',
  'defaults-extra-file',
  'defaults-file',
  'extra-port',
  'init-file',
  'log-error',
  'no-defaults',
  'pid-file',
  'port',
  'report-port',
  'skip-grant-tables',
  'skip-name-resolve',
  'skip-networking',
  'socket',
  'user',
];

/** Options that shape a data directory when it is made, and cannot be changed afterwards. */
const INITIAL = [
  'innodb-checksum-algorithm',
  'innodb-data-file-path',
  'innodb-data-home-dir',
  'innodb-log-group-home-dir',
  'innodb-page-size',
  'innodb-undo-directory',
  'innodb-undo-tablespaces',
  'lower-case-table-names',
];

export function checkExtraArguments(extraArguments: readonly string[]): void {
  for (const argument of extraArguments) {
    const name = optionName(argument);
    if (name === undefined) {
      throw new UserError(`'${argument}' is not a server option.`, {
        hint: 'Write it with its value in one word, such as --innodb-buffer-pool-size=1G.',
      });
    }
    if (RESERVED.includes(name)) {
      throw new UserError(`A private server decides --${name} itself.`, {
        hint: 'Leave it out. To measure a server set up otherwise, start it yourself and name it as the target.',
      });
    }
  }
}

/** Those of the arguments that must already be known when the data directory is made. */
export function initialArguments(extraArguments: readonly string[]): string[] {
  return extraArguments.filter((argument) => INITIAL.includes(optionName(argument) ?? ''));
}

/**
 * `--loose_innodb_page_size=4k` is `innodb-page-size`. Prefixes (loose, skip, enable …) are looked through, and an
 * abbreviation of a reserved name counts as that name, because the server would take it so.
 */
function optionName(argument: string): string | undefined {
  const written = /^--([a-z][a-z0-9_-]*)(?:=|$)/i.exec(argument)?.[1]?.toLowerCase().replaceAll('_', '-');
  const bare = written?.replace(/^loose-/, '');
  if (bare === undefined) return undefined;
  const unprefixed = bare.replace(/^(?:skip|enable|disable|maximum)-/, '');
  const spellings = [bare, unprefixed, `skip-${unprefixed}`].filter((name) => name.length >= ABBREVIATION_LENGTH_MIN);
  return RESERVED.find((reserved) => spellings.some((spelling) => reserved.startsWith(spelling))) ?? bare;
}

/** Shorter abbreviations are ambiguous to the server itself. */
const ABBREVIATION_LENGTH_MIN = 4;

function isAtLeast(version: string, wanted: readonly [number, number, number]): boolean {
  const parts = version.split(/[.-]/, 3).map(Number);
  const difference = wanted.map((part, index) => (parts[index] ?? 0) - part).find((delta) => delta !== 0);
  return difference === undefined || difference > 0;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
