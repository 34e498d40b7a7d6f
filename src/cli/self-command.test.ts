import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { selfCommand } from './self-command.ts';

const scratch = scratchDirectories();

let directory: string;
let main: string;

beforeAll(() => {
  directory = scratch();
  mkdirSync(join(directory, 'bin'));
  main = join(directory, 'main.js');
  writeFileSync(main, '');
  symlinkSync(main, join(directory, 'bin', 'sqldyno'));
});

test('the name alone, where the shell finds this very program by it', () => {
  expect(selfCommand({ PATH: join(directory, 'bin') }, main)).toBe('sqldyno');
});

test('the way to it, where the name is another program or none', () => {
  const other = scratch();
  writeFileSync(join(other, 'sqldyno'), '');
  for (const PATH of [other, '']) {
    expect(selfCommand({ PATH, INIT_CWD: directory }, main)).toBe('node main.js');
  }
});

test("the way to it inside npm, whose PATH is not the user's, from where npm was started", () => {
  const environment = {
    PATH: join(directory, 'bin'),
    npm_lifecycle_event: 'quickstart',
    INIT_CWD: join(directory, 'bin'),
  };
  expect(selfCommand(environment, main)).toBe('node ../main.js');
});
