import { describe, expect, test } from 'vitest';
import { type AccountSnapshot, accountBetween, type Tally, type TextTally, withoutLiterals } from './account.ts';

const MS = 1e6;

function tally(count: number, timeMs = count, more: Partial<Tally> = {}): Tally {
  const none = { errors: 0, rowsExamined: 0, rowsSent: 0, temporaryTables: 0, temporaryDiskTables: 0 };
  return { count, timeNs: timeMs * MS, ...none, ...more };
}

function said(text: string, counted: Tally): TextTally {
  return { ...counted, text, database: 'sbtest' };
}

interface Counted {
  readonly kinds?: Readonly<Record<string, Tally>>;
  readonly digests?: Readonly<Record<string, TextTally>>;
  readonly prepared?: Readonly<Record<string, TextTally>>;
  readonly waits?: Readonly<Record<string, { readonly count: number; readonly timeNs: number }>>;
}

function snapshot(atMs: number, { kinds = {}, digests = {}, prepared = {}, waits = {} }: Counted): AccountSnapshot {
  const map = <T>(values: Readonly<Record<string, T>>) => new Map(Object.entries(values));
  return {
    atMs,
    kinds: map(kinds),
    digests: map(digests),
    prepared: map(prepared),
    waits: map(waits),
    stages: new Map(),
  };
}

const BEFORE = snapshot(1_000, {
  kinds: { 'statement/sql/select': tally(5) },
  digests: { a: said('SELECT ?', tally(5)) },
  waits: { 'wait/io/file/sql/binlog': { count: 5, timeNs: 5 * MS }, 'wait/lock/table': { count: 1, timeNs: 1 } },
});

test('what was counted is the difference, and the longest stands first', () => {
  const account = accountBetween(
    BEFORE,
    snapshot(3_500, {
      kinds: { 'statement/sql/select': tally(25, 105), 'statement/sql/commit': tally(3, 900) },
      digests: {
        a: said('SELECT ?', tally(25, 105, { rowsExamined: 40, rowsSent: 20, temporaryTables: 2, errors: 1 })),
        b: said('COMMIT', tally(3, 900)),
      },
      waits: {
        'wait/lock/table': { count: 1, timeNs: 1 },
        'wait/io/file/sql/binlog': { count: 8, timeNs: 905 * MS },
        'wait/io/table': { count: 20, timeNs: 40 * MS },
      },
    }),
  );
  expect(account).toEqual({
    elapsedS: 2.5,
    statements: [
      { ...of('text', 'COMMIT', 3, 0.9) },
      { ...of('text', 'SELECT ?', 20, 0.1), rowsExamined: 40, rowsSent: 20, temporaryTables: 2, errors: 1 },
    ],
    waits: [
      { event: 'wait/io/file/sql/binlog', count: 3, timeS: 0.9 },
      { event: 'wait/io/table', count: 20, timeS: 0.04 },
    ],
    stages: [],
  });
});

function of(kind: string, text: string | undefined, count: number, timeS: number) {
  const none = { errors: 0, rowsExamined: 0, rowsSent: 0, temporaryTables: 0, temporaryDiskTables: 0 };
  const named = text === undefined ? {} : { text };
  return { of: kind, ...named, ...(kind === 'text' ? { database: 'sbtest' } : {}), count, timeS, ...none };
}

describe('executions of prepared statements', () => {
  const kinds = { 'statement/com/Execute': tally(100), 'statement/sql/select': tally(5) };
  const one: TextTally = { ...tally(60), text: 'SELECT c FROM t WHERE id=?' };

  test.each([
    {
      because: 'a server that counts them by text',
      prepared: { a: { ...one, count: 100, timeNs: 100 * MS } },
      wanted: [['prepared', 100]],
    },
    {
      because: 'some were made by sessions that are gone',
      prepared: { a: one },
      wanted: [
        ['prepared', 60],
        ['prepared-any', 40],
      ],
    },
    {
      because: 'the server knows the texts and counts nothing by them',
      prepared: { a: { ...one, ...tally(0) } },
      wanted: [['prepared-any', 100]],
    },
  ])('$because', ({ prepared, wanted }) => {
    const account = accountBetween(BEFORE, snapshot(2_000, { kinds, digests: {}, prepared }))!;
    expect(account.statements.map(({ of, count }) => [of, count])).toEqual(wanted);
  });

  test('are not told twice where digests have them too', () => {
    const digests = { p: said('SELECT `c` FROM `t` WHERE `id` = ?', tally(100)) };
    const account = accountBetween(BEFORE, snapshot(2_000, { kinds, digests, prepared: { a: one } }))!;
    expect(account.statements.map(({ of, count }) => [of, count])).toEqual([['text', 100]]);
  });
});

describe('what is left over', () => {
  test('is what the observer did not ask, and has no text of its own', () => {
    const own = said('SHOW GLOBAL STATUS ', tally(30));
    const look = said('SELECT `EVENT_NAME` FROM `performance_schema` . `events`', tally(4));
    const theirs = said('SHOW GLOBAL STATUS LIKE ?', tally(2));
    const account = accountBetween(
      BEFORE,
      snapshot(2_000, {
        kinds: {
          'statement/sql/select': tally(9),
          'statement/sql/show_status': tally(32),
          'statement/com/Prepare': tally(7, 3),
          'statement/sp/stmt': tally(1_000),
        },
        digests: { own, look, theirs },
      }),
    )!;
    expect(account.statements).toEqual([
      of('text', 'SHOW GLOBAL STATUS LIKE ?', 2, 0.002),
      of('rest', undefined, 7, 0.003),
    ]);
  });

  test('keeps the sum whole where there are more than are told', () => {
    const many = Array.from({ length: 30 }, (_, at): [string, TextTally] => [`${at}`, said(`SELECT ${at}`, tally(2))]);
    const kinds = { 'statement/sql/select': tally(65) };
    const account = accountBetween(BEFORE, snapshot(2_000, { kinds, digests: Object.fromEntries(many) }))!;
    expect(account.statements).toHaveLength(21);
    expect(account.statements.at(-1)).toMatchObject({ of: 'rest', count: 20 });
    expect(account.statements.reduce((sum, { count }) => sum + count, 0)).toBe(60);
  });
});

test.each([
  { because: 'nothing was counted', kinds: BEFORE.kinds },
  { because: 'the server was restarted', kinds: new Map([['statement/sql/select', tally(2)]]) },
])('there is no account where $because', ({ kinds }) => {
  expect(accountBetween(BEFORE, { ...BEFORE, kinds })).toBeUndefined();
});

test('a long text is cut', () => {
  const kinds = { 'statement/sql/select': tally(6) };
  const digests = { long: said(`SELECT ${'`column` , '.repeat(100)}`, tally(1)) };
  const [statement] = accountBetween(BEFORE, snapshot(2_000, { kinds, digests }))!.statements;
  expect(statement!.text).toMatch(/^SELECT .{293} \.\.\.$/);
});

test.each([
  ["SELECT c FROM t1 WHERE a = 'it''s \\'secret' AND b=42", 'SELECT c FROM t1 WHERE a = ? AND b=?'],
  ['INSERT INTO `t2` VALUES (-1.5e3, 0xCAFE, "x""y", ?)', 'INSERT INTO `t2` VALUES (-?, ?, ?, ?)'],
  ["SET PASSWORD = 'cut in the mid", 'SET PASSWORD = ?'],
])('%s without its literals', (sql, wanted) => {
  expect(withoutLiterals(sql)).toBe(wanted);
});
