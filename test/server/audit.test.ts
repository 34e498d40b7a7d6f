/** `sqldyno audit` as a process: exit codes, stdin, JSON, and texts that nobody would call a report. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { auditSchema } from '../../src/model/audit-schema.ts';
import { runCli, startCli } from '../support/cli.ts';
import { foreignOutput } from '../support/foreign-output.ts';
import { scratchDirectories } from '../support/scratch.ts';

const scratch = scratchDirectories();
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/foreign-output/${name}`, import.meta.url));

test.each([
  { name: 'sysbench-1.0-histogram.txt', code: 0, verdict: /^Nothing contradicts itself/ },
  { name: 'four-volumes.txt', code: 4, verdict: /^The figures do not hold together: 12 rules fail/ },
])('$name: exit $code', async ({ name, code, verdict }) => {
  const result = await runCli(['audit', fixture(name)], { store: scratch() });
  expect(result).toMatchObject({ code, stderr: '' });
  expect(result.stdout).toMatch(verdict);
});

test('what is piped is read from -, and --json is the record of the schema', async () => {
  const { child, ended } = startCli(['audit', '-', '--json'], { store: scratch() });
  child.stdin.end(foreignOutput('four-volumes.md'));
  const { code, stdout } = await ended;
  expect(code).toBe(4);
  expect(auditSchema.parse(JSON.parse(stdout)).results).toHaveLength(4);
});

const MIB = 2 ** 20;
test.each([
  { of: 'nothing', content: '', says: /No results of a benchmark were found/ },
  { of: 'prose', content: 'It was fast.\n'.repeat(1000), says: /No results of a benchmark were found/ },
  { of: '10 MiB of noise', content: randomBytes(10 * MIB), says: /This is no text/ },
  { of: '10 MiB without a line end', content: 'x'.repeat(10 * MIB), says: /No results of a benchmark were found/ },
  { of: '33 MiB', content: 'read: 1\n'.repeat(33 * (MIB / 8)), says: /is longer than 32\.0 MiB/ },
])('$of: a sentence, and exit 1', async ({ content, says }) => {
  const path = join(scratch(), 'text');
  writeFileSync(path, content);
  const { code, stderr, stdout } = await runCli(['audit', path], { store: scratch() });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(says);
  expect(stderr).not.toContain('mistake in sqldyno');
});

test('a file that is not there, a directory, and no file named', async () => {
  for (const args of [['audit', join(scratch(), 'none')], ['audit', scratch()], ['audit']]) {
    const { code, stderr } = await runCli(args, { store: scratch() });
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be read|missing required argument/i);
  }
});
