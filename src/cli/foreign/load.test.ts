import { describe, expect, test } from 'vitest';
import { loadWorkload, workloadNames } from '../../workload/find.ts';
import { planOf } from '../plan-of.ts';
import { readWorkloadLine } from '../workload-line.ts';
import { translate } from './load.ts';

test.each([
  {
    args: '1000 1000 50',
    line: 'quiz --scale=1000 --queries=1000 --threads=50 --db-ps-mode=disable run',
    because: 'as in the blog post',
  },
  {
    args: '1000 2000 50 -u ben -h db1',
    line: 'quiz --scale=1000 --queries=2000 --threads=50 --db-ps-mode=disable --mysql-user=ben --mysql-host=db1 run',
    because: 'it says where',
  },
  {
    args: '10 8 2 --db-ps-mode=auto --rand-type=zipfian',
    line: 'quiz --scale=10 --queries=8 --threads=2 --db-ps-mode=auto --rand-type=zipfian run',
    because: 'it says how',
  },
])('load.py $args: $because', ({ args, line }) => {
  expect(translate(args.split(' ')).join(' ')).toBe(line);
});

test.each(['1000 50', '1000 0 50', '1000 1000 50 run', '1000 1e3 50'])('refuses %s', (args) => {
  expect(() => translate(args.split(' '))).toThrow(/^SCALE, QUERIES, THREADS must be given/);
});

describe('the line means', () => {
  const world = { workloadNames: workloadNames(), loadWorkload, readText: () => '' };
  const read = (args: string) => readWorkloadLine(translate(args.split(' ')), world);

  test('a fixed number of rounds on each connection, keys drawn evenly, database quiz', async () => {
    const line = await read('1000 1001 50');
    expect(line.target.mysql_db).toBe('quiz');
    const plan = planOf(line);
    expect(plan).toMatchObject({ threads: 50, timeS: 0, events: 0, eventsPerThread: 250, preparedStatements: false });
    expect(plan.rand.type).toBe('uniform');
  });

  test('what is written where it says otherwise', async () => {
    const line = await read('1000 1000 50 --rand-type=pareto --mysql-db=other --time=3');
    expect(line.target.mysql_db).toBe('other');
    const plan = planOf(line);
    expect(plan).toMatchObject({ timeS: 3, eventsPerThread: 0 });
    expect(plan.rand.type).toBe('pareto');
  });

  test('nothing where less than a round is asked for', async () => {
    await expect(read('1000 3 50')).rejects.toThrow(/--queries=3 is less/);
  });
});
