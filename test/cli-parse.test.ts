/** Command lines as people type them, from the words to what is to be done. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HELP_AFTER } from '../src/cli/help-text.ts';
import { ProblemsError } from '../src/cli/problems.ts';
import { spelledOut } from '../src/cli/program.ts';
import type { LineWorld } from '../src/cli/workload-line.ts';
import { readWorkloadLine } from '../src/cli/workload-line.ts';
import { loadWorkload, workloadNames } from '../src/workload/find.ts';
import { describeMix, mixNotes } from '../src/workload/mix.ts';
import { scratchDirectories } from './support/scratch.ts';

const scratch = scratchDirectories();

const WORLD: LineWorld = {
  workloadNames: workloadNames(),
  loadWorkload,
  readText: (path) => readFileSync(path, 'utf8'),
};

/** A line as in a shell, without quotes and without the program's name. */
function read(line: string) {
  return readWorkloadLine(
    line.split(/\s+/).filter((word) => word !== ''),
    WORLD,
  );
}

async function problemsOf(line: string) {
  try {
    await read(line);
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
  return [];
}

test.each([
  { command: 'prepare', because: 'options before the name, as in the article about a Raspberry Pi' },
  { command: 'run', because: 'the same line with run' },
])('a line with everything before the name, $command: $because', async ({ command }) => {
  const line = await read(
    `--mysql-user=ben --mysql-db=oltp --mysql-host=ubuntu-1 --mysql-password=password
     --threads=50 --time=30 --tables=1 oltp_read_only ${command}`,
  );
  expect(line).toMatchObject({
    found: { name: 'oltp_read_only' },
    command,
    target: { mysql_user: 'ben', mysql_db: 'oltp', mysql_host: ['ubuntu-1'], mysql_password: 'password' },
    load: { threads: 50, time: 30 },
    workload: { tables: 1, table_size: 10_000 },
    notes: [],
  });
});

const CONNECTION = '--mysql-host=db1 --mysql-user=me --mysql-password=secret --mysql-port=3306';

test.each([
  {
    args: `/usr/share/sysbench/oltp_read_only.lua --threads=4 ${CONNECTION} --tables=10 --table-size=100000 prepare`,
    expected: { command: 'prepare', load: { threads: 4 }, workload: { tables: 10, table_size: 100_000 } },
  },
  {
    args: `/usr/share/sysbench/oltp_read_only.lua --threads=16 --events=0 --time=10 ${CONNECTION} --tables=10
           --table-size=100000 --range_selects=off --db-ps-mode=disable --report-interval=1 run`,
    expected: {
      command: 'run',
      load: { threads: 16, events: 0, time: 10, db_ps_mode: 'disable', report_interval: 1 },
      workload: { range_selects: false },
    },
  },
])('a script by its path stands for the workload: $args', async ({ args, expected }) => {
  const line = await read(args);
  expect(line.found).toMatchObject({ name: 'oltp_read_only' });
  expect(line).toMatchObject(expected);
  expect(line.target).toMatchObject({ mysql_host: ['db1'], mysql_port: ['3306'] });
  expect(line.notes).toEqual([]);
});

test('the published line that asks for no reads is run as written, and says so before it starts', async () => {
  const line = await read(
    `./oltp_read_write.lua ${CONNECTION} --table_size=10000000 --max-requests=0 --simple-ranges=0 --distinct-ranges=0
     --sum-ranges=0 --order-ranges=0 --point-selects=0 --time=3600 --threads=1024 --rand-type=uniform run`,
  );
  expect(line.load).toMatchObject({ events: 0, time: 3600, threads: 1024, rand_type: 'uniform' });
  expect(line.notes).toEqual(['--max-requests is an old spelling of --events.']);
  const mix = describeMix(line.found.workload, line.workload as never);
  expect(mix).toBe('per transaction: 0 reads, 4 writes, 2 other');
  expect(mixNotes(line.found.workload, line.workload)).toEqual([
    'these options ask for no reads, where this workload has 14 in each transaction: results with reads came from other options',
  ]);
});

test('the usual mix needs no remark', async () => {
  const line = await read('oltp_read_write run');
  expect(mixNotes(line.found.workload, line.workload)).toEqual([]);
});

test('a script that has no workload here is refused with a list of those that have', async () => {
  const line = read(`./mine.lua ${CONNECTION} --time=10 --threads=8 --report-interval=1 --db-driver=mysql run`);
  await expect(line).rejects.toMatchObject({
    message: expect.stringContaining("'./mine.lua' is not a workload here."),
    hint: expect.stringContaining('oltp_read_write'),
    exitCode: 1,
  });
});

test("the seed's line for tpcc.lua means the workload as that script has it", async () => {
  const line = await read(
    `./tpcc.lua ${CONNECTION} --time=20 --threads=32 --report-interval=1 --tables=1 --scale=1 --db-driver=mysql run`,
  );
  expect(line.found.name).toBe('tpcc');
  expect(line.notes).toEqual([]);
  expect(line.workload).toMatchObject({ profile: 'sysbench-tpcc', scale: 1, tables: 1 });
});

test.each([
  { line: 'oltp_read_only run --threads=2', because: 'options may come last' },
  { line: '--threads 2 oltp_read_only run', because: 'a value may be a word of its own' },
  { line: 'oltp_read_only.lua --threads=2 run', because: 'the ending is no part of the name' },
  { line: '--test=oltp_read_only --num-threads=2 run', because: 'old sysbench had an option for the name' },
  {
    line: '--db-driver=mysql --threads=2 --debug=off oltp_read_only --verbosity=3 run',
    because: 'it means nothing here',
  },
])('$line: $because', async ({ line }) => {
  expect(await read(line)).toMatchObject({ found: { name: 'oltp_read_only' }, command: 'run', load: { threads: 2 } });
});

test.each([
  { word: 'warmup', command: 'prewarm' },
  { word: 'help', command: 'help' },
  { word: 'check', command: 'check' },
])('the command $word is $command', async ({ word, command }) => {
  expect(await read(`oltp_read_only ${word}`)).toMatchObject({ command });
});

test('--help needs no command', async () => {
  expect(await read('oltp_read_only --help')).toMatchObject({ command: 'help' });
});

test('options of other workloads of the family are accepted where sysbench accepts them', async () => {
  const line = await read('oltp_point_select --index-updates=5 --range-size=10 --skip-trx=on run');
  expect(line.workload).toMatchObject({ index_updates: 5, range_size: 10, skip_trx: true });
});

test('every option of a sysbench OLTP script is known to all of them', async () => {
  const names = workloadNames().filter((name) => name.startsWith('oltp_'));
  const options =
    '--auto_inc --create_secondary --delete_inserts=1 --distinct_ranges=1 --index_updates=1 --mysql_storage_engine=innodb ' +
    '--non_index_updates=1 --order_ranges=1 --point_selects=1 --range_selects --range_size=1 --secondary --simple_ranges=1 ' +
    '--skip_trx --sum_ranges=1 --table_size=1 --tables=1';
  expect(names.length).toBeGreaterThanOrEqual(8);
  for (const name of names) expect(await problemsOf(`${name} ${options} run`), name).toEqual([]);
});

test('every general option of sysbench is accepted', async () => {
  const options =
    '--threads=1 --events=0 --time=1 --forced-shutdown=off --thread-stack-size=64K --rate=0 --report-interval=0 ' +
    '--report-checkpoints=5,10 --debug=off --validate=off --rand-type=special --rand-spec-iter=12 --rand-spec-pct=1 ' +
    '--rand-spec-res=75 --rand-seed=0 --rand-pareto-h=0.2 --verbosity=3 --percentile=95 --histogram=off --db-driver=mysql ' +
    '--db-ps-mode=auto --db-debug=off --mysql-host=h --mysql-port=3306 --mysql-user=u --mysql-password= --mysql-db=d ' +
    '--mysql-ssl=off --mysql-ssl-cipher= --mysql-compression=off --mysql-debug=off --mysql-ignore-errors=1213,1020,1205 ' +
    '--mysql-dry-run=off --pgsql-host=localhost --pgsql-port=5432 --pgsql-user=u --pgsql-password= --pgsql-db=d';
  expect(await problemsOf(`${options} oltp_read_write run`)).toEqual([]);
});

test.each([
  {
    line: 'oltp_read_write --table-sizes=5 run',
    is: 'Unknown option --table-sizes.',
    remedy: 'Did you mean --table-size?',
  },
  { line: 'oltp_read_write --host=x run', is: 'Unknown option --host.', remedy: 'Did you mean --mysql-host?' },
  {
    line: 'oltp_read_write --zebra run',
    is: 'Unknown option --zebra.',
    remedy: 'All options: sqldyno oltp_read_write help',
  },
  { line: 'oltp_read_write --random-points=5 run', is: '--random-points is no option of oltp_read_write.' },
  { line: 'oltp_read_write --threads=0 run', is: "--threads must be a whole number from 1 to 100000, not '0'." },
  { line: 'oltp_read_write', is: 'What is to be done with oltp_read_write?' },
  { line: 'oltp_read_write rnu', is: "'rnu' is no command of oltp_read_write.", remedy: 'Did you mean run?' },
  { line: 'oltp_read_write run now', is: "'now' after the command is one word too many." },
  { line: 'run oltp_read_write', is: "'run' is a command, and a workload must come before it." },
  { line: '--threads=3', is: 'No workload is named.', remedy: 'List them: sqldyno workloads' },
  { line: 'oltp_read_write --threads run', is: '--threads needs a value: a whole number from 1 to 100000.' },
  { line: '--mysql-password secret oltp_read_write run', is: 'What follows --mysql-password is no workload.' },
  {
    line: 'oltp_read_write --db-driver=pgsql run',
    is: '--db-driver=pgsql: sqldyno loads servers of the MySQL family only.',
  },
  { line: 'oltp_read_write --mysql-dry-run=on run', is: '--mysql-dry-run: a load without a server measures nothing.' },
  { line: 'oltp_read_write --report-interval=0.001 run', is: '--report-interval=0.001 is shorter than 0.01 s.' },
  { line: 'oltp_read_write --percentile=101 run', is: '--percentile: 101 does not lie above 0 and up to 100.' },
])('$line: $is', async ({ line, is, remedy }) => {
  const [problem, ...others] = await problemsOf(line);
  expect(others).toEqual([]);
  expect(problem?.is).toBe(is);
  if (remedy !== undefined) expect(problem?.remedy).toBe(remedy);
});

test('a secret that was typed in the wrong place is not repeated', async () => {
  const problems = await problemsOf('--mysql-password hunter2 oltp_read_write run');
  expect(JSON.stringify(problems)).not.toContain('hunter2');
});

test('all mistakes are told at once', async () => {
  const problems = await problemsOf('oltp_read_write --threads=none --zebra --table-size=-1 --db-driver=pgsql rum');
  expect(problems).toHaveLength(5);
});

test('what a workload finds wrong with its options is told too', async () => {
  const problems = await problemsOf('oltp_read_write --mysql-storage-engine=in;no run');
  expect(problems.map(({ is }) => is).join()).toContain('is not the name of a storage engine');
});

test('a file gives options, and the command line wins', async () => {
  const path = join(scratch(), 'bench.cnf');
  writeFileSync(path, '# a load\nthreads = 7\ntables=3\nskip-trx\n');
  const line = await read(`oltp_read_write --config-file=${path} --tables=4 run`);
  expect(line).toMatchObject({ load: { threads: 7 }, workload: { tables: 4, skip_trx: true }, notes: [] });
});

test('a mistake in a file names its line', async () => {
  const path = join(scratch(), 'bench.cnf');
  writeFileSync(path, 'threads=7\n\nzebra=1\n');
  const [problem] = await problemsOf(`oltp_read_write --config-file=${path} run`);
  expect(problem?.is).toBe(`Unknown option --zebra (line 3 of ${path}).`);
});

test('a URL is the target, wherever it stands', async () => {
  for (const line of ['mysql://ben@h/db oltp_read_write run', 'oltp_read_write --url=mysql://ben@h/db run']) {
    const { target, given } = await read(line);
    expect(target.url).toBe('mysql://ben@h/db');
    expect(given.has('url')).toBe(true);
  }
});

test("a workload of one's own brings its options", async () => {
  const path = join(scratch(), 'mine.mjs');
  writeFileSync(
    path,
    `export default {
      summary: 'mine',
      options: { hot_rows: { kind: 'integer', default: 1, help: '' } },
      needs: () => ({ statementsPerSession: 0, writes: false, tables: [] }),
      session: async () => ({}),
    };`,
  );
  const line = await read(`--hot-rows 5 ${path} run`);
  expect(line).toMatchObject({ found: { name: 'mine', path }, workload: { hot_rows: 5 } });
});

test('every example of --help is a line that is understood', async () => {
  const lines = HELP_AFTER.split('\n').flatMap((line) => /^ {2}sqldyno (.*)$/.exec(line)?.[1] ?? []);
  const examples = lines.filter((line) => !/WORKLOAD|HOST-TEST/.test(line));
  const workloads = examples.filter((line) => line !== 'quickstart');
  expect(workloads.length).toBeGreaterThanOrEqual(4);
  for (const example of workloads) expect(await problemsOf(example), example).toEqual([]);
});

test.each([
  { args: ['runs', 'list', '--json'], spelled: ['runs', 'list', '--json=-'] },
  { args: ['--json=x_y', 'runs'], spelled: ['--json=x_y', 'runs'] },
  {
    args: ['server', 'start', '--', '--innodb_buffer_pool_size=1G'],
    spelled: ['server', 'start', '--', '--innodb_buffer_pool_size=1G'],
  },
  { args: ['runs', 'show', '--for_mat=csv'], spelled: ['runs', 'show', '--for-mat=csv'] },
])('$args is spelled out for commander', ({ args, spelled }) => {
  expect(spelledOut(args)).toEqual(spelled);
});

test('a SQL file stands for script with that file, whose text is read once, here', async () => {
  const path = join(scratch(), 'pay.sql');
  writeFileSync(path, 'SELECT :x;');
  const other = join(scratch(), 'look.sql');
  writeFileSync(other, 'SELECT 2;');
  const line = await read(`${path} --define=x=1 --file=${other}@3 --threads=2 run`);
  expect(line).toMatchObject({
    found: { name: 'pay', path },
    command: 'run',
    load: { threads: 2 },
    workload: { file: [path, `${other}@3`], define: ['x=1'], texts: ['SELECT :x;', 'SELECT 2;'] },
    notes: [],
  });
});

test('what is wrong with a script is told with the rest of the line', async () => {
  const path = join(scratch(), 'pay.sql');
  writeFileSync(path, 'SELECT :x;');
  expect(await problemsOf(`${path} --thraeds=2 run`)).toEqual([
    expect.objectContaining({ is: expect.stringMatching(/--thraeds/) }),
    { is: `${path}:1:8: :x has no value here. Set it before: \\set x …, or --define=x=…` },
  ]);
  expect(await problemsOf('nowhere.sql run')).toEqual([{ is: 'There is no file nowhere.sql.' }]);
  expect(await problemsOf('script --setup-file=/ run')).toEqual([{ is: '/ cannot be read (EISDIR).' }]);
});
