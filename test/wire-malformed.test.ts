/** Replies that the protocol does not allow: each ends the connection with a clear error, none gives a wrong row. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { framePayload } from '../src/wire/bytes/frame.ts';
import { PacketWriter } from '../src/wire/bytes/writer.ts';
import { connect } from '../src/wire/connection.ts';
import { CAPABILITY, COLUMN_TYPE, REPLY, SERVER_STATUS } from '../src/wire/constants.ts';
import { ServerError, WireError } from '../src/wire/errors.ts';
import {
  binaryRowPayload,
  columnPayload,
  eofPayload,
  errorPayload,
  framePayloads,
  okPayload,
  preparePayloads,
  textRowPayload,
} from '../src/wire/fake-server/encode.ts';
import { type FakeServerOptions, startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import {
  type Fault,
  garbage,
  replacePacket,
  truncatePacket,
  wrongLength,
  wrongSequence,
} from '../src/wire/fake-server/faults.ts';
import { MARIADB_1011, MYSQL_80, withoutCapabilities } from '../src/wire/fake-server/profile.ts';
import { bytes, close, error, ok, packets, type Reply, rows } from '../src/wire/fake-server/reply.ts';
import type { Connection } from '../src/wire/types.ts';
import { letOthersRead, temporarySocket } from './support/wire.ts';
import {
  ACCOUNT,
  forEachOf,
  optionsFor,
  sessionAnswers,
  type Transcript,
  walkThrough,
} from './support/wire-session.ts';

const OLD_EOF = withoutCapabilities(MYSQL_80, CAPABILITY.DEPRECATE_EOF);
const form = {
  capabilities: CAPABILITY.PROTOCOL_41 | CAPABILITY.DEPRECATE_EOF,
  isBinary: false,
  cachesMetadata: false,
  sendsColumns: true,
  status: SERVER_STATUS.AUTOCOMMIT,
};
const NUMBER = { name: 'n', type: COLUMN_TYPE.LONG };
const TEXT = { name: 't', type: COLUMN_TYPE.VAR_STRING };
const number = columnPayload(NUMBER);
const text = columnPayload(TEXT);
const row = textRowPayload([7, 'seven']);

/** A reply of packets, for either way to end columns and rows. */
interface Ends {
  readonly afterColumns: readonly Buffer[];
  readonly afterRows: Buffer;
}
const NEW_ENDS: Ends = { afterColumns: [], afterRows: okPayload(ok(), form, REPLY.EOF) };
const OLD_ENDS: Ends = { afterColumns: [eofPayload(2, 0)], afterRows: eofPayload(2, 0) };

function count(columns: number): Buffer {
  return new PacketWriter().lenencInteger(columns).payload();
}

type Act = (connection: Connection) => Promise<unknown>;
const read: Act = (connection) => connection.read('SELECT');
const execute: Act = (connection) => connection.execute('SELECT');
const readPrepared: Act = async (connection) => (await connection.prepare('SELECT')).read();

/** What the client makes of the reply; afterwards the connection must be over where that was a `WireError`. */
async function attempt(reply: Reply, act: Act, options: FakeServerOptions = {}): Promise<unknown> {
  await using server = await startFakeServer({
    answer: (_sql, _parameters, { phase }) => (phase === 'prepare' ? prepared : reply),
    ...options,
  });
  const connection = await connect(optionsFor(server, { readTimeoutMs: 2_000 }));
  const outcome = await act(connection).catch((failure: unknown) => failure);
  if (outcome instanceof WireError) {
    expect(connection.isOpen).toBe(false);
    await expect(connection.ping()).rejects.toMatchObject({ kind: 'closed' });
    while (server.connections[0]?.isOpen) await letOthersRead();
  }
  connection.destroy();
  return outcome;
}

const prepared = rows([NUMBER, TEXT], []);
const one = rows([NUMBER], [[1]]);
const PROTOCOL_ERROR = { name: 'WireError', kind: 'protocol', message: expect.stringMatching(/^[A-Z].*\.$/) };

const malformedText: readonly { readonly what: string; readonly payloads: (ends: Ends) => readonly Buffer[] }[] = [
  { what: 'an empty packet for a reply', payloads: () => [Buffer.of()] },
  { what: 'an OK packet that stops after its first byte', payloads: () => [Buffer.of(REPLY.OK)] },
  { what: 'an OK packet without its warning count', payloads: () => [Buffer.of(0, 0, 0, 2, 0)] },
  { what: 'an OK packet whose row count is cut', payloads: () => [Buffer.of(0, 0xfe, 1, 2, 3, 4, 5, 6)] },
  { what: 'an EOF packet for a reply', payloads: () => [eofPayload(2, 0)] },
  { what: 'a column count that is cut', payloads: () => [Buffer.of(0xfc, 2)] },
  { what: 'a column count followed by more', payloads: () => [Buffer.of(2, 9)] },
  {
    what: 'columns for a count of zero, in a long form',
    payloads: ({ afterColumns, afterRows }) => [Buffer.of(0xfc, 0, 0), ...afterColumns, afterRows],
  },
  {
    what: 'a column that is cut',
    payloads: ({ afterColumns, afterRows }) => [count(1), number.subarray(0, 9), ...afterColumns, afterRows],
  },
  {
    what: 'a column whose name is longer than its packet',
    payloads: ({ afterColumns, afterRows }) => [
      count(1),
      Buffer.concat([Buffer.from('03646566000000', 'hex'), Buffer.of(200), number.subarray(8)]),
      ...afterColumns,
      afterRows,
    ],
  },
  {
    what: 'an empty packet for a column',
    payloads: ({ afterColumns, afterRows }) => [count(1), Buffer.of(), ...afterColumns, afterRows],
  },
  {
    what: 'a column fewer than the count says',
    payloads: ({ afterColumns, afterRows }) => [count(3), number, text, ...afterColumns, row, afterRows],
  },
  {
    what: 'a column more than the count says',
    payloads: ({ afterColumns, afterRows }) => [count(1), number, text, ...afterColumns, row, afterRows],
  },
  {
    what: 'a row with too few values',
    payloads: ({ afterColumns, afterRows }) => [
      count(2),
      number,
      text,
      ...afterColumns,
      textRowPayload([7]),
      afterRows,
    ],
  },
  {
    what: 'a row with too many values',
    payloads: ({ afterColumns, afterRows }) => [
      count(2),
      number,
      text,
      ...afterColumns,
      textRowPayload([7, 'seven', null]),
      afterRows,
    ],
  },
  {
    what: 'a good row, then a bad one',
    payloads: ({ afterColumns, afterRows }) => [
      count(2),
      number,
      text,
      ...afterColumns,
      row,
      row.subarray(0, 4),
      afterRows,
    ],
  },
  {
    what: 'a value that is longer than its packet',
    payloads: ({ afterColumns, afterRows }) => [count(1), text, ...afterColumns, Buffer.of(5, 65, 66), afterRows],
  },
  {
    what: 'a value with a cut eight-byte length',
    payloads: ({ afterColumns, afterRows }) => [
      count(2),
      text,
      text,
      ...afterColumns,
      Buffer.of(0, 0xfe, 255, 255, 255),
      afterRows,
    ],
  },
  {
    what: 'a value of 2^64 - 1 bytes',
    payloads: ({ afterColumns, afterRows }) => [
      count(2),
      text,
      text,
      ...afterColumns,
      Buffer.from('00feffffffffffffffff41', 'hex'),
      afterRows,
    ],
  },
  {
    what: 'an empty packet for a row',
    payloads: ({ afterColumns, afterRows }) => [count(1), text, ...afterColumns, Buffer.of(), afterRows],
  },
  {
    what: 'an integer that is none',
    payloads: ({ afterColumns, afterRows }) => [count(1), number, ...afterColumns, textRowPayload(['x']), afterRows],
  },
];

test.each(malformedText)('text: $what', async ({ payloads }) => {
  expect(await attempt(packets(...payloads(NEW_ENDS)), read)).toMatchObject(PROTOCOL_ERROR);
  expect(await attempt(packets(...payloads(OLD_ENDS)), read, { profile: OLD_EOF })).toMatchObject(PROTOCOL_ERROR);
});

test.each(malformedText)('text, rows only counted: $what ends one way or the other', async ({ payloads }) => {
  for (const [ends, profile] of [[NEW_ENDS, MYSQL_80] as const, [OLD_ENDS, OLD_EOF] as const]) {
    const outcome = await attempt(packets(...payloads(ends)), execute, { profile });
    // Values of rows that nobody looks at are not checked.
    if (outcome instanceof Error) expect(outcome).toMatchObject(PROTOCOL_ERROR);
    else expect(outcome).toMatchObject({ hasRows: true });
  }
});

test('rows only counted: a row that a false column count takes for a column is noticed', async () => {
  const payloads = [count(3), number, text, ...NEW_ENDS.afterColumns, row, NEW_ENDS.afterRows];
  expect(await attempt(packets(...payloads), execute)).toMatchObject(PROTOCOL_ERROR);
});

const goodBinary = binaryRowPayload([NUMBER, TEXT], [7, 'seven']);

test.each([
  { what: 'a row that does not begin with zero', bad: Buffer.concat([Buffer.of(1), goodBinary.subarray(1)]) },
  { what: 'a text row', bad: textRowPayload([1, 'x']) },
  { what: 'a row without its bitmap', bad: Buffer.of(0) },
  { what: 'a row that ends in a number', bad: goodBinary.subarray(0, 4) },
  { what: 'a row that ends in a text', bad: goodBinary.subarray(0, -1) },
  { what: 'a row with a byte too many', bad: Buffer.concat([goodBinary, Buffer.of(0)]) },
  { what: 'a bitmap that says less is NULL than is', bad: Buffer.of(0, 0, 1, 65) },
  { what: 'a bitmap that says more is NULL than is', bad: Buffer.concat([Buffer.of(0, 4), goodBinary.subarray(2)]) },
])('prepared: $what', async ({ bad }) => {
  for (const [ends, profile] of [[NEW_ENDS, MYSQL_80] as const, [OLD_ENDS, OLD_EOF] as const]) {
    const reply = packets(count(2), number, text, ...ends.afterColumns, goodBinary, bad, ends.afterRows);
    expect(await attempt(reply, readPrepared, { profile })).toMatchObject(PROTOCOL_ERROR);
  }
});

test.each([
  { type: COLUMN_TYPE.DATETIME, value: '0507da0a11131b', because: 'a datetime has 0, 4, 7 or 11 bytes' },
  { type: COLUMN_TYPE.DATE, value: '03da070a', because: 'a date has 0, 4, 7 or 11 bytes' },
  { type: COLUMN_TYPE.TIME, value: '0900780000001313131b', because: 'a time has 0, 8 or 12 bytes' },
  { type: COLUMN_TYPE.TIME, value: '0800780000', because: 'it has all its bytes' },
  { type: COLUMN_TYPE.LONGLONG, value: '01020304050607', because: 'it has eight bytes' },
  { type: COLUMN_TYPE.DOUBLE, value: '01020304', because: 'it has eight bytes' },
  { type: COLUMN_TYPE.BLOB, value: 'fb', because: 'NULL is said in the bitmap' },
  { type: COLUMN_TYPE.BLOB, value: 'ff01', because: 'no length begins so' },
])('prepared: $value is no value of type $type: $because', async ({ type, value }) => {
  const column = columnPayload({ name: 'v', type });
  const badRow = Buffer.concat([Buffer.of(0, 0), Buffer.from(value, 'hex')]);
  const reply = packets(count(1), column, badRow, NEW_ENDS.afterRows);
  expect(await attempt(reply, readPrepared)).toMatchObject(PROTOCOL_ERROR);
});

const statement = { id: 1, parameterCount: 2, columns: [NUMBER, TEXT] };
const prepareOld = preparePayloads(statement, { ...form, capabilities: CAPABILITY.PROTOCOL_41 });
const prepareHead = prepareOld[0] ?? Buffer.of();

test.each([
  { what: 'an empty packet', payloads: [Buffer.of()] },
  { what: 'a head that is cut', payloads: [prepareHead.subarray(0, 8)] },
  { what: 'rows for an answer', payloads: [count(1), number, eofPayload(2, 0), eofPayload(2, 0)] },
  { what: 'a parameter fewer than announced', payloads: prepareOld.toSpliced(1, 1) },
  { what: 'a parameter more than announced', payloads: prepareOld.toSpliced(1, 0, number) },
  { what: 'a column fewer than announced', payloads: prepareOld.toSpliced(4, 1) },
  { what: 'a column that is cut', payloads: prepareOld.with(4, number.subarray(0, 6)) },
  { what: 'rows after the columns', payloads: [...prepareOld, row] },
])('the answer to a prepare: $what', async ({ payloads }) => {
  const outcome = await attempt(ok(), (connection) => connection.prepare('SELECT').then((made) => made.execute()), {
    profile: OLD_EOF,
    answer: () => packets(...payloads),
  });
  expect(outcome).toMatchObject({ name: 'WireError', kind: expect.stringMatching(/protocol|closed/) });
});

test('ERR in the middle of the rows is the outcome; the connection goes on', async () => {
  for (const profile of [MYSQL_80, OLD_EOF, MARIADB_1011]) {
    const failing = rows([NUMBER, TEXT], [[1, 'a']], { failsWith: error(1317, '70100', 'Query was interrupted') });
    await using server = await startFakeServer({
      profile,
      answer: (sql) => (sql === 'FAIL' ? failing : rows([NUMBER], [[2]])),
    });
    const connection = await connect(optionsFor(server));
    const expected = { name: 'ServerError', code: 1317, sqlState: '70100', symbol: 'ER_QUERY_INTERRUPTED' };
    await expect(connection.read('FAIL')).rejects.toMatchObject(expected);
    await expect(connection.execute('FAIL')).rejects.toMatchObject(expected);
    const made = await connection.prepare('FAIL');
    await expect(made.read()).rejects.toMatchObject(expected);
    await expect(made.execute()).rejects.toMatchObject(expected);
    expect((await connection.read('GO ON')).rows).toEqual([[2]]);
    await connection.close();
  }
});

test('ERR in place of a column', async () => {
  const failed = errorPayload(error(1028, 'HY000', 'Sort aborted'), form.capabilities);
  const outcome = await attempt(packets(count(2), number, failed), read);
  expect(outcome).toMatchObject({ name: 'ServerError', code: 1028 });
});

test('a row that begins like OK, NULL, LOCAL INFILE or EOF is a row', async () => {
  // 0x00: an empty text. 0xfb: NULL. 0xfc: a length of two bytes. 0xfe: one of eight, in a packet of 16 MiB or more.
  const long = Buffer.alloc(0x100_0000, 'x').toString();
  const values = [[''], [null], ['y'.repeat(300)], [long], ['z']];
  for (const profile of [MYSQL_80, OLD_EOF]) {
    await using server = await startFakeServer({ profile, answer: () => rows([TEXT], values) });
    const connection = await connect(optionsFor(server));
    const { rows: got } = await connection.read('SELECT t');
    expect(got.length).toBe(values.length);
    expect(got.every(([value], index) => value === values[index]?.[0])).toBe(true);
    expect(await connection.execute('SELECT t')).toMatchObject({ rowCount: values.length });
    await connection.close();
  }
});

test('a header that promises 16 MiB of which three bytes come', async () => {
  const cutShort = bytes(Buffer.from('ffffff01 030201'.replace(' ', ''), 'hex'));
  expect(await attempt(close(cutShort), read)).toMatchObject({ name: 'WireError', kind: 'closed' });
});

test('with DEPRECATE_EOF the end of rows may carry text for people', async () => {
  const end = okPayload(ok({ warningCount: 3, info: 'i'.repeat(500) }), form, REPLY.EOF);
  expect(await attempt(packets(count(2), number, text, row, end), read)).toMatchObject({
    rows: [[7, 'seven']],
    warningCount: 3,
  });
});

test('a reply more than was asked for cannot pass for the answer to the next statement', async () => {
  const good = [count(1), number, textRowPayload([1]), NEW_ENDS.afterRows];
  await using server = await startFakeServer({
    answer: (sql) => (sql === 'FIRST' ? packets(...good, ...good) : rows([NUMBER], [[2]])),
  });
  const connection = await connect(optionsFor(server));
  const first = await connection.read('FIRST').catch((failure: unknown) => failure);
  if (!(first instanceof WireError)) expect(first).toMatchObject({ rows: [[1]] });
  await expect(connection.read('SECOND')).rejects.toMatchObject({ name: 'WireError' });
  expect(connection.isOpen).toBe(false);
});

test('bytes that came before a statement are no part of its answer', async () => {
  const early = framePayload(okPayload(ok({ affectedRows: 13 }), form), 1);
  const good = framePayloads([okPayload(ok({ affectedRows: 1 }), form)], 1);
  for (const length of [1, 3, 4, 6]) {
    await using server = await startFakeServer({
      answer: (sql) =>
        bytes(sql === 'FIRST' ? Buffer.concat([good, early.subarray(0, length)]) : early.subarray(length)),
    });
    const connection = await connect(optionsFor(server));
    const first = await connection.execute('FIRST').catch((failure: unknown) => failure);
    if (!(first instanceof WireError)) expect(first).toMatchObject({ affectedRows: 1 });
    await expect(connection.execute('SECOND')).rejects.toMatchObject({ name: 'WireError' });
  }
});

test.each([0, 1, 3])('a packet numbered %d along with the OK of authentication', async (sequence) => {
  let faults: readonly Fault[] = [];
  await using server = await startFakeServer({ answer: () => one, faults: () => faults });
  const connection = await connect(optionsFor(server));
  const handshakeLength = connection.bytesReceived;
  await connection.close();
  faults = [garbage(handshakeLength, framePayload(okPayload(ok({ affectedRows: 13 }), form), sequence))];
  await expect(connect(optionsFor(server))).rejects.toMatchObject(PROTOCOL_ERROR);
});

test.each([
  { what: 'no byte that says whether columns follow', head: count(2) },
  { what: 'columns left out that were never sent', head: Buffer.of(2, 0) },
])('metadata skipping, text: $what', async ({ head }) => {
  const outcome = await attempt(packets(head, row, NEW_ENDS.afterRows), read, { profile: MARIADB_1011 });
  expect(outcome).toMatchObject(PROTOCOL_ERROR);
});

test('metadata skipping, prepared: columns left out in another number than prepared', async () => {
  const reply = packets(Buffer.of(3, 0), goodBinary, NEW_ENDS.afterRows);
  expect(await attempt(reply, readPrepared, { profile: MARIADB_1011 })).toMatchObject(PROTOCOL_ERROR);
});

/** The whole session on a server that sends one packet wrong. */
async function startWithFaults(options: FakeServerOptions) {
  const server = await startFakeServer({ accounts: [ACCOUNT], answer: sessionAnswers, ...options });
  const whole = await walkThrough(optionsFor(server));
  expect(whole.failure).toBeUndefined();
  return { server, whole };
}

/** Every step that came out came out right. Of an error the code: a text that is cut short shows no more than that. */
function expectNothingWrong(got: Transcript, whole: Transcript, what: string): void {
  const right = whole.steps.slice(0, got.steps.length);
  expect(got.steps.map(errorCode), what).toEqual(right.map(errorCode));
}

function errorCode(step: unknown): unknown {
  return Array.isArray(step) && typeof step[0] === 'number' ? step[0] : step;
}

/** The session has 43, and two more faults find nothing to spoil. */
const PACKETS = 45;

test.each([1, 255])('a sequence number wrong by %d, at each packet of a session', async (by) => {
  using socket = temporarySocket();
  const { server, whole } = await startWithFaults({
    socketPath: socket.path,
    faults: (id) => (id === 1 ? [] : [wrongSequence(id - 2, by)]),
  });
  await using _ = server;
  let failures = 0;
  await forEachOf(Array.from({ length: PACKETS }), async () => {
    const got = await walkThrough(optionsFor(server));
    expectNothingWrong(got, whole, `after ${got.steps.length} steps`);
    if (got.failure === undefined) return;
    failures++;
    // An ERR packet numbered 0 is a server's last words, which may come at any time.
    const isError = got.failure instanceof WireError && got.failure.cause instanceof ServerError;
    expect(got.failure).toMatchObject(isError ? { name: 'WireError' } : PROTOCOL_ERROR);
  });
  expect(failures, 'every packet but those that were never sent').toBeGreaterThan(40);
});

test.each([1, -1])('a length wrong by %d, at each packet of a session', async (by) => {
  using socket = temporarySocket();
  const { server, whole } = await startWithFaults({
    socketPath: socket.path,
    faults: (id) => (id === 1 ? [] : [wrongLength(id - 2, by)]),
  });
  await using _ = server;
  await forEachOf(Array.from({ length: PACKETS }), async () => {
    const got = await walkThrough(optionsFor(server, { connectTimeoutMs: 100, readTimeoutMs: 50 }));
    expectNothingWrong(got, whole, `after ${got.steps.length} steps`);
    // With too much promised, the rest of the last packet never comes.
    if (got.failure !== undefined)
      expect(got.failure).toMatchObject({ name: expect.stringMatching(/WireError|ServerError/) });
  });
});

test('every packet of a session cut short to every length, under a true header', async () => {
  const cuts = Array.from({ length: PACKETS }, (_, packet) =>
    Array.from({ length: 9 }, (__, length) => ({ packet, length })),
  ).flat();
  using socket = temporarySocket();
  const { server, whole } = await startWithFaults({
    socketPath: socket.path,
    faults: (id) => {
      const cut = cuts[id - 2];
      return cut === undefined ? [] : [truncatePacket(cut.packet, cut.length)];
    },
  });
  await using _ = server;
  await forEachOf(cuts, async () => {
    const got = await walkThrough(optionsFor(server, { connectTimeoutMs: 100, readTimeoutMs: 50 }));
    expectNothingWrong(got, whole, JSON.stringify(got.failure));
  });
});

test('garbage anywhere, and any payload in place of any packet: no hang, no crash', async () => {
  let faults: readonly Fault[] = [];
  await using server = await startFakeServer({
    accounts: [ACCOUNT],
    answer: sessionAnswers,
    faults: () => faults,
  });
  const anyPayload = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .tuple(fc.constantFrom(0x00, 0x01, 0x0a, 0xfb, 0xfe, 0xff), fc.uint8Array({ maxLength: 20 }))
      .map(([first, rest]) => Uint8Array.of(first, ...rest)),
  );
  const anyFault = fc.oneof(
    fc.tuple(fc.nat(900), fc.uint8Array({ minLength: 1, maxLength: 20 })).map(([at, some]) => garbage(at, some)),
    fc.tuple(fc.nat(PACKETS), anyPayload).map(([packet, payload]) => replacePacket(packet, payload)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyFault, { minLength: 1, maxLength: 2 }), async (some) => {
      faults = some;
      const { failure } = await walkThrough(optionsFor(server, { connectTimeoutMs: 60, readTimeoutMs: 30 }));
      if (failure === undefined) return;
      expect(failure instanceof WireError || failure instanceof ServerError, String(failure)).toBe(true);
    }),
    { seed: 1, numRuns: 120 },
  );
});
