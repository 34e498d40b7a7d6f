/** The words of a foreign line that says where the server is as the mysql client does: `-u ben -psecret -h db1`. */
import { canonicalName, type Problem, splitWords } from '../../base/options-parse.ts';
import { ProblemsError } from '../problems.ts';
import { NAMES_A_TARGET } from '../target-options.ts';
import { COMMON_OPTIONS } from '../workload-line.ts';

export interface MysqlWords {
  /** As sqldyno takes them, a URL too. */
  readonly options: readonly string[];
  /** Names of the options, with underscores. */
  readonly given: ReadonlySet<string>;
  readonly namesTarget: boolean;
  readonly words: readonly string[];
}

/** Options of the mysql client, and ours. https://dev.mysql.com/doc/refman/8.4/en/connection-options.html */
const SHORT: Readonly<Record<string, string>> = {
  u: '--mysql-user',
  h: '--mysql-host',
  P: '--mysql-port',
  S: '--mysql-socket',
  D: '--mysql-db',
};
const LONG: Readonly<Record<string, string>> = {
  user: '--mysql-user',
  host: '--mysql-host',
  port: '--mysql-port',
  socket: '--mysql-socket',
  database: '--mysql-db',
  password: '--mysql-password',
};
const TARGET_NAMES: readonly string[] = [...NAMES_A_TARGET, 'server'];

export function readMysqlWords(args: readonly string[]): MysqlWords {
  const { options, words, problems } = splitWords(spelledOut(args), COMMON_OPTIONS);
  if (problems.length > 0) throw new ProblemsError(problems.map(withRemedy));
  const urls = words.filter(isUrl);
  const given = new Set(options.map(({ name }) => name));
  return {
    options: [...options.map(({ written, value }) => (value === undefined ? written : `${written}=${value}`)), ...urls],
    given,
    namesTarget: urls.length > 0 || TARGET_NAMES.some((name) => given.has(name)),
    words: words.filter((word) => !isUrl(word)),
  };
}

/** Each option of the mysql client as ours, with its value after `=`. */
function spelledOut(args: readonly string[]): string[] {
  const ours: string[] = [];
  const rest = args.values();
  for (const arg of rest) {
    const letter = /^-([a-zA-Z])/.exec(arg)?.[1];
    const ourShort = letter === undefined ? undefined : SHORT[letter];
    const equals = arg.indexOf('=');
    const long = arg.startsWith('--') ? LONG[canonicalName(equals === -1 ? arg : arg.slice(0, equals))] : undefined;
    if (letter === 'p') {
      ours.push(arg === '-p' ? '--ask-password' : `--mysql-password=${arg.slice(2)}`);
    } else if (ourShort !== undefined) {
      ours.push(`${ourShort}=${arg.length > 2 ? arg.slice(2) : valueAfter(arg, rest)}`);
    } else if (long === undefined) {
      ours.push(arg);
    } else if (equals === -1) {
      ours.push(long === LONG['password'] ? '--ask-password' : `${long}=${valueAfter(arg, rest)}`);
    } else {
      ours.push(`${long}${arg.slice(equals)}`);
    }
  }
  return ours;
}

function valueAfter(option: string, rest: Iterator<string>): string {
  const next = rest.next();
  if (next.done !== true) return next.value;
  throw new ProblemsError([{ is: `${option} needs a value.` }]);
}

function withRemedy({ is }: Problem): Problem {
  return {
    is,
    remedy: 'Of the short options of mysql, -u, -p, -h, -P, -S and -D are taken; all others are ours: --threads=8.',
  };
}

function isUrl(word: string): boolean {
  return /^[a-z]+:\/\//i.test(word);
}
