import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withoutStartingServices } from './services.mjs';

let folder: string;
let policy: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqldyno-test-policy-'));
  policy = join(folder, 'policy-rc.d');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ask = async (): Promise<number | null> => spawnSync(policy, ['ssh', 'start']).status;
const ALLOW = '#!/bin/sh\nexit 0\n';

test('every start is forbidden meanwhile, and nothing is left of that', async () => {
  expect(await withoutStartingServices(ask, policy)).toBe(101);
  expect(readdirSync(folder)).toEqual([]);
});

test('the policy that was there is put back as it was, after a failure too', async () => {
  writeFileSync(policy, ALLOW);
  chmodSync(policy, 0o700);
  const failing = async () => {
    expect(await ask()).toBe(101);
    throw new Error('no such package');
  };
  await expect(withoutStartingServices(failing, policy)).rejects.toThrow('no such package');
  expect(readFileSync(policy, 'utf8')).toBe(ALLOW);
  expect(statSync(policy).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toEqual(['policy-rc.d']);
});

test.each([
  { because: 'there was one', before: ALLOW, left: ['policy-rc.d'] },
  { because: 'there was none', before: undefined, left: [] },
])('what was killed in the middle is put right by the next: $because', async ({ before, left }) => {
  if (before !== undefined) writeFileSync(policy, before);
  // Never ends, as far as this test goes.
  void withoutStartingServices(() => new Promise(() => {}), policy);
  expect(await ask()).toBe(101);
  expect(await withoutStartingServices(ask, policy)).toBe(101);
  expect(readdirSync(folder)).toEqual(left);
  if (before !== undefined) expect(readFileSync(policy, 'utf8')).toBe(before);
});
