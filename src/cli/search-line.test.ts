/** `sqldyno search` as people type it. */
import { describe, expect, test } from 'vitest';
import { loadWorkload, workloadNames } from '../workload/find.ts';
import { ProblemsError } from './problems.ts';
import { readSearchLine } from './search-line.ts';
import type { LineWorld } from './workload-line.ts';

const WORLD: LineWorld = {
  workloadNames: workloadNames(),
  loadWorkload,
  readText: () => {
    throw new Error('no file is named here');
  },
};

function read(line: string) {
  return readSearchLine(line.split(' '), WORLD);
}

test('a workload and a limit are enough', async () => {
  const line = await read('search oltp_read_write --limit=p99<20ms');
  expect(line).toMatchObject({
    limit: { metric: 'p99(transaction)', below: 20 },
    precisionShare: 0.05,
    repeats: 3,
    load: { command: 'run', found: { name: 'oltp_read_write' }, load: { threads: 64, time: 10, warmup_time: 2 } },
  });
  expect(line).not.toHaveProperty('rateMinPerS');
  expect(line).not.toHaveProperty('rateMaxPerS');
});

test('options of the search, the load, the workload and the target, in any order', async () => {
  const line = await read(
    'search --repeats=5 --mysql-host=db1 tpcc --scale 4 --limit mean(new_order)<5ms --rate-max=900 --rate-min 10 --precision=10 --threads=8 --time=30 --warmup-time=0 run',
  );
  expect(line).toMatchObject({
    limit: { metric: 'mean(new_order)', below: 5 },
    precisionShare: 0.1,
    repeats: 5,
    rateMinPerS: 10,
    rateMaxPerS: 900,
    load: {
      found: { name: 'tpcc' },
      load: { threads: 8, time: 30, warmup_time: 0 },
      workload: { scale: 4 },
      target: { mysql_host: ['db1'] },
    },
  });
});

test('help, however it is asked for', async () => {
  for (const line of ['search', 'search help', 'search oltp_read_write --help']) {
    expect(await read(line)).toBeUndefined();
  }
});

describe.each([
  { line: 'search oltp_read_write', says: /What must be kept is not said/ },
  { line: 'search oltp_read_write --limit=p99>3ms', says: /is no limit/ },
  { line: 'search oltp_read_write --limit=p99<3ms --rate=5', says: /--rate does not go with a search/ },
  { line: 'search oltp_read_write --limit=p99<3ms --terminals=5', says: /--terminals does not go with a search/ },
  { line: 'search oltp_read_write --limit=p99<3ms --events=5', says: /--events does not go with a search/ },
  { line: 'search oltp_read_write --limit=p99<3ms --time=0', says: /each run needs an end/ },
  { line: 'search oltp_read_write --limit=p99<3ms prepare', says: /consists of runs.*'prepare'/ },
  { line: 'search oltp_read_write --limit=p99<3ms --precision=0.5%', says: /--precision=0\.5% is no share/ },
  { line: 'search oltp_read_write --limit=p99<3ms --precision=close', says: /--precision=close is no share/ },
  { line: 'search oltp_read_write --limit=p99<3ms --rate-min=9 --rate-max=9', says: /--rate-min=9 is not below/ },
  { line: 'search oltp_read_write --limit=p99<3ms --rate-max=0.001', says: /--rate-max=0\.001 is less than/ },
  { line: 'search oltp_read_write --limit=p99<3ms --repeats=0', says: /--repeats must be/ },
  { line: 'search slap --limit=p99<3ms', says: /slap does a fixed piece of work/ },
])('$line', ({ line, says }) => {
  test('is refused', async () => {
    const error = await read(line).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(ProblemsError);
    expect((error as ProblemsError).problems.map(({ is, remedy = '' }) => `${is} ${remedy}`).join('\n')).toMatch(says);
  });
});
