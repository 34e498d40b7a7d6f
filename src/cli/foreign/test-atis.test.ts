import { describe, expect, test } from 'vitest';
import { loadWorkload, workloadNames } from '../../workload/find.ts';
import { planOf } from '../plan-of.ts';
import { ProblemsError } from '../problems.ts';
import { readWorkloadLine } from '../workload-line.ts';
import { translate } from './test-atis.ts';

const AS_THEIRS = 'atis --if-query=off --db-ps-mode=disable';

test.each([
  { args: '', line: `${AS_THEIRS} run`, because: 'as in the blog post' },
  {
    args: '--server=mysql --host=db1 --user=ben --password=a=b --database=test',
    line: `${AS_THEIRS} --mysql-host=db1 --mysql-user=ben --mysql-password=a=b --mysql-db=test run`,
    because: 'it says where',
  },
  {
    args: '--user ben --socket /tmp/m',
    line: `${AS_THEIRS} --mysql-user=ben --mysql-socket=/tmp/m run`,
    because: 'apart',
  },
  {
    args: '--small-test --fast --loop-count=50 --create-options=ENGINE=InnoDB --skip-create --skip-delete',
    line: `${AS_THEIRS} --small-test --fast --loop-count=50 --create-options=ENGINE=InnoDB --skip-create --skip-delete run`,
    because: 'it says what',
  },
  { args: '--fast-insert --hires --row-count=9 --groups 5', line: `${AS_THEIRS} run`, because: 'nothing comes of it' },
  { args: '--json --rand-seed=3', line: `${AS_THEIRS} --json --rand-seed=3 run`, because: 'ours go as they are' },
  {
    args: '--password --user=ben',
    line: `${AS_THEIRS} --ask-password --mysql-user=ben run`,
    because: 'it is asked for',
  },
  { args: '--db-ps-mode=auto', line: 'atis --if-query=off --db-ps-mode=auto run', because: 'said otherwise' },
])('test-ATIS $args: $because', ({ args, line }) => {
  expect(translate(args.split(' ').filter((word) => word !== '')).join(' ')).toBe(line);
});

test.each([
  { args: '--server=pg', is: /MySQL family/ },
  { args: '--time-limit=60', is: /every loop is run/ },
  { args: '--lock-tables', is: /not locked/ },
  { args: '--log', is: /every run is recorded/ },
  { args: '--comments=slow', is: /every run is recorded/ },
  { args: '--connect-command=SET', is: /no statement/ },
  { args: '--password secret', is: /^There is a word too many/ },
  { args: 'run', is: /word too many/ },
  { args: '-x', is: /not known/ },
])('$args is refused, with a remedy', ({ args, is }) => {
  try {
    translate(args.split(' '));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemsError);
    const [problem] = (error as ProblemsError).problems;
    expect(problem?.is).toMatch(is);
    expect(problem?.remedy).toMatch(/\.$|: sqldyno/);
  }
});

describe('the line means', () => {
  const world = { workloadNames: workloadNames(), loadWorkload, readText: () => '' };
  const read = (args: string) => readWorkloadLine(translate(args.split(' ').filter((word) => word !== '')), world);

  test('43 queries, a hundred times each, on one connection, in the database test', async () => {
    const line = await read('');
    expect(line.target.mysql_db).toBe('test');
    const plan = planOf(line);
    expect(plan).toMatchObject({ threads: 1, timeS: 0, events: 28 + 9_768 + 500 + 28, preparedStatements: false });
    expect(plan.sequence.map(({ transaction, events }) => `${transaction} ${events}`)).toEqual([
      'create_table 28',
      'insert 9768',
      'select_simple_join 100',
      'select_join 100',
      'select_key_prefix_join 100',
      'select_distinct 100',
      'select_group 100',
      'drop_table 28',
    ]);
  });

  test('a tenth with --small-test', async () => {
    expect(planOf(await read('--small-test')).events).toBe(28 + 9_768 + 50 + 28);
  });

  test('nothing on several threads while tables are made', async () => {
    await expect(read('--threads=4')).rejects.toThrow(/create_table.*several connections/);
    expect(planOf(await read('--threads=4 --skip-create --skip-delete'))).toMatchObject({ threads: 4, events: 500 });
  });
});
