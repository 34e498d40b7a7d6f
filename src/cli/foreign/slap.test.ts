import { describe, expect, test } from 'vitest';
import { loadWorkload, workloadNames } from '../../workload/find.ts';
import { planOf } from '../plan-of.ts';
import { ProblemsError } from '../problems.ts';
import { readWorkloadLine } from '../workload-line.ts';
import { translate } from './slap.ts';

test.each([
  { args: ['-a'], ours: ['--auto-generate-sql'], because: 'a short flag' },
  { args: ['-as'], ours: ['--auto-generate-sql', '--silent'], because: 'flags in one word' },
  { args: ['-vvv'], ours: ['--verbose'], because: 'said three times' },
  { args: ['-c8'], ours: ['--concurrency=8'], because: 'a value right behind' },
  { args: ['-c', '8,16'], ours: ['--concurrency=8,16'], because: 'or in the next word' },
  { args: ['-ac8'], ours: ['--auto-generate-sql', '--concurrency=8'], because: 'and behind a flag' },
  {
    args: ['-i3', '-x2', '-y', '3:1', '-e', 'innodb,memory:max_rows=9'],
    ours: ['--iterations=3', '--number-char-cols=2', '--number-int-cols=3:1', '--engine=innodb,memory:max_rows=9'],
    because: 'the others',
  },
  { args: ['-q', 'SELECT 1;SELECT 2', '-F;'], ours: ['--query=SELECT 1;SELECT 2', '--delimiter=;'], because: 'SQL' },
  { args: ['-q', '-- only a comment'], ours: ['--query=-- only a comment'], because: 'a value may begin with dashes' },
  {
    args: ['-uben', '-psecret', '-hdb1', '-P3307', '-S', '/tmp/s'],
    ours: [
      '--mysql-user=ben',
      '--mysql-password=secret',
      '--mysql-host=db1',
      '--mysql-port=3307',
      '--mysql-socket=/tmp/s',
    ],
    because: 'the server',
  },
  { args: ['-p', '-a'], ours: ['--ask-password', '--auto-generate-sql'], because: 'a password is never the next word' },
  {
    args: ['--user=ben', '--password=x', '--host', 'db1', '--port=1'],
    ours: ['--mysql-user=ben', '--mysql-password=x', '--mysql-host=db1', '--mysql-port=1'],
    because: 'long names',
  },
  { args: ['--password'], ours: ['--ask-password'], because: 'it is asked for' },
  {
    args: ['--concurrency', '8', '--auto_generate_sql'],
    ours: ['--concurrency=8', '--auto-generate-sql'],
    because: 'dashes and underscores are alike',
  },
  {
    args: ['--iter=3', '--conc=2', '--number-of=9'],
    ours: ['--iterations=3', '--concurrency=2', '--number-of-queries=9'],
    because: 'the beginning of a name will do',
  },
  { args: ['--csv', '--no-drop'], ours: ['--csv', '--no-drop'], because: 'CSV to stdout' },
  { args: ['--csv=out.csv'], ours: ['--csv=out.csv'], because: 'or to a file' },
  {
    args: ['--no-defaults', '--defaults-file=my.cnf'],
    ours: ['--no-defaults', '--defaults-file=my.cnf'],
    because: 'option files',
  },
  {
    args: ['--sql-mode=ANSI'],
    ours: ["--init-command=SET SESSION sql_mode = 'ANSI'"],
    because: 'a setting of MySQL 8',
  },
  { args: ['--ssl'], ours: ['--mysql-ssl=on'], because: 'encryption' },
  { args: ['--skip-ssl'], ours: ['--mysql-ssl=off'], because: 'or none' },
  { args: ['--ssl=0'], ours: ['--mysql-ssl=off'], because: 'none, otherwise written' },
  {
    args: ['--ssl-mode=VERIFY_CA', '--ssl-ca=ca.pem'],
    ours: ['--mysql-ssl=VERIFY_CA', '--mysql-ssl-ca=ca.pem'],
    because: 'checked',
  },
  { args: ['--ssl-verify-server-cert'], ours: ['--mysql-ssl=verify-identity'], because: 'checked, in MariaDB' },
  { args: ['--tls-version=TLSv1.2,TLSv1.3'], ours: ['--tls-version-min=TLSv1.2'], because: 'the lowest counts' },
  { args: ['--tls-version=TLSv1.3'], ours: ['--tls-version-min=TLSv1.3'], because: 'alone' },
  {
    args: ['--protocol=tcp', '-P3306'],
    ours: ['--mysql-port=3306', '--mysql-host=127.0.0.1'],
    because: 'TCP to this machine',
  },
  {
    args: ['--protocol=TCP', '-hlocalhost'],
    ours: ['--mysql-host=127.0.0.1'],
    because: 'TCP, though it says localhost',
  },
  { args: ['--protocol=tcp', '-hdb1'], ours: ['--mysql-host=db1'], because: 'TCP anyway' },
  { args: ['--protocol=socket', '-S/tmp/s'], ours: ['--mysql-socket=/tmp/s'], because: 'a socket anyway' },
  {
    args: ['--rand-seed=7', '--store=x', '--no-live', '--threads=2'],
    ours: ['--rand-seed=7', '--store=x', '--no-live', '--threads=2'],
    because: 'options of ours',
  },
])('$args: $because', ({ args, ours }) => {
  expect(translate(args)).toEqual(['slap', ...ours, 'run']);
});

test('a flag that is turned off', () => {
  expect(translate(['--skip-auto-generate-sql'])).toEqual(['slap', '--auto-generate-sql=off', 'run']);
});

test.each(['-?', '--help'])('%s is help', (word) => {
  expect(translate([word, '-a'])).toEqual(['slap', 'help']);
});

test.each([
  { args: ['-C'], is: /compressed protocol is not supported/ },
  { args: ['--compression-algorithms=zlib'], is: /compressed protocol is not supported/ },
  { args: ['-z'], is: /'-z' is no option of mysqlslap/ },
  { args: ['-c'], is: /-c needs a value/ },
  { args: ['--concurrency'], is: /--concurrency needs a value/ },
  { args: ['--frobnicate'], is: /Unknown option --frobnicate/ },
  { args: ['--auto-generate-sql-unique=3'], is: /Unknown option --auto-generate-sql-unique/ },
  { args: ['shop'], is: /'shop' belongs to no option/ },
  { args: ['--protocol=pipe'], is: /TCP or a Unix socket/ },
  { args: ['--tls-version=TLSv1.1'], is: /TLSv1.2 and TLSv1.3 are spoken/ },
  { args: ['--login-path=x'], is: /mylogin.cnf is not read/ },
])('$args is refused', ({ args, is }) => {
  const problems = problemsOf(args);
  expect(problems.map((problem) => problem.is).join()).toMatch(is);
  expect(problems.every(({ remedy }) => remedy !== undefined)).toBe(true);
});

function problemsOf(args: readonly string[]) {
  try {
    translate(args);
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
  throw new Error('it was not refused');
}

test('all that is wrong is told at once', () => {
  expect(problemsOf(['-C', '--frobnicate', 'shop'])).toHaveLength(3);
});

describe('the line means', () => {
  const world = {
    workloadNames: workloadNames(),
    loadWorkload,
    readText: (path: string) => {
      if (path === 'queries.sql') return 'SELECT 1;\nSELECT 2;\n';
      throw Object.assign(new Error('none'), { code: 'ENOENT' });
    },
  };

  test('mysqlslap -a: a list of eleven queries, once, by one client', async () => {
    const line = await readWorkloadLine(translate(['-a']), world);
    expect(line.command).toBe('run');
    expect(planOf(line)).toMatchObject({
      eventsPerThread: 11,
      threads: 1,
      timeS: 0,
      events: 0,
      preparedStatements: false,
    });
  });

  test('queries of a file, which the record gets as text', async () => {
    const line = await readWorkloadLine(translate(['-q', 'queries.sql', '-F', ';', '--create-schema=shop']), world);
    expect(line.workload).toMatchObject({ query: 'SELECT 1;\nSELECT 2;\n', delimiter: ';', create_schema: 'shop' });
    expect(planOf(line).eventsPerThread).toBe(2);
  });

  test('what mysqlslap would refuse too', async () => {
    await expect(readWorkloadLine(translate(['-a', '--auto-generate-sql-load-type=key']), world)).rejects.toThrow(
      /a key, which the table does not have/,
    );
  });
});
