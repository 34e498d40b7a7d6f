import { describe, expect, test } from 'vitest';
import { createRandom } from '../../base/random.ts';
import { ServerError } from '../../wire/errors.ts';
import type { SqlParameter, SqlValue } from '../../wire/types.ts';
import { readScript } from './read-script.ts';
import { bindScript } from './run-script.ts';
import { StatementNames } from './statement-names.ts';

interface Ran {
  readonly sent: readonly (readonly [sql: string, ...values: SqlParameter[]])[];
  readonly pausesMs: readonly number[];
  readonly outcome: 'rolled back' | undefined;
}

type Rows = readonly (readonly SqlValue[])[];

const DEADLOCK = new ServerError({ code: 1213, sqlState: '40001', symbol: 'ER_LOCK_DEADLOCK', message: 'Deadlock.' });

/** Runs the script once for each event, without a server. */
async function ran(text: string, { rows = [[1]] as Rows, events = [0], seed = 1, refused = '' } = {}): Promise<Ran> {
  const settings = { defines: new Map(), names: new StatementNames(), wraps: false, isSetup: false };
  const { script, problems } = readScript({ file: 'a.sql', text }, settings);
  expect(problems).toEqual([]);
  const sent: [string, ...SqlParameter[]][] = [];
  const pausesMs: number[] = [];
  const random = createRandom(0);
  const run = await bindScript(script!, {
    random,
    pause: async (ms) => {
      pausesMs.push(ms);
    },
    statement: async ({ sql }) => ({
      run: async (parameters) => {
        if (sql === refused) throw DEADLOCK;
        return sent.push([sql, ...parameters]);
      },
      rows: async (parameters) => {
        if (sql === refused) throw DEADLOCK;
        sent.push([sql, ...parameters]);
        return rows;
      },
    }),
  });
  let outcome: Ran['outcome'];
  for (const event of events) {
    random.restart(seed, event);
    outcome = await run(event);
  }
  return { sent, pausesMs, outcome };
}

test('variables are values of statements, of whatever type', async () => {
  const text = "\\set n 2\n\\set d 1 / 4.0\n\\set t 'it''s :n'\n\\set b :n > 1\nSELECT :n, :d, :t, :b, :event;";
  expect((await ran(text, { events: [5] })).sent).toEqual([['SELECT ?, ?, ?, ?, ?', 2, 0.25, "it's :n", true, 5]]);
});

test('an event finds nothing of the one before it', async () => {
  const text = '-- define: n = 1\nSELECT :n;\n\\set n :n + 1\nSELECT :n;';
  expect((await ran(text, { events: [0, 1] })).sent.map(([, value]) => value)).toEqual([1, 2, 1, 2]);
});

test('the same event draws the same, whatever ran before it', async () => {
  const text = 'SELECT :a, :z, :t;'.replace(
    /^/,
    "\\set a random(1, 1000000)\n\\set z random_zipfian(1, 1000, 1.1)\n\\set t random_text('@@@')\n",
  );
  const one = await ran(text, { events: [7] });
  expect((await ran(text, { events: [3, 8, 7] })).sent.at(-1)).toEqual(one.sent[0]);
  expect((await ran(text, { events: [8] })).sent).not.toEqual(one.sent);
});

test.each([
  { refused: 'UPDATE t SET a = 1', place: 'a.sql:2:1', because: 'a statement' },
  { refused: 'SELECT 5', place: 'a.sql:3:1', because: 'one whose row is taken' },
  { refused: 'DELETE FROM t', place: 'a.sql:5:1', because: 'one within a condition' },
  { refused: 'COMMIT', place: 'a.sql:7:1', because: 'the end of a transaction' },
])('an error of the server says where it arose, and stays one: $because', async ({ refused, place }) => {
  const text = 'BEGIN;\nUPDATE t SET a = 1;\nSELECT 5 \\gset n\n\\if :n > 0\nDELETE FROM t;\n\\endif\nCOMMIT;';
  const error = await ran(text, { refused }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServerError);
  expect(error).toMatchObject({ code: 1213, sqlState: '40001', message: `${place}: Deadlock.` });
});

describe('conditions', () => {
  const text =
    '\\if :event < 2\nSELECT 1;\n\\elif :event = 2\n\\else\n\\if :event = 3\nSELECT 3;\n\\endif\nSELECT 4;\n\\endif';
  test.each([
    { event: 0, sent: ['SELECT 1'], because: 'the first that holds' },
    { event: 2, sent: [], because: 'a branch may be empty' },
    { event: 3, sent: ['SELECT 3', 'SELECT 4'], because: 'one within another' },
    { event: 4, sent: ['SELECT 4'], because: 'none holds' },
  ])('event $event: $because', async ({ event, sent }) => {
    expect((await ran(text, { events: [event] })).sent.map(([sql]) => sql)).toEqual(sent);
  });
});

describe('results', () => {
  test('go into variables by their columns, as they are', async () => {
    const rows = [['12.50', null, 9_007_199_254_740_993n]];
    const { sent } = await ran('SELECT x \\gset a b c\nSELECT :a, :b, :c, :a * 2;'.replace(', :a * 2', ''), { rows });
    expect(sent[1]).toEqual(['SELECT ?, ?, ?', '12.50', null, 9_007_199_254_740_993n]);
  });

  test.each([
    { rows: [], is: 'a.sql:1:1: \\gset takes one row, and the statement returned 0.' },
    { rows: [[1], [2]], is: 'a.sql:1:1: \\gset takes one row, and the statement returned 2.' },
    { rows: [[1, 2]], is: 'a.sql:1:1: \\gset names 1 variables, and the statement returned 2 columns.' },
  ])('$is', async ({ rows, is }) => {
    await expect(ran('SELECT x \\gset a', { rows })).rejects.toMatchObject({
      message: is,
      hint: expect.stringMatching(/\S/),
    });
  });

  test('a value that cannot be computed with is told with its place', async () => {
    const text = 'SELECT x \\gset a\n\\set b :a + 1';
    await expect(ran(text, { rows: [['much']] })).rejects.toThrow("a.sql:2:1: 'much' is no number.");
  });
});

test('pauses are in milliseconds', async () => {
  const text = '\\set n 3\n\\sleep 2\n\\sleep 5ms\n\\sleep :n ms\n\\sleep :n * 100 us\n\\sleep -1 s\n';
  expect((await ran(text)).pausesMs).toEqual([2000, 5, 3, 0.3, 0]);
});

test.each([
  { text: 'BEGIN; ROLLBACK;', outcome: 'rolled back' },
  { text: 'BEGIN; COMMIT;', outcome: undefined },
  { text: 'BEGIN; ROLLBACK; BEGIN; COMMIT;', outcome: undefined },
  { text: 'BEGIN; SAVEPOINT a; ROLLBACK TO a; COMMIT;', outcome: undefined },
  { text: 'SELECT 1;', outcome: undefined },
])('$text ends $outcome', async ({ text, outcome }) => {
  expect((await ran(text)).outcome).toBe(outcome);
});
