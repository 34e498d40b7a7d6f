import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { identityOf, stateOf } from './process-identity.ts';

test('this process is running, and the same each time it is asked', () => {
  const identity = identityOf(process.pid);
  expect(identity).toBeDefined();
  expect(identityOf(process.pid)).toEqual(identity);
  expect(identity && stateOf(identity)).toBe('running');
});

test('an ended process is gone, also before anybody has waited for it', async () => {
  const child = spawn('sleep', ['60']);
  const identity = identityOf(child.pid ?? 0);
  expect(identity && stateOf(identity)).toBe('running');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(identity && stateOf(identity)).toBe('gone');
});

test('a later process of the same number is not the one that was named', () => {
  const identity = identityOf(process.pid);
  expect(identity && stateOf({ ...identity, startedAt: 'another boot 12345' })).toBe('gone');
});

test('a number of another host means nothing here', () => {
  const identity = identityOf(process.pid);
  expect(identity && stateOf({ ...identity, place: 'elsewhere pid:[1]' })).toBe('unknown');
});
