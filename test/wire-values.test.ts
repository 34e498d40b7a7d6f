/** What a server sends is what the client reads: every type, text and binary, columns sent again or left out. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connect } from '../src/wire/connection.ts';
import { CAPABILITY, CHARSET, COLUMN_FLAG, COLUMN_TYPE, SERVER_STATUS } from '../src/wire/constants.ts';
import { ServerError } from '../src/wire/errors.ts';
import { type FakeServer, startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import { MARIADB_1011, MYSQL_57, MYSQL_80, withoutCapabilities } from '../src/wire/fake-server/profile.ts';
import {
  type ErrorReply,
  error,
  ok,
  type Reply,
  type ReplyColumn,
  type RowsReply,
  rows,
  several,
} from '../src/wire/fake-server/reply.ts';
import type { Connection, ResultSet, SqlValue } from '../src/wire/types.ts';
import { optionsFor } from './support/wire-session.ts';

const UNSIGNED = COLUMN_FLAG.UNSIGNED;

/** A column and what may be in it. */
interface Kind {
  readonly column: Omit<ReplyColumn, 'name'>;
  readonly value: fc.Arbitrary<SqlValue>;
}

function integers(type: number, bits: number): Kind[] {
  const half = 2 ** (bits - 1);
  return [
    { column: { type }, value: edgesAnd(fc.integer({ min: -half, max: half - 1 }), -half, half - 1) },
    {
      column: { type, flags: UNSIGNED },
      value: edgesAnd(fc.integer({ min: 0, max: 2 ** bits - 1 }), half, 2 ** bits - 1),
    },
  ];
}

/** Edges more often than chance would have them. */
function edgesAnd<T extends SqlValue>(arbitrary: fc.Arbitrary<T>, ...edges: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: fc.constantFrom(...edges) });
}

/** As the client gives them: exact, as a number where that is possible. */
function exact(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((n) => String(n).padStart(count, '0'));
const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
const fraction = (decimals: number) => (decimals === 0 ? fc.constant('') : digits(decimals).map((text) => `.${text}`));
const date = edgesAnd(
  fc.tuple(digits(4), two(12), two(31)).map((parts) => parts.join('-')),
  '0000-00-00',
  '9999-12-31',
  '2024-02-00',
);
const clock = fc.tuple(two(23), two(59), two(59)).map((parts) => parts.join(':'));

function moments(decimals: number): Kind[] {
  const zeros = decimals === 0 ? '' : `.${'0'.repeat(decimals)}`;
  const dateTime = fc.tuple(date, clock, fraction(decimals)).map(([day, time, rest]) => `${day} ${time}${rest}`);
  const midnight = date.map((day) => `${day} 00:00:00${zeros}`);
  const time = fc
    .tuple(fc.boolean(), fc.integer({ min: 0, max: 838 }), two(59), two(59), fraction(decimals))
    .map(([isNegative, hours, minute, second, rest]) => {
      const text = `${String(hours).padStart(2, '0')}:${minute}:${second}${rest}`;
      return isNegative && /[1-9]/.test(text) ? `-${text}` : text;
    });
  const value = fc.oneof(dateTime, midnight);
  return [
    { column: { type: COLUMN_TYPE.DATETIME, decimals }, value },
    { column: { type: COLUMN_TYPE.TIMESTAMP, decimals }, value },
    { column: { type: COLUMN_TYPE.TIME, decimals }, value: edgesAnd(time, `00:00:00${zeros}`, `-838:59:59${zeros}`) },
  ];
}

const text = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  // Around every change of the form in which a length is written.
  { weight: 2, arbitrary: fc.constantFrom(250, 251, 252, 255, 256).map((length) => 'x'.repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom(65_535, 65_536).map((length) => 'x'.repeat(length)) },
);
const bytes = fc.uint8Array({ maxLength: 30 }).map((value) => Buffer.from(value));
const decimal = fc
  .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 40n }), digits(10))
  .map(([sign, whole, rest]) => `${sign}${whole}.${rest}`);
/** Six digits are what every FLOAT has: more would be another number in text than in binary. */
const float = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: -10, max: 10 }))
  .map(([digitsOf, exponent]) => Number(`${digitsOf}e${exponent}`) + 0);
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

const KINDS: readonly Kind[] = [
  ...integers(COLUMN_TYPE.TINY, 8),
  ...integers(COLUMN_TYPE.SHORT, 16),
  { column: { type: COLUMN_TYPE.INT24 }, value: fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 1 }) },
  { column: { type: COLUMN_TYPE.INT24, flags: UNSIGNED }, value: fc.integer({ min: 0, max: 2 ** 24 - 1 }) },
  ...integers(COLUMN_TYPE.LONG, 32),
  {
    column: { type: COLUMN_TYPE.LONGLONG },
    value: edgesAnd<SqlValue>(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(exact),
      ...[-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n, 2n ** 53n - 1n, -(2n ** 53n), 0n, -1n].map(exact),
    ),
  },
  {
    column: { type: COLUMN_TYPE.LONGLONG, flags: UNSIGNED },
    value: edgesAnd<SqlValue>(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(exact),
      ...[2n ** 64n - 1n, 2n ** 63n, 2n ** 53n + 1n, 2n ** 53n - 1n, 0n].map(exact),
    ),
  },
  { column: { type: COLUMN_TYPE.FLOAT }, value: float },
  { column: { type: COLUMN_TYPE.DOUBLE }, value: double },
  { column: { type: COLUMN_TYPE.NEWDECIMAL }, value: decimal },
  { column: { type: COLUMN_TYPE.YEAR, flags: UNSIGNED }, value: edgesAnd(fc.integer({ min: 1901, max: 2155 }), 0) },
  { column: { type: COLUMN_TYPE.DATE }, value: date },
  ...[0, 1, 3, 6].flatMap(moments),
  { column: { type: COLUMN_TYPE.BIT, flags: UNSIGNED }, value: bytes },
  { column: { type: COLUMN_TYPE.JSON, charset: CHARSET.BINARY }, value: fc.json() },
  { column: { type: COLUMN_TYPE.VAR_STRING }, value: text },
  { column: { type: COLUMN_TYPE.STRING }, value: text },
  { column: { type: COLUMN_TYPE.STRING, flags: COLUMN_FLAG.ENUM }, value: text },
  { column: { type: COLUMN_TYPE.BLOB, charset: CHARSET.UTF8MB4_GENERAL_CI, flags: COLUMN_FLAG.BLOB }, value: text },
  { column: { type: COLUMN_TYPE.VAR_STRING, charset: CHARSET.BINARY }, value: bytes },
  { column: { type: COLUMN_TYPE.STRING, charset: CHARSET.BINARY }, value: bytes },
  ...[COLUMN_TYPE.TINY_BLOB, COLUMN_TYPE.MEDIUM_BLOB, COLUMN_TYPE.LONG_BLOB, COLUMN_TYPE.BLOB].map((type) => ({
    column: { type, charset: CHARSET.BINARY, flags: COLUMN_FLAG.BLOB },
    value: bytes,
  })),
  { column: { type: COLUMN_TYPE.GEOMETRY, charset: CHARSET.BINARY }, value: bytes },
  { column: { type: COLUMN_TYPE.VECTOR, charset: CHARSET.BINARY }, value: bytes },
  { column: { type: COLUMN_TYPE.NULL }, value: fc.constant(null) },
];

const status = fc.constantFrom(0, SERVER_STATUS.NO_INDEX_USED, SERVER_STATUS.QUERY_WAS_SLOW);
const warningCount = fc.integer({ min: 0, max: 65_535 });

/** A result set of some of the columns, each value NULL now and then. */
const anyRows: fc.Arbitrary<RowsReply> = fc
  .array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 16 })
  .chain((kinds) => {
    const columns = kinds.map(({ column }, index) => ({ ...column, name: `column ${index}`, table: 't', schema: 's' }));
    const row = fc.tuple(...kinds.map(({ value }) => fc.option(value, { freq: 5 })));
    return fc
      .record({ values: fc.array(row, { maxLength: 4 }), warningCount, status })
      .map(({ values, ...ending }) => rows(columns, values, ending));
  });

const anyOk: fc.Arbitrary<Reply> = fc
  .record({
    affectedRows: fc.maxSafeNat(),
    lastInsertId: fc.maxSafeNat(),
    warningCount,
    status,
    info: fc.option(fc.string({ maxLength: 20 }), { nil: undefined }),
  })
  .map(({ info, ...fields }) => ok(info === undefined ? fields : { ...fields, info }));

const anyError: fc.Arbitrary<ErrorReply> = fc
  .record({
    code: fc.integer({ min: 1, max: 65_535 }),
    sqlState: fc.stringMatching(/^[0-9A-Z]{5}$/),
    message: fc.string({ unit: 'grapheme', maxLength: 60 }),
  })
  .map(({ code, sqlState, message }) => error(code, sqlState, message));

const anySingle = fc.oneof({ weight: 3, arbitrary: anyRows }, anyOk, anyError);

/** What the client must make of a reply that it has read. */
function expectedOf(reply: Reply): unknown {
  switch (reply.is) {
    case 'error':
      return { code: reply.code, sqlState: reply.sqlState, message: reply.message };
    case 'ok':
      return {
        hasRows: false,
        rows: [],
        affectedRows: reply.affectedRows,
        lastInsertId: reply.lastInsertId,
        warningCount: reply.warningCount,
        status: SERVER_STATUS.AUTOCOMMIT | (reply.status ?? 0),
      };
    case 'rows':
      return {
        hasRows: true,
        rows: reply.rows,
        columns: reply.columns.map(({ name, type, table }) => ({ name, type, table })),
        warningCount: reply.warningCount,
        status: SERVER_STATUS.AUTOCOMMIT | (reply.status ?? 0),
      };
    default:
      throw new Error(`no such reply here: ${reply.is}`);
  }
}

function seen(result: ResultSet): unknown {
  const { hasRows, affectedRows, lastInsertId } = result;
  const common = { hasRows, rows: result.rows, warningCount: result.warningCount, status: result.status };
  if (!hasRows) return { ...common, affectedRows, lastInsertId };
  return { ...common, columns: result.columns.map(({ name, type, table }) => ({ name, type, table })) };
}

async function seenOf(result: Promise<ResultSet>): Promise<unknown> {
  try {
    return seen(await result);
  } catch (failure) {
    if (!(failure instanceof ServerError)) throw failure;
    return { code: failure.code, sqlState: failure.sqlState, message: failure.message };
  }
}

const SERVERS = [
  { like: 'MySQL 8.0', profile: MYSQL_80, skipsMetadata: true },
  {
    like: 'MySQL without DEPRECATE_EOF',
    profile: withoutCapabilities(MYSQL_57, CAPABILITY.DEPRECATE_EOF),
    skipsMetadata: true,
  },
  { like: 'MariaDB, which leaves columns out', profile: MARIADB_1011, skipsMetadata: true },
  { like: 'MariaDB, which sends them always', profile: MARIADB_1011, skipsMetadata: false },
  {
    like: 'MariaDB, old ends',
    profile: withoutCapabilities(MARIADB_1011, CAPABILITY.DEPRECATE_EOF),
    skipsMetadata: true,
  },
];

describe.each(SERVERS)('$like', ({ profile, skipsMetadata }) => {
  /** A server that answers as the property at hand wants it. */
  async function start(): Promise<{ server: FakeServer; connection: Connection; script: { reply: Reply } }> {
    const script: { reply: Reply } = { reply: ok() };
    const server = await startFakeServer({ profile, skipsMetadata, answer: () => script.reply });
    return { server, script, connection: await connect(optionsFor(server, { multiStatements: true })) };
  }

  test('any one reply, as text', async () => {
    const { server, script, connection } = await start();
    await using _ = server;
    await fc.assert(
      fc.asyncProperty(anySingle, async (reply) => {
        script.reply = reply;
        expect(await seenOf(connection.read('ASK'))).toEqual(expectedOf(reply));
        if (reply.is !== 'rows') return;
        expect(await connection.execute('ASK')).toMatchObject({ hasRows: true, rowCount: reply.rows.length });
      }),
      { seed: 2, numRuns: 50 },
    );
    expect(server.violations).toEqual([]);
  });

  test('any rows, prepared: read, read again, and counted', async () => {
    const { server, script, connection } = await start();
    await using _ = server;
    await fc.assert(
      fc.asyncProperty(anyRows, fc.boolean(), async (reply, isCountedFirst) => {
        script.reply = reply;
        const statement = await connection.prepare('ASK');
        const counted = { hasRows: true, rowCount: reply.rows.length, warningCount: reply.warningCount };
        if (isCountedFirst) expect(await statement.execute()).toMatchObject(counted);
        expect(await seenOf(statement.read())).toEqual(expectedOf(reply));
        expect(await statement.execute()).toMatchObject(counted);
        expect(await seenOf(statement.read())).toEqual(expectedOf(reply));
        statement.close();
      }),
      { seed: 3, numRuns: 40 },
    );
    expect(server.violations).toEqual([]);
  });

  test('a prepared statement whose columns change between executions', async () => {
    const { server, script, connection } = await start();
    await using _ = server;
    await fc.assert(
      fc.asyncProperty(fc.array(anyRows, { minLength: 2, maxLength: 4 }), async (replies) => {
        script.reply = replies[0] ?? ok();
        const statement = await connection.prepare('ASK');
        for (const [index, reply] of replies.entries()) {
          script.reply = reply;
          if (index % 2 === 1) expect(await statement.execute()).toMatchObject({ rowCount: reply.rows.length });
          expect(await seenOf(statement.read())).toEqual(expectedOf(reply));
        }
        statement.close();
      }),
      { seed: 4, numRuns: 15 },
    );
  });

  test('several results one after another, up to an error', async () => {
    const { server, script, connection } = await start();
    await using _ = server;
    const anySeveral = fc.array(fc.oneof({ weight: 2, arbitrary: anyRows }, anyOk), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(anySeveral, fc.option(anyError), async (replies, failure) => {
        script.reply = several(...replies, ...(failure === null ? [] : [failure]));
        if (failure !== null) {
          expect(await seenOf(connection.read('ASK'))).toEqual(expectedOf(failure));
          return;
        }
        const more = (index: number) => (index < replies.length - 1 ? SERVER_STATUS.MORE_RESULTS_EXISTS : 0);
        const expected = replies.map((reply, index) => {
          const one = expectedOf(reply) as { status: number };
          return { ...one, status: one.status | more(index) };
        });
        expect((await connection.readAll('ASK')).map(seen)).toEqual(expected);
        const rowCount = replies.reduce((sum, reply) => sum + (reply.is === 'rows' ? reply.rows.length : 0), 0);
        expect(await connection.execute('ASK')).toMatchObject({ rowCount });
      }),
      { seed: 5, numRuns: 20 },
    );
  });

  test('parameters arrive as they were given', async () => {
    const sent: (readonly SqlValue[])[] = [];
    await using server = await startFakeServer({
      profile,
      answer: (_sql, parameters, { phase }) => {
        if (phase === 'execute') sent.push(parameters);
        return ok();
      },
    });
    await using connection = await connect(optionsFor(server));
    const anyValue = fc.option(
      fc.oneof(
        fc.integer(),
        fc.maxSafeInteger(),
        double,
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
        text,
        bytes,
        fc.boolean(),
      ),
    );
    const statement = await connection.prepare(`DO ${Array(9).fill('?').join(', ')}`);
    const anyExecution = fc.array(anyValue, { minLength: 9, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(fc.array(anyExecution, { minLength: 1, maxLength: 3 }), async (executions) => {
        sent.length = 0;
        for (const parameters of executions) await statement.execute(parameters);
        const expected = executions.map((parameters) => parameters.map(asSent));
        expect(sent).toEqual(expected);
      }),
      { seed: 6, numRuns: 30 },
    );
    expect(server.violations).toEqual([]);
  });
});

test('after an error the types of parameters are sent again', async () => {
  const sent: (readonly SqlValue[])[] = [];
  await using server = await startFakeServer({
    answer: (_sql, parameters, { phase }) => {
      if (phase === 'execute') sent.push(parameters);
      return parameters[0] === 2 ? error(1213, '40001', 'Deadlock found') : ok();
    },
  });
  await using connection = await connect(optionsFor(server));
  const statement = await connection.prepare('UPDATE t SET a = ? WHERE b = ?');
  await statement.execute([1, 'one']);
  await expect(statement.execute([2, 'two'])).rejects.toMatchObject({ code: 1213 });
  await statement.execute([3, 'three']);
  await statement.execute([4, 'four']);
  expect(sent).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
    [4, 'four'],
  ]);
});

/** As a server sees a parameter. */
function asSent(value: SqlValue | boolean): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return exact(value);
  return value instanceof Uint8Array ? Uint8Array.from(value) : value;
}

test('transactions show in the status', async () => {
  await using server = await startFakeServer({ recordMax: 20 });
  await using connection = await connect(optionsFor(server));
  const isOpenAfter = async (sql: string) =>
    ((await connection.execute(sql)).status & SERVER_STATUS.IN_TRANS) === SERVER_STATUS.IN_TRANS;
  expect(await isOpenAfter('SELECT 1')).toBe(false);
  expect(await isOpenAfter('BEGIN')).toBe(true);
  const update = await connection.prepare('UPDATE sbtest1 SET k=k+1 WHERE id=?');
  expect(await update.execute([1])).toMatchObject({
    affectedRows: 1,
    status: SERVER_STATUS.IN_TRANS | SERVER_STATUS.AUTOCOMMIT,
  });
  expect(await isOpenAfter('COMMIT')).toBe(false);
  expect(await isOpenAfter('SET autocommit=0')).toBe(false);
  expect(await isOpenAfter('INSERT INTO t VALUES (1)')).toBe(true);
  expect(await isOpenAfter('ROLLBACK')).toBe(false);
  expect(server.statements.map(({ sql }) => sql)).toContain('UPDATE sbtest1 SET k=k+1 WHERE id=?');
});
