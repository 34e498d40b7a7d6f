/** Workloads of one's own, in files far from the package: written, run and judged by the built program. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { type CliResult, runCli } from '../support/cli.ts';

let directory: string;
let store: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'sqldyno-test-own-'));
  store = join(directory, 'store');
});

afterAll(async () => {
  await runCli(['server', 'stop', '--rm'], { store });
  rmSync(directory, { recursive: true, force: true });
});

function cli(...args: readonly string[]): Promise<CliResult> {
  return runCli(args, { store, cwd: directory });
}

function file(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return `./${name}`;
}

describe('sqldyno new workload', () => {
  test('writes a file that runs as it stands', async () => {
    expect(await cli('new', 'workload', 'order')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^order\.ts is written/),
    });
    expect(await cli('./order.ts', '--rows=50', 'prepare')).toMatchObject({ code: 0 });
    const result = await cli('./order.ts', '--rows=50', '--threads=3', '--events=120', 'run');
    expect(result, result.stderr).toMatchObject({ code: 0 });
    expect(await openStore(store).load('latest')).toMatchObject({
      workload: { name: 'order', options: { rows: 50 } },
      totals: { transactions: { byName: { read_and_hit: 120 } } },
      crossCheck: { is: 'done', ok: true },
    });
    expect(await cli('./order.ts', 'cleanup')).toMatchObject({ code: 0 });
  });

  test('writes over nothing', async () => {
    file('mine.ts', 'precious');
    expect(await cli('new', 'workload', 'mine')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/mine\.ts exists already/),
    });
    expect(readFileSync(join(directory, 'mine.ts'), 'utf8')).toBe('precious');
  });

  test.each(['../up', 'Capital', '1st', 'a'.repeat(41)])('%s is no name', async (name) => {
    expect(await cli('new', 'workload', name)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is no name for a workload/),
    });
    expect(existsSync(join(directory, `${name}.ts`))).toBe(false);
  });
});

/** In two files, with types throughout, and with a class of ours that must be the very one that the engine knows. */
const HELPER = `
export interface Row { readonly id: number; readonly hits: number }
export const rowOf = (id: number): Row => ({ id, hits: 0 });
`;
const WORKLOAD = `
import { choice, defineWorkload, integer, ValidationError, type SessionContext } from 'sqldyno';
import { type Row, rowOf } from './rows.ts';

const OPTIONS = {
  rows: integer({ default: 20, min: 1, help: 'rows in the table' }),
  lock: choice({ default: 'none', choices: ['none', 'update'], help: 'how rows are read' }),
};

export default defineWorkload({
  summary: 'Rows are read and counted up, by a workload that lies elsewhere.',
  options: OPTIONS,
  needs: ({ rows }) => ({
    statementsPerSession: 2,
    writes: true,
    tables: [{ name: 'own_rows', columns: { id: 'int', hits: 'int' }, rowsMin: rows }],
  }),
  async prepare({ connect, options }) {
    const connection = await connect();
    try {
      await connection.execute('CREATE TABLE own_rows (id INT PRIMARY KEY, hits INT NOT NULL)');
      for (let id = 1; id <= options.rows; id++) {
        const row: Row = rowOf(id);
        await connection.execute(\`INSERT INTO own_rows VALUES (\${row.id}, \${row.hits})\`);
      }
    } finally {
      await connection.close();
    }
  },
  async cleanup({ connect }) {
    const connection = await connect();
    try {
      await connection.execute('DROP TABLE own_rows');
    } finally {
      await connection.close();
    }
  },
  async session({ connection, options, random, validate }: SessionContext<typeof OPTIONS>) {
    const lock = options.lock === 'update' ? ' FOR UPDATE' : '';
    const read = await connection.statement('read', 'read', \`SELECT hits FROM own_rows WHERE id = ?\${lock}\`);
    const hit = await connection.statement('hit', 'write', 'UPDATE own_rows SET hits = hits + 1 WHERE id = ?');
    return {
      look: {
        weight: 3,
        async run() {
          const rows = await read.rows([random.integer(1, options.rows)]);
          if (validate && rows.length > 0) throw new ValidationError('a row is there, which this test calls wrong');
        },
      },
      hit: {
        weight: 1,
        async run() {
          await hit.run([random.integer(1, options.rows)]);
        },
      },
    };
  },
});
`;

test('a file of TypeScript with another beside it runs on one worker thread and on two, alike', async () => {
  file('rows.ts', HELPER);
  const own = file('own.ts', WORKLOAD);
  expect((await cli(own, 'help')).stdout).toMatch(/--lock=none\|update +how rows are read \[none\]/);
  const prepared = await cli(own, '--rows=30', 'prepare');
  expect(prepared, prepared.stderr).toMatchObject({ code: 0 });
  const byName: unknown[] = [];
  for (const workers of [1, 2]) {
    const load = ['--rows=30', '--lock=update', '--threads=4', `--workers=${workers}`, '--events=300', '--rand-seed=5'];
    const result = await cli(own, ...load, 'run');
    expect(result, result.stderr).toMatchObject({ code: 0 });
    const record = await openStore(store).load('latest');
    expect(record).toMatchObject({
      workload: { name: 'own', options: { rows: 30, lock: 'update' } },
      load: { workers },
      crossCheck: { is: 'done', ok: true },
    });
    byName.push(record.totals.transactions.byName);
  }
  expect(byName[0]).toEqual(byName[1]);
  const checked = await cli(own, '--rows=30', '--threads=2', '--workers=2', '--validate', '--events=20', 'run');
  expect(checked).toMatchObject({ code: 4 });
  expect(await cli(own, 'cleanup')).toMatchObject({ code: 0 });
});

test('a module of JavaScript imports it as well', async () => {
  const own = file(
    'plain.mjs',
    "import { defineWorkload, flag } from 'sqldyno';\nexport default defineWorkload({ summary: 'Plain.', options: { on: flag({ default: false, help: 'switch it on' }) }, needs: () => ({}), session: async () => ({}) });",
  );
  expect((await cli(own, 'help')).stdout).toMatch(/--on\[=on\|off\] +switch it on/);
});

test.each([
  {
    name: 'syntax.ts',
    text: "import { integer } from 'sqldyno';\nconst a: number = ;\n",
    says: /syntax\.ts:2:19: Expression expected\./,
    remedy: '',
  },
  {
    name: 'enum.ts',
    text: 'enum A { B }\nexport default A;',
    says: /enum\.ts:1:1: .*enum/,
    remedy: 'Types are erased and nothing is translated',
  },
  { name: 'syntax.mjs', text: 'export default {\n  a,,\n};', says: /syntax\.mjs:2:5: Unexpected token/, remedy: '' },
  {
    name: 'typo.ts',
    text: "import { defineWorklaod } from 'sqldyno';\nexport default defineWorklaod;",
    says: /typo\.ts(?::1)?: .*'defineWorklaod'/,
    remedy: "What 'sqldyno' exports is in docs/workloads.md",
  },
  {
    name: 'lost.ts',
    text: "import { a } from './lost-rows';\nexport default a;",
    says: /Cannot find module .*lost-rows/,
    remedy: 'with its ending',
  },
  {
    name: 'package.ts',
    text: "import a from 'no-such-package-here';\nexport default a;",
    says: /Cannot find package 'no-such-package-here'/,
    remedy: 'install it there',
  },
  {
    name: 'throws.ts',
    text: 'const a: number = 1;\nnoSuchThing(a);\nexport default a;',
    says: /throws\.ts:2: ReferenceError: noSuchThing is not defined/,
    remedy: '',
  },
  {
    name: 'other.ts',
    text: 'export default { summary: "Mine." };',
    says: /other\.ts is not a workload: it has no options/,
    remedy: 'export default defineWorkload',
  },
])('$name is refused with its place', async ({ name, text, says, remedy }) => {
  const result = await cli(file(name, text), 'run');
  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toMatch(says);
  expect(result.stderr).toContain(remedy);
});
