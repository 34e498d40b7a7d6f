/** Whatever help is asked for: on a terminal of 80 columns no line is wider, but for what nobody may break. */
import { expect, test } from 'vitest';
import { doctorHelp } from '../src/cli/doctor-line.ts';
import { hostTestHelp } from '../src/cli/host-test-help.ts';
import { NAMED_COMMANDS, runProgram } from '../src/cli/program.ts';
import type { Session } from '../src/cli/session.ts';
import { workloadHelp } from '../src/cli/workload-help.ts';
import { hostTest } from '../src/machine/host-tests.ts';
import { HOST_TEST_NAMES } from '../src/model/host-test.ts';
import { loadWorkload, workloadNames } from '../src/workload/find.ts';

const COLUMNS = 80;

async function helpOf(...args: string[]): Promise<string> {
  const said: string[] = [];
  const terminal = { columns: COLUMNS, say: (text: string) => said.push(text), warn: () => {} };
  const world = { workloadNames: workloadNames(), loadWorkload, readText: () => '' };
  await runProgram([...args, '--help'], { terminal } as unknown as Session, world).catch(() => {});
  return said.join('\n');
}

/** An example is copied whole; a word cannot be broken. */
function tooWide(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.length > COLUMNS && !/^ +sqldyno /.test(line) && line.trim().includes(' '));
}

test.each([[], ...NAMED_COMMANDS.filter((name) => name !== 'help').map((name) => [name])])('%s', async (...args) => {
  const text = await helpOf(...args);
  expect(text.length).toBeGreaterThan(50);
  expect(tooWide(text)).toEqual([]);
});

test('the text of doctor, however it is asked for', () => {
  expect(tooWide(doctorHelp(COLUMNS))).toEqual([]);
});

test.each(workloadNames())('%s', async (name) => {
  expect(tooWide(workloadHelp(await loadWorkload(name), COLUMNS))).toEqual([]);
});

test.each(HOST_TEST_NAMES)('%s', (name) => {
  expect(tooWide(hostTestHelp(hostTest(name), COLUMNS))).toEqual([]);
});
