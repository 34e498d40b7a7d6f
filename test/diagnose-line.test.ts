/** `sqldyno diagnose`: its command line, and what it says of experiments that were cut off. */
import { describe, expect, test } from 'vitest';
import { diagnoseHelp, readDiagnoseLine } from '../src/cli/diagnose-line.ts';
import { leftoverLines } from '../src/cli/leftovers-text.ts';
import { ProblemsError } from '../src/cli/problems.ts';
import type { Leftover } from '../src/lab/knob-leftovers.ts';

function read(line: string) {
  return readDiagnoseLine(line.split(' ').filter((word) => word !== ''));
}

function problemsOf(line: string): string[] {
  try {
    read(line);
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems.map(({ is }) => is);
    throw error;
  }
  return [];
}

describe('what is meant', () => {
  test.each([
    { line: 'diagnose', run: undefined, probe: false },
    { line: 'diagnose k3f9', run: 'k3f9', probe: false },
    { line: '--store=/s diagnose ./runs/x --json', run: './runs/x', probe: false },
    { line: 'diagnose --probe latest', run: 'latest', probe: true },
    { line: 'diagnose mysql://ben@db1/shop k3f9 --probe', run: 'k3f9', probe: true },
    { line: 'diagnose --probe --pairs 5 --time 20 k3f9', run: 'k3f9', probe: true },
  ])('$line', ({ line, run, probe }) => {
    expect(read(line)).toMatchObject({ options: { probe }, wantsHelp: false });
    expect(read(line).run).toBe(run);
  });

  test.each([
    { line: 'diagnose --probe', namesServer: false },
    { line: 'diagnose --probe --server=bench', namesServer: false },
    { line: 'diagnose --probe --mysql-db=other', namesServer: false },
    { line: 'diagnose --probe --mysql-host=db1', namesServer: true },
    { line: 'diagnose --probe mysql://ben@db1', namesServer: true },
  ])('$line: a server is named: $namesServer', ({ line, namesServer }) => {
    expect(read(line).namesServer).toBe(namesServer);
  });

  test('without more, three pairs of eight seconds, and nothing of a server that others use is changed', () => {
    expect(read('diagnose --probe').options).toMatchObject({
      verdict: '',
      pairs: 3,
      time: 8,
      allow_settings: false,
    });
  });
});

describe('what is wrong', () => {
  test.each([
    { line: 'diagnose one two', says: "'two' is one word too many." },
    { line: 'diagnose --probe --pairs=1', says: '--pairs must be a whole number from 2 to 30' },
    { line: 'diagnose --probe --time=0', says: '--time must be a number from 0.5' },
    { line: 'diagnose --verdict=commit', says: '--verdict: nothing is tried without --probe.' },
    {
      line: 'diagnose --allow-settings --pairs=4',
      says: '--pairs, --allow-settings: nothing is tried without --probe.',
    },
    { line: 'diagnose --prob', says: 'Unknown option --prob.' },
  ])('$line', ({ line, says }) => {
    expect(problemsOf(line)).toEqual([expect.stringContaining(says)]);
  });

  test('help is given whatever else is written', () => {
    expect(read('diagnose help').wantsHelp).toBe(true);
    expect(read('diagnose --nonsense --help').wantsHelp).toBe(true);
    expect(diagnoseHelp(100)).toMatch(/--allow-settings/);
  });
});

describe('what is said of an experiment that was cut off', () => {
  const leftover: Omit<Leftover, 'is'> = {
    path: '/s/changed-settings/1-a.json',
    address: 'db1:3306',
    since: '2026-11-30T16:35:12.000Z',
    sql: ['SET GLOBAL sync_binlog = 1', 'SET GLOBAL innodb_flush_log_at_trx_commit = 1'],
    notes: ['sync_binlog is 7 now.'],
  };
  const statements = ['    SET GLOBAL sync_binlog = 1;', '    SET GLOBAL innodb_flush_log_at_trx_commit = 1;'];

  test.each([
    { is: 'restored', says: [/put back/, /is 7 now/], tellsSql: true },
    { is: 'gone', says: [/has ended since/], tellsSql: false },
    { is: 'unreachable', says: [/still so/, /--mysql-host/, /1-a\.json/], tellsSql: true },
    { is: 'elsewhere', says: [/may still go on/, /delete .*1-a\.json/], tellsSql: true },
  ] as const)('$is', ({ is, says, tellsSql }) => {
    const lines = leftoverLines({ ...leftover, is });
    for (const each of says) expect(lines.join('\n')).toMatch(each);
    expect(lines.join('\n')).toContain('db1:3306');
    expect(lines.filter((line) => statements.includes(line))).toEqual(tellsSql ? statements : []);
  });
});
