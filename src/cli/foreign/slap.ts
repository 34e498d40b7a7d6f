/**
 * `mysqlslap` and `mariadb-slap`: their options, short and long, as those of `sqldyno slap`. They are written as
 * https://dev.mysql.com/doc/refman/8.4/en/command-line-options.html says: `-uben` and `-u ben`, `-as` for `-a -s`,
 * `--iter=3` for `--iterations=3`, `--skip-ssl` for `--ssl=0`; options of our own are taken as well.
 */
import { canonicalName, type Problem } from '../../base/options-parse.ts';
import { SLAP_OPTIONS } from '../../workload/slap/options.ts';
import { ProblemsError } from '../problems.ts';
import { COMMON_OPTIONS } from '../workload-line.ts';

/** Whether a value follows: never, always, or after `=` alone. */
type Takes = 'nothing' | 'value' | 'maybe';

interface Form {
  readonly takes: Takes;
  /** Our options; `value` is undefined where none was written. */
  means(value: string | undefined): readonly string[] | Problem;
}

export function translate(args: readonly string[]): readonly string[] {
  const options: string[] = [];
  const problems: Problem[] = [];
  const written = readAll(args, problems);
  for (const { form, value } of written) {
    const meant = form.means(value);
    if ('is' in meant) problems.push(meant);
    // Said twice, a flag says no more than once: -vvv.
    else options.push(...meant.filter((option) => option.includes('=') || !options.includes(option)));
  }
  if (problems.length > 0) throw new ProblemsError(problems);
  if (options.includes(HELP)) return ['slap', 'help'];
  return ['slap', ...withProtocol(options), 'run'];
}

const same = (name: string): Form['means'] => {
  return (value) => [value === undefined ? `--${name}` : `--${name}=${value}`];
};
const flag = (name: string): Form => ({ takes: 'nothing', means: same(name) });
const valued = (name: string): Form => ({ takes: 'value', means: same(name) });
const refused = (name: string, takes: Takes, because: string, remedy = 'Leave it out.'): Form => ({
  takes,
  means: () => ({ is: `--${name}: ${because}`, remedy }),
});

const FLAGS = ['auto-generate-sql', 'auto-generate-sql-add-autoincrement', 'auto-generate-sql-guid-primary'];
const OTHER_FLAGS = ['no-drop', 'only-print', 'silent', 'verbose', 'no-defaults'];
const VALUES = [
  'auto-generate-sql-execute-number',
  'auto-generate-sql-load-type',
  'auto-generate-sql-secondary-indexes',
  'auto-generate-sql-unique-query-number',
  'auto-generate-sql-unique-write-number',
  'auto-generate-sql-write-number',
  'commit',
  'concurrency',
  'create',
  'create-schema',
  'defaults-file',
  'delimiter',
  'detach',
  'engine',
  'init-command',
  'iterations',
  'number-char-cols',
  'number-int-cols',
  'number-of-queries',
  'post-query',
  'post-system',
  'pre-query',
  'pre-system',
  'query',
];

/** Under which `withProtocol` finds it again. */
const TCP = '--protocol=tcp';
const HELP = '--help';

const FORMS: Readonly<Record<string, Form>> = {
  ...Object.fromEntries([...FLAGS, ...OTHER_FLAGS].map((name) => [name, flag(name)])),
  ...Object.fromEntries(VALUES.map((name) => [name, valued(name)])),
  csv: { takes: 'maybe', means: same('csv') },
  'sql-mode': { takes: 'value', means: (mode) => [`--init-command=SET SESSION sql_mode = '${mode}'`] },

  host: valued('mysql-host'),
  port: valued('mysql-port'),
  socket: valued('mysql-socket'),
  user: valued('mysql-user'),
  password: {
    takes: 'maybe',
    means: (value) => (value === undefined ? ['--ask-password'] : [`--mysql-password=${value}`]),
  },
  protocol: { takes: 'value', means: protocol },
  ssl: { takes: 'nothing', means: (value) => [`--mysql-ssl=${isOff(value) ? 'off' : 'on'}`] },
  'ssl-mode': valued('mysql-ssl'),
  'ssl-ca': valued('mysql-ssl-ca'),
  'ssl-cert': valued('mysql-ssl-cert'),
  'ssl-key': valued('mysql-ssl-key'),
  'ssl-verify-server-cert': {
    takes: 'nothing',
    means: (value) => (isOff(value) ? [] : ['--mysql-ssl=verify-identity']),
  },
  'tls-version': { takes: 'value', means: tlsVersion },
  // The key is asked for anyway where a password needs it.
  'get-server-public-key': { takes: 'nothing', means: () => [] },

  help: { takes: 'nothing', means: () => [HELP] },
  compress: refused(
    'compress',
    'nothing',
    'the compressed protocol is not supported, and would measure something else.',
  ),
  'compression-algorithms': {
    takes: 'value',
    means: (value) =>
      value === 'uncompressed'
        ? []
        : { is: '--compression-algorithms: the compressed protocol is not supported.', remedy: 'Leave it out.' },
  },
  'zstd-compression-level': refused('zstd-compression-level', 'value', 'the compressed protocol is not supported.'),
  'ssl-capath': refused('ssl-capath', 'value', 'a folder of authorities is not read.', 'Give a file: --ssl-ca=FILE'),
  'ssl-cipher': refused('ssl-cipher', 'value', 'the cipher is agreed on with the server.'),
  'ssl-crl': refused('ssl-crl', 'value', 'lists of revoked certificates are not read.'),
  'ssl-crlpath': refused('ssl-crlpath', 'value', 'lists of revoked certificates are not read.'),
  'defaults-extra-file': refused(
    'defaults-extra-file',
    'value',
    'one file is read.',
    'Name it with --defaults-file=FILE',
  ),
  'defaults-group-suffix': refused('defaults-group-suffix', 'value', 'the group [client] alone is read.'),
  'login-path': refused(
    'login-path',
    'value',
    '.mylogin.cnf is not read.',
    'Use --password, MYSQL_PWD or a [client] group.',
  ),
  'print-defaults': refused('print-defaults', 'nothing', 'there are none to print.'),
  'default-auth': refused('default-auth', 'value', 'the way to authenticate is agreed on with the server.'),
  'plugin-dir': refused('plugin-dir', 'value', 'there are no plugins here.'),
  'character-sets-dir': refused('character-sets-dir', 'value', 'character sets are not read from files.'),
  'server-public-key-path': refused('server-public-key-path', 'value', 'the key is asked for from the server.'),
  'enable-cleartext-plugin': refused('enable-cleartext-plugin', 'nothing', 'needs no switch here.'),
  debug: refused('debug', 'maybe', 'there is no client library to trace.'),
  'debug-check': refused('debug-check', 'nothing', 'there is no client library to check.'),
  'debug-info': refused('debug-info', 'nothing', "the client's own cost is in every report."),
};

const SHORT: Readonly<Record<string, string>> = {
  '?': 'help',
  '#': 'debug',
  a: 'auto-generate-sql',
  c: 'concurrency',
  C: 'compress',
  e: 'engine',
  F: 'delimiter',
  h: 'host',
  i: 'iterations',
  p: 'password',
  P: 'port',
  q: 'query',
  s: 'silent',
  S: 'socket',
  T: 'debug-info',
  u: 'user',
  v: 'verbose',
  x: 'number-char-cols',
  y: 'number-int-cols',
};

interface Written {
  readonly form: Form;
  readonly value: string | undefined;
}

function readAll(args: readonly string[], problems: Problem[]): Written[] {
  const all: Written[] = [];
  const rest = args.values();
  for (const arg of rest) {
    if (arg.startsWith('--')) all.push(...readLong(arg, rest, problems));
    else if (arg.startsWith('-') && arg !== '-') all.push(...readShort(arg, rest, problems));
    else problems.push({ is: `'${arg}' belongs to no option.`, remedy: 'A value with spaces needs quotes.' });
  }
  return all;
}

/** `-as`, `-c8`, `-c 8`. */
function readShort(arg: string, rest: Iterator<string>, problems: Problem[]): Written[] {
  const all: Written[] = [];
  for (let at = 1; at < arg.length; at++) {
    const name = SHORT[arg.charAt(at)];
    if (name === undefined) {
      problems.push({
        is: `'-${arg.charAt(at)}' is no option of mysqlslap.`,
        remedy: 'All options: sqldyno slap help',
      });
      return all;
    }
    const form = FORMS[name]!;
    if (form.takes === 'nothing') {
      all.push({ form, value: undefined });
      continue;
    }
    const attached = at + 1 < arg.length ? arg.slice(at + 1) : undefined;
    const value = attached ?? (form.takes === 'value' ? nextOf(rest, `-${arg.charAt(at)}`, problems) : undefined);
    return [...all, { form, value }];
  }
  return all;
}

function readLong(arg: string, rest: Iterator<string>, problems: Problem[]): Written[] {
  const equals = arg.indexOf('=');
  const key = equals === -1 ? arg : arg.slice(0, equals);
  const value = equals === -1 ? undefined : arg.slice(equals + 1);
  const name = canonicalName(key).replaceAll('_', '-');
  const found = findLong(name);
  if (found === undefined) {
    if (isOurs(name)) return [{ form: { takes: 'maybe', means: () => [arg] }, value }];
    problems.push({ is: `Unknown option ${key}.`, remedy: 'All options: sqldyno slap help' });
    return [];
  }
  const { form, isOff: off } = found;
  if (off) return [{ form, value: 'off' }];
  if (form.takes !== 'value' || value !== undefined) return [{ form, value }];
  return [{ form, value: nextOf(rest, key, problems) }];
}

/** By its name, or by the beginning of one name alone; `skip-` and `disable-` turn a flag off. */
function findLong(name: string): { form: Form; isOff: boolean } | undefined {
  const exact = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  if (exact !== undefined) return { form: exact, isOff: false };
  const positive = /^(?:skip|disable)-(.+)$/.exec(name)?.[1];
  if (positive !== undefined && FORMS[positive]?.takes === 'nothing') return { form: FORMS[positive], isOff: true };
  if (isOurs(name)) return undefined;
  const longer = Object.keys(FORMS).filter((each) => each.startsWith(name));
  return longer.length === 1 ? { form: FORMS[longer[0]!]!, isOff: false } : undefined;
}

function isOurs(name: string): boolean {
  const key = name.replaceAll('-', '_');
  const positive = key.replace(/^no_/, '');
  return [key, positive].some((each) => Object.hasOwn(COMMON_OPTIONS, each) || Object.hasOwn(SLAP_OPTIONS, each));
}

function nextOf(rest: Iterator<string>, option: string, problems: Problem[]): string {
  const next = rest.next();
  if (next.done !== true) return next.value;
  problems.push({ is: `${option} needs a value.`, remedy: 'Write it right behind the option.' });
  return '';
}

function isOff(value: string | undefined): boolean {
  return value !== undefined && /^(?:0|off|false)$/i.test(value);
}

function protocol(value: string | undefined): readonly string[] | Problem {
  const name = value?.toLowerCase() ?? '';
  if (name === 'tcp') return [TCP];
  if (name === 'socket') return [];
  return { is: `--protocol=${value}: connections are made by TCP or a Unix socket.`, remedy: 'Write tcp or socket.' };
}

/** To whom localhost is a socket says with it that TCP is meant. */
function withProtocol(options: readonly string[]): string[] {
  if (!options.includes(TCP)) return [...options];
  const others = options.filter((option) => option !== TCP && option !== '--mysql-host=localhost');
  return others.some((option) => option.startsWith('--mysql-host=')) ? others : [...others, '--mysql-host=127.0.0.1'];
}

/** A list of those that are allowed: we know the lowest. */
function tlsVersion(value: string | undefined): readonly string[] | Problem {
  const versions = (value ?? '').split(',').map((version) => version.trim());
  if (versions.includes('TLSv1.2')) return ['--tls-version-min=TLSv1.2'];
  if (versions.includes('TLSv1.3')) return ['--tls-version-min=TLSv1.3'];
  return {
    is: `--tls-version=${value}: TLSv1.2 and TLSv1.3 are spoken.`,
    remedy: 'Allow one of them, or leave it out.',
  };
}
