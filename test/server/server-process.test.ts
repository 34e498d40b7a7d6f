/** The process of a server on this machine, found by asking the server alone. */
import { expect, test } from 'vitest';
import { findServerProcess } from '../../src/observe/server-process.ts';
import { connect } from '../../src/wire/connection.ts';
import { startTestBench } from '../support/lab.ts';

test.skipIf(process.platform !== 'linux')('of two that were started together (/proc), each is found', async () => {
  await using one = await startTestBench();
  await using other = await startTestBench();
  for (const bench of [one, other]) {
    await using connection = await connect(bench.target);
    const found = await findServerProcess(connection);
    expect(found?.pid).toBe(bench.server.pid);
    const before = found?.cpuS() ?? Number.NaN;
    await connection.execute('SELECT BENCHMARK(20000000, 1 + 1)');
    expect(found?.cpuS()).toBeGreaterThan(before);
  }
});

test.skipIf(process.platform !== 'linux')('one that has ended has no CPU time (/proc)', async () => {
  const bench = await startTestBench();
  const connection = await connect(bench.target);
  const found = await findServerProcess(connection);
  await connection.close();
  await bench[Symbol.asyncDispose]();
  expect(found?.cpuS()).toBeUndefined();
});
