/** Command lines of the tests of the machine, from the words to what is to be done. */
import { describe, expect, test } from 'vitest';
import { hostTestHelp } from '../src/cli/host-test-help.ts';
import { hostTestOf, readHostTestLine } from '../src/cli/host-test-line.ts';
import { HOST_IGNORED_OPTIONS } from '../src/cli/host-test-options.ts';
import { ProblemsError } from '../src/cli/problems.ts';
import { hostTest } from '../src/machine/host-tests.ts';
import { HOST_TEST_NAMES } from '../src/model/host-test.ts';

function wordsOf(line: string): string[] {
  return line.split(/\s+/).filter((word) => word !== '');
}

function read(line: string, files: Readonly<Record<string, string>> = {}) {
  const args = wordsOf(line);
  const name = hostTestOf(args);
  if (name === undefined) throw new Error(`${line} is not about a test of the machine`);
  return readHostTestLine(name, args, (path) => files[path] ?? '');
}

function problemsOf(line: string) {
  try {
    read(line);
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
  return [];
}

describe('which lines are about the machine', () => {
  test.each([
    { line: 'cpu run', name: 'cpu' },
    { line: '--threads 2 cpu run', name: 'cpu' },
    { line: '--cpu-max-prime 20000 cpu run', name: 'cpu' },
    { line: '--test=fileio --file-test-mode=rndrw run', name: 'fileio' },
    { line: '--test memory run', name: 'memory' },
    { line: 'help mutex', name: 'mutex' },
    { line: 'threads', name: 'threads' },
    { line: 'oltp_read_only run', name: undefined },
    { line: 'oltp_read_only --threads 2 cpu', name: undefined },
    { line: '--tables=2 run', name: undefined },
    { line: 'runs list', name: undefined },
    { line: '', name: undefined },
  ])("'$line': $name", ({ line, name }) => {
    expect(hostTestOf(wordsOf(line))).toBe(name);
  });
});

test("the article's line, and the defaults of sysbench", () => {
  const { command, values, load, notes } = read('cpu run');
  expect({ command, values, notes }).toEqual({ command: 'run', values: { cpu_max_prime: 10_000 }, notes: [] });
  expect(load).toMatchObject({ threads: 1, time: 10, events: 0, report_interval: 0, percentile: ['95'] });
});

/** As `sysbench NAME help` of version 1.0.20 lists them. */
const OPTIONS_OF_SYSBENCH = {
  cpu: '--cpu-max-prime=10000',
  memory:
    '--memory-block-size=1K --memory-total-size=100G --memory-scope=global --memory-hugetlb=off --memory-oper=write ' +
    '--memory-access-mode=seq',
  fileio:
    '--file-num=128 --file-block-size=16384 --file-total-size=2G --file-test-mode=rndrw --file-io-mode=sync ' +
    '--file-async-backlog=128 --file-extra-flags= --file-fsync-freq=100 --file-fsync-all=off --file-fsync-end=on ' +
    '--file-fsync-mode=fsync --file-merged-requests=0 --file-rw-ratio=1.5',
  threads: '--thread-yields=1000 --thread-locks=8',
  mutex: '--mutex-num=4096 --mutex-locks=50000 --mutex-loops=10000',
} as const;

describe.each(HOST_TEST_NAMES)('%s', (name) => {
  test("takes sysbench's options, with the same defaults", () => {
    const bare = read(`${name} ${name === 'fileio' ? '--file-test-mode=rndrw' : ''} run`);
    expect(read(`${name} ${OPTIONS_OF_SYSBENCH[name]} run`).values).toEqual(bare.values);
  });

  test("takes sysbench's general options, and says which have no effect", () => {
    const general =
      '--threads=2 --events=10 --time=5 --forced-shutdown=10% --report-interval=1 --percentile=99 --histogram --rand-seed=3';
    expect(read(`${name} ${general} run`)).toMatchObject({
      load: { threads: 2, events: 10, time: 5, forced_shutdown: '10%', report_interval: 1, rand_seed: 3 },
      notes: [],
    });
    const without =
      '--debug=off --validate --verbosity=3 --thread-stack-size=64K --rand-type=uniform --db-driver=mysql';
    const { notes } = read(`${name} ${without} run`);
    expect(notes).toHaveLength(6);
    for (const note of notes) expect(note).toMatch(/^--[a-z-]+ has no effect: \S.*\.$/);
  });

  test('help tells all its options and commands, and no ignored one', () => {
    const text = hostTestHelp(hostTest(name), 100);
    for (const option of Object.keys(hostTest(name).options))
      expect(text).toContain(`--${option.replaceAll('_', '-')}`);
    for (const option of Object.keys(HOST_IGNORED_OPTIONS))
      expect(text).not.toContain(`--${option.replaceAll('_', '-')}=`);
    expect(text.includes('  prepare ')).toBe(name === 'fileio');
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  });
});

test('old spellings and the name in an option', () => {
  const line = read('--test=cpu --num-threads=4 --max-time=3 --max-requests=100 run');
  expect(line.load).toMatchObject({ threads: 4, time: 3, events: 100 });
  expect(line.notes).toEqual([
    '--test is an old spelling: the name alone will do.',
    '--num-threads is an old spelling of --threads.',
    '--max-time is an old spelling of --time.',
    '--max-requests is an old spelling of --events.',
  ]);
});

test('a file of options gives defaults', () => {
  const files = { 'bench.cnf': 'threads = 3\ncpu-max-prime=500\n' };
  expect(read('cpu --config-file=bench.cnf --threads=2 run', files)).toMatchObject({
    load: { threads: 2 },
    values: { cpu_max_prime: 500 },
  });
});

test.each([
  { line: 'cpu run --time=0', notes: 1, because: 'nothing ends it' },
  { line: 'cpu run --time=0 --events=5', notes: 0, because: 'it has a number of events' },
  { line: 'mutex run --time=0', notes: 0, because: 'each thread has one event' },
  { line: 'memory run --time=0', notes: 0, because: 'there is a total' },
  { line: 'memory run --time=0 --memory-total-size=0', notes: 1, because: 'there is none' },
  { line: 'cpu help --time=0', notes: 0, because: 'it is not run' },
])('$line has $notes notes: $because', ({ line, notes }) => {
  expect(read(line).notes).toHaveLength(notes);
});

test.each([
  { line: 'cpu', is: 'What is to be done with cpu?', remedy: 'Add one of run, help: sqldyno cpu run' },
  { line: 'cpu rum', is: "'rum' is no command of cpu.", remedy: 'Did you mean run?' },
  { line: 'cpu prepare', is: "'prepare' is no command of cpu.", remedy: 'Commands: run, help.' },
  { line: 'cpu run twice', is: "'twice' after the command is one word too many." },
  { line: 'cpu --cpu-max-prim=5 run', is: 'Unknown option --cpu-max-prim.', remedy: 'Did you mean --cpu-max-prime?' },
  { line: 'cpu --foo=5 run', is: 'Unknown option --foo.', remedy: 'All options: sqldyno cpu help' },
  { line: 'cpu --mutex-num=5 run', is: '--mutex-num is an option of mutex, not of cpu.' },
  {
    line: 'cpu --mysql-host=db1 run',
    is: '--mysql-host is an option for loads on a database, and there is none in this test.',
  },
  { line: 'cpu --tag=x run', is: /^--tag is no option of this test, whose result is not in the store: --json=FILE/ },
  { line: 'cpu --rate=5 run', is: '--rate is no option of this test: its events follow one another at once.' },
  { line: 'cpu --cpu-max-prime=2 run', is: /^--cpu-max-prime must be a whole number from 3 to 2147483647, not '2'/ },
  { line: 'cpu --threads=0 run', is: /^--threads must be a whole number from 1 to 1024/ },
  { line: 'cpu --percentile=101 run', is: /^--percentile: 101 does not lie/ },
  { line: 'memory --memory-block-size=1000 run', is: /^--memory-block-size must be a power of two/ },
  { line: 'memory --memory-block-size=4 run', is: /^--memory-block-size must be a power of two from 8 bytes/ },
  { line: 'memory --memory-total-size=all run', is: /^--memory-total-size must be a size/ },
  { line: 'memory --memory-block-size=1M --memory-total-size=1K run', is: /is less than one block/ },
  { line: 'memory --memory-hugetlb run', is: /^--memory-hugetlb: V8 gives no say/ },
  { line: 'memory --memory-oper=wipe run', is: /^--memory-oper must be one of write, read, none/ },
  { line: 'fileio --file-merged-requests=8 run', is: /^--file-merged-requests must be/ },
  { line: 'fileio --file-test-mode=fast run', is: /^--file-test-mode must be one of none, seqwr/ },
])('$line is refused: $is', ({ line, is, remedy }) => {
  const [problem] = problemsOf(line);
  expect(problem?.is).toEqual(typeof is === 'string' ? is : expect.stringMatching(is));
  if (remedy !== undefined) expect(problem?.remedy).toBe(remedy);
});

test('all that is wrong with a line is told at once', () => {
  expect(problemsOf('cpu --threads=0 --cpu-max-prime=1 --foo now')).toHaveLength(4);
});
