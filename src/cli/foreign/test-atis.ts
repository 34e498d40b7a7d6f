/** `./test-ATIS --host=db1 --small-test` of sql-bench: the workload atis, sent as text, as test-ATIS does it. */
import { flag, type OptionsSchema, text } from '../../base/options.ts';
import { type GivenOption, type Problem, splitWords } from '../../base/options-parse.ts';
import { ATIS_OPTIONS } from '../../workload/atis/options.ts';
import { ProblemsError } from '../problems.ts';
import { COMMON_OPTIONS } from '../workload-line.ts';

type Meaning =
  /** The same under this name. */
  | { readonly is: 'ours'; readonly option: string }
  /** It changes nothing here, and need not. `takes`: a value comes with it. */
  | { readonly is: 'idle'; readonly takes?: 'value' }
  | { readonly is: 'refused'; readonly because: string; readonly remedy: string; readonly takes?: 'value' };

const LEAVE_OUT = 'Leave it out.';
const LABEL = { is: 'idle', takes: 'value' } as const;
const OF_RUN_ALL_TESTS = {
  is: 'refused',
  because: 'it is for run-all-tests, which runs several tests',
  remedy: LEAVE_OUT,
} as const;
const RECORDED = {
  is: 'refused',
  because: 'every run is recorded, with server, machine and settings',
  remedy: 'Leave it out: sqldyno runs list shows what there is; --tag=WORD and --store=DIR say what and where.',
} as const;

/** All options of sql-bench. Those of ours go as they are. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  host: { is: 'ours', option: '--mysql-host' },
  port: { is: 'ours', option: '--mysql-port' },
  user: { is: 'ours', option: '--mysql-user' },
  password: { is: 'ours', option: '--mysql-password' },
  socket: { is: 'ours', option: '--mysql-socket' },
  database: { is: 'ours', option: '--mysql-db' },
  // Our INSERT names no columns anyway, which is what it asks for.
  fast_insert: { is: 'idle' },
  // Always: times are in milliseconds, an error ends the run, and numbers in the data are drawn.
  hires: { is: 'idle' },
  die_on_errors: { is: 'idle' },
  random: { is: 'idle' },
  tcpip: { is: 'idle' },
  silent: { is: 'idle' },
  old_headers: { is: 'idle' },
  // Of other tests of the suite: test-ATIS itself does not look at them.
  small_tables: { is: 'idle' },
  small_key_tables: { is: 'idle' },
  row_count: LABEL,
  field_count: LABEL,
  regions: LABEL,
  groups: LABEL,
  stage: LABEL,
  log: RECORDED,
  dir: { ...RECORDED, takes: 'value' },
  machine: { ...RECORDED, takes: 'value' },
  suffix: { ...RECORDED, takes: 'value' },
  comments: { ...RECORDED, takes: 'value' },
  optimization: { ...RECORDED, takes: 'value' },
  hw: { ...RECORDED, takes: 'value' },
  use_old_results: OF_RUN_ALL_TESTS,
  only_missing_tests: OF_RUN_ALL_TESTS,
  skip_test: { ...OF_RUN_ALL_TESTS, takes: 'value' },
  cmp: {
    is: 'refused',
    because: 'it takes the least of what several kinds of servers can, and here there is one kind',
    remedy: LEAVE_OUT,
    takes: 'value',
  },
  time_limit: {
    is: 'refused',
    because: 'nothing is estimated here: every loop is run',
    remedy: 'Leave it out, or give fewer loops with --loop-count=N; --time=SECONDS ends the whole run.',
    takes: 'value',
  },
  lock_tables: {
    is: 'refused',
    because: 'tables are not locked, and where they were, other times would be measured',
    remedy: LEAVE_OUT,
  },
  temporary_tables: {
    is: 'refused',
    because: 'the tables are ordinary ones, which last beyond a connection',
    remedy: LEAVE_OUT,
  },
  force: {
    is: 'refused',
    because: 'a run that goes on after an error measures something else',
    remedy: 'Leave it out, or say which errors may be tried again: --mysql-ignore-errors=CODE.',
  },
  odbc: { is: 'refused', because: 'the server is spoken to in its own protocol', remedy: LEAVE_OUT },
  connect_options: {
    is: 'refused',
    because: 'they are for the Perl driver',
    remedy: 'Say it in options of ours: sqldyno atis help',
    takes: 'value',
  },
  connect_command: {
    is: 'refused',
    because: 'no statement is sent after connecting',
    remedy: 'Set it in the server, for the time of the run.',
    takes: 'value',
  },
};

const SERVERS = ['mysql', 'mariadb', 'mysql_fork'];

/** Of theirs `--server` is a kind of server, of ours the name of a private one. */
const THEIR_SCHEMA: OptionsSchema = {
  ...COMMON_OPTIONS,
  ...ATIS_OPTIONS,
  ...Object.fromEntries(Object.entries(MEANINGS).map(([name, meaning]) => [name, schemaOf(name, meaning)])),
  server: text({ default: 'mysql', help: 'the kind of server' }),
  // Only after `=`: a word of its own would be in what is kept of the command.
  password: flag({ default: false, help: 'password' }),
};

function schemaOf(name: string, meaning: Meaning) {
  const takesValue = meaning.is === 'ours' || meaning.takes === 'value';
  return takesValue ? text({ default: '', help: name }) : flag({ default: false, help: name });
}

export function translate(args: readonly string[]): readonly string[] {
  const { options, words, problems } = splitWords(args, THEIR_SCHEMA);
  const isBare = options.some(({ name, value }) => name === 'password' && value === undefined);
  const tooMany = words.map((word) => tooMuch(isBare ? undefined : word));
  const refusals = [...problems, ...tooMany, ...options.flatMap(refusalOf)];
  if (refusals.length > 0) throw new ProblemsError(refusals);
  const given = new Set(options.map(({ name }) => name));
  // It lists a query with IF() and leaves it out on MySQL; and its driver puts the values into the text.
  const asTheirs = ['--if-query=off', '--db-ps-mode=disable'].filter((option) => !given.has(nameIn(option)));
  return ['atis', ...asTheirs, ...options.flatMap(spelled), 'run'];
}

function nameIn(option: string): string {
  return option.slice(2, option.indexOf('=')).replaceAll('-', '_');
}

/** The word may be a password, which belongs into no message. */
function tooMuch(word: string | undefined): Problem {
  if (word === undefined) {
    return { is: 'There is a word too many.', remedy: 'Write --password=PASSWORD; without =, it is asked for.' };
  }
  return { is: `'${word}' is a word too many.`, remedy: 'test-ATIS takes options only, each with its value after =.' };
}

function refusalOf({ name, written, value }: GivenOption): Problem[] {
  if (name === 'server') return value === undefined ? [] : refusalOfServer(value);
  const meaning = MEANINGS[name];
  if (meaning?.is !== 'refused') return [];
  return [{ is: `${written}: ${meaning.because}.`, remedy: meaning.remedy }];
}

function refusalOfServer(kind: string): Problem[] {
  if (SERVERS.includes(kind.toLowerCase())) return [];
  return [{ is: `--server=${kind}: only servers of the MySQL family are loaded here.`, remedy: LEAVE_OUT }];
}

function spelled({ name, written, value }: GivenOption): string[] {
  const meaning = MEANINGS[name];
  if (name === 'server' || meaning?.is === 'idle') return [];
  if (name === 'password' && value === undefined) return ['--ask-password'];
  const option = meaning?.is === 'ours' ? meaning.option : written;
  return [value === undefined ? option : `${option}=${value}`];
}
