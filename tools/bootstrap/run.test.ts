import { expect, test } from 'vitest';
import { Interrupted, runQuietly } from './run.mjs';

const here = { cwd: process.cwd() };

test('a program that ends gives its exit code and what it printed', async () => {
  const script = "console.log('out'); console.error('err'); process.exitCode = 3";
  const { code, output } = await runQuietly(process.execPath, ['-e', script], here);
  expect(code).toBe(3);
  expect(output).toContain('out');
  expect(output).toContain('err');
});

test('a program that is not there is a failure, not a crash', async () => {
  expect(await runQuietly('no-such-program-here', [], here)).toMatchObject({ code: 1 });
});

test('a kill is passed on, and waited for', async () => {
  const before = process.listenerCount('SIGTERM');
  const running = runQuietly(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], here);
  process.emit('SIGTERM', 'SIGTERM');
  const error = await running.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Interrupted);
  expect(error).toMatchObject({ exitCode: 143 });
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
