import { describe, expect, test } from 'vitest';
import { loadWorkload, workloadNames } from '../../workload/find.ts';
import { ProblemsError } from '../problems.ts';
import { readWorkloadLine } from '../workload-line.ts';
import { translate } from './tpcc.ts';

const PLACE = '--mysql-user=ben --mysql-db=sbt --mysql-host=ubuntu-1 --mysql-password=password';

test.each([
  {
    args: `${PLACE} --time=10 --threads=8 --report-interval=1 --tables=1 --scale=1 --db-driver=mysql prepare`,
    line: `tpcc --profile=sysbench-tpcc ${PLACE} --time=10 --threads=8 --report-interval=1 --tables=1 --scale=1 --db-driver=mysql prepare`,
    because: 'as the blog post prepares',
  },
  {
    args: `${PLACE} --time=20 --threads=32 --report-interval=1 --tables=1 --scale=1 --db-driver=mysql run`,
    line: `tpcc --profile=sysbench-tpcc ${PLACE} --time=20 --threads=32 --report-interval=1 --tables=1 --scale=1 --db-driver=mysql run`,
    because: 'as the blog post runs',
  },
  { args: 'run', line: 'tpcc --profile=sysbench-tpcc --scale=100 run', because: 'its own default is 100 warehouses' },
  { args: '--profile=spec --scale 2 run', line: 'tpcc --profile=spec --scale=2 run', because: 'said otherwise' },
  {
    args: '--use_fk=0 --trx_level=RC --enable_purge=yes --report_csv=no --scale=1 run',
    line: 'tpcc --profile=sysbench-tpcc --use_fk=0 --trx_level=RC --enable_purge=yes --scale=1 run',
    because: 'its spellings are ours',
  },
])('tpcc.lua $args: $because', ({ args, line }) => {
  expect(translate(args.split(' ')).join(' ')).toBe(line);
});

test.each([
  { args: '--report_csv=yes run', is: /intervals/ },
  { args: '--report-csv run', is: /intervals/ },
  { args: '--pgsql_schema=other run', is: /MySQL family/ },
])('refuses $args', ({ args, is }) => {
  try {
    translate(args.split(' '));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemsError);
    expect((error as ProblemsError).problems).toEqual([
      { is: expect.stringMatching(is), remedy: expect.stringMatching(/^Leave it out/) },
    ]);
  }
});

describe('the line means', () => {
  const world = { workloadNames: workloadNames(), loadWorkload, readText: () => '' };

  test('the same where the script is not the first word', async () => {
    const line = await readWorkloadLine('--threads=4 ./tpcc.lua --scale=3 run'.split(' '), world);
    expect(line.found.name).toBe('tpcc');
    expect(line.notes).toEqual([]);
    expect(line.workload).toMatchObject({ profile: 'sysbench-tpcc', scale: 3 });
  });

  test('what sysbench-tpcc makes of it', async () => {
    const args = '--tables=2 --use_fk=0 --force_pk=1 --trx_level=SER --enable_purge=yes --splittable=yes run';
    const line = await readWorkloadLine(translate(args.split(' ')), world);
    expect(line.found.name).toBe('tpcc');
    expect(line.notes).toEqual([]);
    expect(line.workload).toMatchObject({
      profile: 'sysbench-tpcc',
      scale: 100,
      tables: 2,
      use_fk: false,
      force_pk: true,
      trx_level: 'SER',
      enable_purge: true,
      splittable: true,
    });
  });
});
