import { expect, test } from 'vitest';
import { machineHelp, readMachineLine } from './machine-line.ts';
import { ProblemsError } from './problems.ts';

function read(line: string) {
  return readMachineLine(line.split(' ').filter((word) => word !== ''));
}

test.each([
  { line: 'machine', action: { is: 'measure' } },
  { line: 'machine list', action: { is: 'list' } },
  { line: 'machine show', action: { is: 'show', card: 'latest' } },
  { line: 'machine show k3f9 --compare=board', action: { is: 'show', card: 'k3f9' } },
  { line: '--json machine show', action: { is: 'show', card: 'latest' } },
  { line: 'machine help', action: { is: 'help' } },
])('$line', ({ line, action }) => {
  expect(read(line).action).toEqual(action);
});

test.each([
  { line: 'machine', timeS: 30, because: 'the default' },
  { line: 'machine --quick', timeS: 5, because: 'quick is shorter' },
  { line: 'machine --quick --seconds=20', timeS: 20, because: 'but what is said holds' },
])('$line takes $timeS s: $because', ({ line, timeS }) => {
  expect(read(line).timeS).toBe(timeS);
});

test.each([
  { line: 'machine', hasTarget: false, because: 'nothing names one' },
  { line: 'machine --mysql-db=x', hasTarget: false, because: 'a database is no server' },
  { line: 'machine --mysql-host=db1', hasTarget: true, because: 'a host' },
  { line: 'machine mysql://ben@db1/', hasTarget: true, because: 'a URL' },
  { line: 'machine --server=default', hasTarget: true, because: 'a private server' },
])('$line has a target: $hasTarget, $because', ({ line, hasTarget }) => {
  expect(read(line).hasTarget).toBe(hasTarget);
});

test.each([
  { line: 'machine shwo', is: /'shwo' is no command of machine/, remedy: /Did you mean show/ },
  { line: 'machine list all', is: /'all' is one word too many/ },
  { line: 'machine show a b', is: /'b' is one word too many/ },
  { line: 'machine --seconds=0', is: /^--seconds must be a number from 0\.1/ },
  { line: 'machine --file-engine=dd', is: /^--file-engine must be one of auto, fio, sqldyno/ },
  { line: 'machine --treads=2', is: /^Unknown option --treads/, remedy: /machine --help/ },
])('$line is refused: $is', ({ line, is, remedy }) => {
  let problems: ProblemsError['problems'] = [];
  try {
    read(line);
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    problems = error.problems;
  }
  expect(problems[0]?.is).toMatch(is);
  if (remedy !== undefined) expect(problems[0]?.remedy).toMatch(remedy);
});

test('the help has every option of its own, and those of the target', () => {
  const help = machineHelp(80);
  for (const name of ['--file-dir=DIR', '--quick', '--compare=', '--mysql-host=', '--json']) {
    expect(help).toContain(name);
  }
});
