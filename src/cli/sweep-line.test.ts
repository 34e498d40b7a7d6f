/** `sqldyno sweep` as people type it. */
import { describe, expect, test } from 'vitest';
import { loadWorkload, workloadNames } from '../workload/find.ts';
import { ProblemsError } from './problems.ts';
import { readSweepLine } from './sweep-line.ts';
import type { LineWorld } from './workload-line.ts';

const WORLD: LineWorld = {
  workloadNames: workloadNames(),
  loadWorkload,
  readText: (path) => {
    if (path === 'bench.cnf') return 'table-size=5000\nwarmup-time=3\n';
    throw new Error('no other file is named here');
  },
};

function read(line: string) {
  return readSweepLine(line.split(' '), WORLD);
}

test('over threads, on a private server of its own', async () => {
  expect(await read('sweep oltp_read_only --over=threads --values=1,2,4,8')).toMatchObject({
    is: 'new',
    workload: 'oltp_read_only',
    over: 'threads',
    of: 'load',
    values: ['1', '2', '4', '8'],
    repeats: 3,
    marginShare: 0.02,
    place: { namesServer: false, options: { allow_settings: false, allow_commands: false } },
    workloadOptions: {},
    loadOptions: {},
  });
});

test('options stay as they were typed, each where it belongs', async () => {
  const line = await read(
    'sweep --mysql-host=db1 oltp_read_only --tables=4 --table_size 1000 --time=5 --rand-type=pareto --percentile=95,99 --over=threads --values 1,2 --repeats=5 --margin=5% --tag=mine run',
  );
  expect(line).toMatchObject({
    workloadOptions: { tables: '4', table_size: '1000' },
    loadOptions: { time: '5', rand_type: 'pareto', percentile: '95,99' },
    repeats: 5,
    marginShare: 0.05,
    place: { namesServer: true, target: { mysql_host: ['db1'] }, tag: ['mine'] },
  });
});

test('what a file says is kept too', async () => {
  const line = await read('sweep oltp_read_only --config-file=bench.cnf --over=threads --values=1,2');
  expect(line).toMatchObject({ workloadOptions: { table_size: '5000' }, loadOptions: { warmup_time: '3' } });
});

describe('what is swept', () => {
  test.each([
    { line: '--over=table-size --values=1,2', over: 'table_size', of: 'workload' },
    { line: '--over=rate --values=100,200', over: 'rate', of: 'load' },
    { line: '--over=innodb-buffer-pool-size --values=32M,64M', over: 'innodb_buffer_pool_size', of: 'settings' },
    { line: '--over=sync_binlog --values=0,1 --mysql-host=db1', over: 'sync_binlog', of: 'global' },
    { line: '--over=sync_binlog --values=0,1 --server=bench', over: 'sync_binlog', of: 'global' },
  ])('$line', async ({ line, ...expected }) => {
    expect(await read(`sweep oltp_read_only ${line}`)).toMatchObject(expected);
  });
});

describe('--continue', () => {
  test.each([
    { line: 'sweep --continue=k3f9', id: 'k3f9' },
    { line: 'sweep --continue', id: 'latest' },
    { line: 'sweep --continue --json=out.json', id: 'latest' },
    { line: 'sweep --continue=k3f9 mysql://ben@db1/shop --allow-settings', id: 'k3f9' },
  ])('$line', async ({ line, id }) => {
    expect(await read(line)).toMatchObject({ is: 'continue', id });
  });
});

test('help, however it is asked for', async () => {
  for (const line of ['sweep', 'sweep help', 'sweep oltp_read_write --help']) {
    expect(await read(line)).toEqual({ is: 'help' });
  }
});

describe.each([
  { line: 'sweep oltp_read_only --values=1,2', says: /What is swept is not said/ },
  { line: 'sweep oltp_read_only --over=threads', says: /--values: a sweep needs 2/ },
  { line: 'sweep oltp_read_only --over=threads --values=1,2,1', says: /--values: 1 is there twice/ },
  { line: 'sweep oltp_read_only --over=thread --values=1,2', says: /Did you mean --over=threads/ },
  { line: 'sweep oltp_read_only --over=mysql-host --values=a,b', says: /no option of the load/ },
  { line: 'sweep oltp_read_only --threads=4 --over=threads --values=1,2', says: /--threads is given, and swept too/ },
  { line: 'sweep oltp_read_only --over=threads --values=1,2 --margin=x', says: /--margin=x is no share/ },
  { line: 'sweep oltp_read_only --over=threads --values=1,2 prepare', says: /Leave 'prepare' out/ },
  { line: 'sweep slap --over=threads --values=1,2', says: /runs in rounds of its own/ },
  { line: 'sweep --continue=k3f9 --over=threads', says: /--over: what is swept is known/ },
  { line: 'sweep oltp_read_only --continue=k3f9', says: /'oltp_read_only': what is swept is known/ },
])('$line', ({ line, says }) => {
  test('is refused', async () => {
    const error = await read(line).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(ProblemsError);
    expect((error as ProblemsError).problems.map(({ is, remedy = '' }) => `${is} ${remedy}`).join('\n')).toMatch(says);
  });
});
