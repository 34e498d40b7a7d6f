/** Replies as byte streams, whole, split and damaged, through channel and state machine. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { framePayload } from '../bytes/frame.ts';
import { PacketWriter } from '../bytes/writer.ts';
import { Channel, type Receiver } from '../channel.ts';
import { CAPABILITY, COLUMN_TYPE, COMMAND, MARIADB_CAPABILITY, SERVER_STATUS } from '../constants.ts';
import { ServerError, WireError } from '../errors.ts';
import { MemoryTransport } from '../memory-transport.ts';
import type { Column, Outcome, ReplyHandler, SqlValue } from '../types.ts';
import { ResultCollector } from './collect.ts';
import { newParameterTypes } from './encode-execute.ts';
import type { ResultShape } from './expectation.ts';
import { CommandPhase } from './phase.ts';

const MODERN = { capabilities: CAPABILITY.DEPRECATE_EOF, mariadbCapabilities: 0 };
const OLD = { capabilities: 0, mariadbCapabilities: 0 };
const CACHING = { capabilities: CAPABILITY.DEPRECATE_EOF, mariadbCapabilities: MARIADB_CAPABILITY.CACHE_METADATA };
const CACHING_OLD = { capabilities: 0, mariadbCapabilities: MARIADB_CAPABILITY.CACHE_METADATA };
type Agreement = typeof MODERN;

const { MORE_RESULTS_EXISTS, AUTOCOMMIT } = SERVER_STATUS;

const ok = (affected = 0, insertId = 0, status: number = AUTOCOMMIT, warnings = 0) =>
  new PacketWriter().u8(0).lenencInteger(affected).lenencInteger(insertId).u16(status).u16(warnings).payload();
const end = (status: number = AUTOCOMMIT, warnings = 0) =>
  new PacketWriter().u8(0xfe).u8(0).u8(0).u16(status).u16(warnings).payload();
const eof = (status: number = AUTOCOMMIT, warnings = 0) =>
  new PacketWriter().u8(0xfe).u16(warnings).u16(status).payload();
const err = (code: number, message: string, state = '40001') =>
  new PacketWriter().u8(0xff).u16(code).text(`#${state}${message}`).payload();
const column = (name: string, type: number, flags = 0, charset = 45) =>
  new PacketWriter()
    .lenencText('def')
    .lenencText('db')
    .lenencText('t')
    .lenencText('t')
    .lenencText(name)
    .lenencText(name)
    .u8(12)
    .u16(charset)
    .u32(11)
    .u8(type)
    .u16(flags)
    .u8(0)
    .zeros(2)
    .payload();
const textRow = (...values: (string | null)[]) => {
  const writer = new PacketWriter();
  for (const value of values) writer.lenencBytesOrNull(value === null ? null : Buffer.from(value));
  return writer.payload();
};
const a = column('a', COLUMN_TYPE.LONG);
const b = column('b', COLUMN_TYPE.VAR_STRING);
const count = (columns: number, follow?: boolean) => {
  const writer = new PacketWriter().lenencInteger(columns);
  if (follow !== undefined) writer.u8(follow ? 1 : 0);
  return writer.payload();
};
const binaryRow = (value: number) => new PacketWriter().u8(0).u8(0).u32(value).payload();

/** The packets in sequence, as one reply. */
const stream = (payloads: readonly Uint8Array[], from = 1) =>
  Buffer.concat(payloads.map((payload, index) => framePayload(payload, (from + index) & 0xff)));

interface Tried {
  readonly transport: MemoryTransport;
  readonly phase: CommandPhase;
  readonly replies: Outcome[];
  readonly failures: Error[];
  readonly ends: (Error | undefined)[];
  readonly handler: ReplyHandler;
}

const nobody: Receiver = { onPacket() {}, onChunkEnd() {}, onUnasked() {}, onEnd() {} };

function open(agreement: Agreement): Tried {
  const transport = new MemoryTransport();
  const phase = new CommandPhase(new Channel(transport, nobody), agreement, 'mariadb');
  const tried: Omit<Tried, 'handler'> = { transport, phase, replies: [], failures: [], ends: [] };
  const handler: ReplyHandler = {
    onReply: (outcome) => tried.replies.push({ ...outcome }),
    onFailure: (error) => tried.failures.push(error),
  };
  phase.onEnd = (because) => tried.ends.push(because);
  return { ...tried, handler };
}

function shapeOf(columns: readonly Column[] = []): ResultShape & { errors: number } {
  return {
    columns,
    errors: 0,
    onError() {
      this.errors++;
    },
  };
}

const RESULTS: readonly {
  is: string;
  agreement: Agreement;
  payloads: Uint8Array[];
  outcome: Partial<Outcome>;
  rows: SqlValue[][];
}[] = [
  {
    is: 'OK with affected rows and a long insert id',
    agreement: MODERN,
    payloads: [ok(3, 70_000, 3, 2)],
    outcome: { hasRows: false, affectedRows: 3, lastInsertId: 70_000, status: 3, warningCount: 2 },
    rows: [],
  },
  {
    is: 'rows ended by OK (DEPRECATE_EOF)',
    agreement: MODERN,
    payloads: [count(2), a, b, textRow('1', 'x'), textRow(null, ''), end(2, 7)],
    outcome: { hasRows: true, rowCount: 2, affectedRows: 0, status: 2, warningCount: 7 },
    rows: [
      [1, 'x'],
      [null, ''],
    ],
  },
  {
    is: 'rows ended by EOF',
    agreement: OLD,
    payloads: [count(2), a, b, eof(), textRow('-5', 'é'), eof(2, 7)],
    outcome: { hasRows: true, rowCount: 1, status: 2, warningCount: 7 },
    rows: [[-5, 'é']],
  },
  {
    is: 'an empty result set',
    agreement: MODERN,
    payloads: [count(1), a, end()],
    outcome: { hasRows: true, rowCount: 0 },
    rows: [],
  },
  {
    is: 'several results: rows are summed, the last status counts',
    agreement: MODERN,
    payloads: [
      count(1),
      a,
      textRow('1'),
      end(MORE_RESULTS_EXISTS),
      ok(2, 9, MORE_RESULTS_EXISTS, 1),
      count(1),
      a,
      textRow('2'),
      textRow('3'),
      end(MORE_RESULTS_EXISTS),
      ok(1, 0, 1, 0),
    ],
    outcome: { hasRows: true, rowCount: 3, affectedRows: 3, lastInsertId: 9, status: 1, warningCount: 0 },
    rows: [[1], [2], [3]],
  },
  {
    is: 'a metadata byte that says columns follow',
    agreement: CACHING,
    payloads: [count(1, true), a, textRow('4'), end()],
    outcome: { rowCount: 1 },
    rows: [[4]],
  },
  {
    is: 'more than 255 packets: the sequence wraps around',
    agreement: MODERN,
    payloads: [count(1), a, ...Array.from({ length: 300 }, (_, index) => textRow(String(index))), end()],
    outcome: { rowCount: 300 },
    rows: Array.from({ length: 300 }, (_, index) => [index]),
  },
];

describe('replies', () => {
  test.each(RESULTS)('$is', ({ agreement, payloads, outcome, rows }) => {
    const counted = open(agreement);
    counted.phase.query('SELECT 1', counted.handler);
    counted.transport.arrive(stream(payloads));
    expect(counted.replies).toMatchObject([outcome]);

    const { phase, transport, replies, handler } = open(agreement);
    const sink = new ResultCollector('text');
    phase.queryWith('SELECT 1', { handler, sink });
    transport.arrive(stream(payloads));
    expect(replies).toMatchObject([outcome]);
    expect(sink.results.flatMap((result) => result.rows)).toEqual(rows);
  });

  test('an error leaves the connection usable', () => {
    const { phase, transport, replies, failures, handler } = open(MODERN);
    phase.query('UPDATE t', handler);
    transport.arrive(stream([err(1213, 'Deadlock found')]));
    expect(failures).toMatchObject([
      { name: 'ServerError', code: 1213, sqlState: '40001', symbol: 'ER_LOCK_DEADLOCK', message: 'Deadlock found' },
    ]);
    phase.query('ROLLBACK', handler);
    transport.arrive(stream([ok()]));
    expect(replies).toHaveLength(1);
  });

  test.each([
    { where: 'in the second of two statements', payloads: [ok(1, 0, MORE_RESULTS_EXISTS), err(1064, 'syntax')] },
    { where: 'amid rows', payloads: [count(1), a, textRow('1'), err(1317, 'interrupted')] },
    { where: 'amid columns', payloads: [count(2), a, err(1317, 'interrupted')] },
  ])('an error $where fails the statement, not the connection', ({ payloads }) => {
    const { phase, transport, failures, replies, handler, ends } = open(MODERN);
    phase.query('SELECT 1', handler);
    transport.arrive(stream(payloads));
    expect(failures).toHaveLength(1);
    expect(failures[0]).toBeInstanceOf(ServerError);
    expect(replies).toEqual([]);
    expect(ends).toEqual([]);
    expect(phase.isIdle).toBe(true);
  });

  test('the handler may send the next statement from within', () => {
    const { phase, transport, handler, replies } = open(MODERN);
    phase.query('SELECT 1', { onReply: () => phase.query('SELECT 2', handler), onFailure: handler.onFailure });
    transport.arrive(stream([ok(1)]));
    expect(transport.written).toHaveLength(2);
    transport.arrive(stream([ok(2)]));
    expect(replies).toMatchObject([{ affectedRows: 2 }]);
  });

  test('two statements at once are our own mistake', () => {
    const { phase, handler } = open(MODERN);
    phase.query('SELECT 1', handler);
    expect(() => phase.query('SELECT 2', handler)).toThrow('Assertion failed: a connection carries one statement');
  });

  test('a statement on a closed connection fails, and not at once', async () => {
    const { phase, transport, handler, failures } = open(MODERN);
    transport.close();
    phase.query('SELECT 1', handler);
    expect(failures).toEqual([]);
    await Promise.resolve();
    expect(failures).toMatchObject([{ name: 'WireError', kind: 'closed' }]);
    expect(transport.written).toEqual([]);
  });
});

describe('prepared statements', () => {
  const prepareOk = (columns: number, parameters: number) =>
    new PacketWriter().u8(0).u32(7).u16(columns).u16(parameters).u8(0).u16(0).payload();

  test.each([
    { agreement: MODERN, payloads: [prepareOk(1, 2), b, b, a], because: 'parameters, then columns' },
    { agreement: OLD, payloads: [prepareOk(1, 2), b, b, eof(), a, eof()], because: 'each list ends with EOF' },
    { agreement: OLD, payloads: [prepareOk(1, 0), a, eof()], because: 'no list, no EOF' },
    { agreement: OLD, payloads: [prepareOk(0, 2), b, b, eof()], because: 'no columns either' },
    { agreement: MODERN, payloads: [prepareOk(0, 0)], because: 'nothing at all' },
  ])('the answer to a prepare: $because', ({ agreement, payloads }) => {
    const { phase, transport, handler, replies } = open(agreement);
    phase.prepare('SELECT ?', handler);
    transport.arrive(stream(payloads));
    expect(replies).toHaveLength(1);
    const hasColumns = payloads.some((payload) => payload === a);
    expect(phase.prepared).toMatchObject({ id: 7, columns: hasColumns ? [{ name: 'a' }] : [] });
  });

  test.each([CACHING, CACHING_OLD])('columns that are not sent again are those sent before', (agreement) => {
    const { phase, transport, handler } = open(agreement);
    const types = newParameterTypes(7, 0);
    const shape = shapeOf();
    const ends = agreement === CACHING ? { columns: [], rows: end() } : { columns: [eof()], rows: eof() };
    // Nobody looks at the first execution's rows; its columns must be learnt all the same.
    phase.execute(types, shape, [], handler);
    transport.arrive(stream([count(1, true), a, ...ends.columns, binaryRow(5), ends.rows]));
    expect(shape.columns).toMatchObject([{ name: 'a', type: COLUMN_TYPE.LONG }]);
    const sink = new ResultCollector('binary');
    phase.executeWith(types, [], { handler, sink, shape });
    transport.arrive(stream([count(1, false), ...ends.columns, binaryRow(6), ends.rows]));
    expect(sink.main.rows).toEqual([[6]]);
  });

  test.each([
    { columns: 2, because: 'another number of columns was known' },
    { columns: 0, because: 'none was known' },
  ])('columns left out are refused where $because', ({ columns }) => {
    const { phase, transport, handler, failures } = open(CACHING);
    const known = Array.from({ length: columns }, () => ({ name: 'x' }) as Column);
    phase.execute(newParameterTypes(7, 0), shapeOf(known), [], handler);
    transport.arrive(stream([count(1, false), binaryRow(6), end()]));
    expect(failures).toMatchObject([{ kind: 'protocol' }]);
  });

  test('after an error the statement is told, so that it sends its types again', () => {
    const { phase, transport, handler } = open(MODERN);
    const shape = shapeOf();
    phase.execute(newParameterTypes(7, 0), shape, [], handler);
    transport.arrive(stream([err(1213, 'Deadlock')]));
    expect(shape.errors).toBe(1);
  });
});

describe('what the protocol does not allow ends the connection', () => {
  test.each([
    { is: 'an empty packet', payloads: [Buffer.alloc(0)] },
    { is: 'an OK that is cut short', payloads: [Buffer.from('00000002', 'hex')] },
    { is: 'an OK whose insert id has no end', payloads: [Buffer.from('0001fe0200000000', 'hex')] },
    { is: 'rows that end before they have begun', payloads: [end()] },
    { is: 'a column count with something after it', payloads: [Buffer.from('0201', 'hex')] },
    { is: 'a column that is cut short', payloads: [count(1), a.subarray(0, 20)], sees: true },
    { is: 'a text row that is cut short', payloads: [count(1), a, Buffer.from('0531', 'hex')], sees: true },
    { is: 'a text row that is too long', payloads: [count(1), a, textRow('1', '2')], sees: true },
    { is: 'letters in an integer column', payloads: [count(1), a, textRow('one')], sees: true },
    { is: 'a file nobody offered', payloads: [Buffer.from('\xfb/etc/passwd', 'latin1')] },
  ])('$is', ({ payloads, sees }) => {
    const { phase, transport, handler, failures, ends } = open(MODERN);
    if (sees === true) phase.queryWith('SELECT 1', { handler, sink: new ResultCollector('text') });
    else phase.query('SELECT 1', handler);
    transport.arrive(stream(payloads));
    expect(failures).toMatchObject([{ name: 'WireError', kind: 'protocol' }]);
    expect(ends).toEqual(failures);
    expect(transport.isDestroyed).toBe(true);
    expect(transport.written).toHaveLength(1);
  });

  test.each([
    { sequence: 0, because: 'that of a new exchange' },
    { sequence: 2, because: 'one too far' },
    { sequence: 255, because: 'one too few' },
  ])('packet number $sequence instead of 1: $because', ({ sequence }) => {
    const { phase, transport, handler, failures } = open(MODERN);
    phase.query('SELECT 1', handler);
    transport.arrive(framePayload(ok(), sequence));
    expect(failures).toMatchObject([{ kind: 'protocol', message: expect.stringContaining('out of order') }]);
  });

  test('a false length is not waited for when the number is wrong too', () => {
    const { phase, transport, handler, failures } = open(MODERN);
    phase.query('SELECT 1', handler);
    transport.arrive(Buffer.from('ffffff09', 'hex'));
    expect(failures).toMatchObject([{ kind: 'protocol' }]);
  });

  test('what follows a whole reply does not spoil it, and is not taken for the next one', () => {
    const { phase, transport, handler, replies, failures, ends } = open(MODERN);
    phase.query('SELECT 1', {
      onReply: (outcome) => {
        handler.onReply(outcome);
        phase.query('SELECT 2', handler);
      },
      onFailure: handler.onFailure,
    });
    transport.arrive(Buffer.concat([stream([ok(1)]), stream([ok(2)])]));
    expect(replies).toMatchObject([{ affectedRows: 1 }]);
    expect(ends).toMatchObject([{ kind: 'protocol', message: expect.stringContaining('nothing asked for') }]);
    expect(failures).toEqual([]);
    expect(transport.written).toHaveLength(1);
  });

  test('half a packet that came before the request is not its answer', () => {
    const { phase, transport, handler, replies, failures } = open(MODERN);
    const early = framePayload(ok(), 1);
    transport.arrive(early.subarray(0, 3));
    phase.query('SELECT 1', handler);
    transport.arrive(early.subarray(3));
    expect(replies).toEqual([]);
    expect(failures).toMatchObject([{ kind: 'protocol' }]);
  });
});

describe('a server that closes', () => {
  test('in the middle of a reply', () => {
    const { phase, transport, handler, failures, ends } = open(MODERN);
    phase.query('SELECT 1', handler);
    transport.arrive(stream([count(1), a]));
    transport.close();
    expect(failures).toMatchObject([{ kind: 'closed', message: expect.stringContaining('closed the connection') }]);
    expect(ends).toEqual(failures);
  });

  test.each([
    { code: 1927, symbol: 'ER_CONNECTION_KILLED', sequence: 0, busy: false },
    { code: 1053, symbol: 'ER_SERVER_SHUTDOWN', sequence: 3, busy: false },
    { code: 1053, symbol: 'ER_SERVER_SHUTDOWN', sequence: 0, busy: true },
  ])('says why unasked ($code, number $sequence, busy: $busy)', ({ code, symbol, sequence, busy }) => {
    for (const split of [0, 3, 6]) {
      const { phase, transport, handler, failures, ends } = open(MODERN);
      if (busy) phase.query('SELECT 1', handler);
      const words = framePayload(err(code, 'last words', '08S01'), sequence);
      transport.arrive(words.subarray(0, split));
      transport.arrive(words.subarray(split));
      const text = expect.stringContaining(`last words (${code}, ${symbol})`);
      expect(ends).toMatchObject([{ kind: 'closed', message: text, cause: { code, sqlState: '08S01' } }]);
      expect(failures).toHaveLength(busy ? 1 : 0);
    }
  });

  test('answers a long request before it has read it all', () => {
    const { phase, transport, handler, failures } = open(MODERN);
    phase.query(new Uint8Array(40 * 1024 * 1024), handler);
    transport.arrive(framePayload(err(1153, 'too big', '08S01'), 1));
    expect(failures).toMatchObject([{ kind: 'closed', message: expect.stringContaining('too big (1153') }]);
  });

  test('breaks off during a long request: the likely reason is named', () => {
    const { phase, transport, handler, failures } = open(MODERN);
    phase.query(new Uint8Array(20 * 1024 * 1024), handler);
    transport.close(new Error('write EPIPE'));
    expect(failures).toMatchObject([{ kind: 'closed', message: expect.stringContaining('max_allowed_packet') }]);
  });
});

describe('long packets', () => {
  const long = 'y'.repeat(0xff_ffff + 10);

  test('a request of 16 MiB and more goes as several packets, and the reply counts on', () => {
    const { phase, transport, handler, replies } = open(MODERN);
    phase.query(long, handler);
    const [request] = transport.written;
    expect(request!.readUIntLE(0, 3)).toBe(0xff_ffff);
    expect(request!.length).toBe(long.length + 1 + 8);
    expect(phase.channel.bytesSent).toBe(request!.length);
    transport.arrive(stream([ok()], 2));
    expect(replies).toHaveLength(1);
  });

  test('a row of 16 MiB and more comes as several packets, in chunks of any size', () => {
    const row = framePayload(textRow(long), 3);
    const bytes = Buffer.concat([stream([count(1), b]), row, framePayload(end(), 5)]);
    for (const chunk of [bytes.length, 1_000_003]) {
      const { phase, transport, handler, replies } = open(MODERN);
      const sink = new ResultCollector('text');
      phase.queryWith('SELECT 1', { handler, sink });
      for (let offset = 0; offset < bytes.length; offset += chunk)
        transport.arrive(bytes.subarray(offset, offset + chunk));
      expect(replies).toHaveLength(1);
      expect((sink.main.rows[0]![0] as string) === long).toBe(true);
      expect(phase.channel.bytesReceived).toBe(bytes.length);
    }
  });
});

/** A reply with everything in it that a state can follow. */
const EVERYTHING = RESULTS.find((result) => result.is.startsWith('several'))!;

function rowsOf(chunks: readonly Uint8Array[], agreement: Agreement) {
  const tried = open(agreement);
  const sink = new ResultCollector('text');
  tried.phase.queryWith('SELECT 1', { handler: tried.handler, sink });
  for (const chunk of chunks) tried.transport.arrive(chunk);
  return { ...tried, results: sink.results };
}

describe('chunks', () => {
  test.each(RESULTS.filter((result) => result.payloads.length < 100))('every split in two: $is', (result) => {
    const bytes = stream(result.payloads);
    const whole = rowsOf([bytes], result.agreement);
    for (let at = 1; at < bytes.length; at++) {
      const split = rowsOf([bytes.subarray(0, at), bytes.subarray(at)], result.agreement);
      expect(split.results).toEqual(whole.results);
      expect(split.replies).toEqual(whole.replies);
      expect(split.failures).toEqual([]);
    }
  });

  test('any split in many gives the same', () => {
    const bytes = stream(EVERYTHING.payloads);
    const whole = rowsOf([bytes], EVERYTHING.agreement);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: bytes.length }), { maxLength: 30 }), (cuts) => {
        const ends = [...cuts, bytes.length].sort((x, y) => x - y);
        const chunks = ends.map((to, index) => bytes.subarray(ends[index - 1] ?? 0, to));
        const split = rowsOf(chunks, EVERYTHING.agreement);
        expect(split.results).toEqual(whole.results);
        expect(split.replies).toEqual(whole.replies);
      }),
    );
  });

  test('a stream cut after every byte fails once, as closed', () => {
    const bytes = stream(EVERYTHING.payloads);
    for (let at = 0; at < bytes.length; at++) {
      const { transport, failures, replies, ends } = rowsOf([bytes.subarray(0, at)], EVERYTHING.agreement);
      transport.close();
      expect(failures).toMatchObject([{ kind: 'closed' }]);
      expect(ends).toHaveLength(1);
      expect(replies).toEqual([]);
    }
  });
});

/** Whatever comes, the handler hears exactly once, and no exception reaches the socket. */
function expectOneAnswer({ transport, replies, failures, ends }: Tried): void {
  transport.close();
  expect(replies.length + failures.length).toBe(1);
  expect(ends).toHaveLength(1);
  for (const failure of failures) expect(failure instanceof WireError || failure instanceof ServerError).toBe(true);
}

describe('damage', () => {
  const agreements = fc.constantFrom(MODERN, OLD, CACHING, CACHING_OLD);

  test('one changed byte anywhere', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RESULTS.slice(0, 6)), fc.nat(), fc.nat({ max: 255 }), (result, where, value) => {
        const bytes = stream(result.payloads);
        bytes[where % bytes.length] = value;
        expectOneAnswer(rowsOf([bytes], result.agreement));
      }),
      { numRuns: 2_000 },
    );
  });

  test('random packets in good sequence, in every state', () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(ok(), end(), eof(), a, b, count(1), count(1, true), count(1, false), textRow('1'), binaryRow(1)),
    );
    const request = fc.constantFrom('text', 'binary', 'counted', 'prepare', 'ping');
    fc.assert(
      fc.property(agreements, request, fc.array(payload, { maxLength: 8 }), (agreement, kind, payloads) => {
        const tried = open(agreement);
        const { phase, handler, transport } = tried;
        const types = newParameterTypes(1, 0);
        if (kind === 'text') phase.queryWith('x', { handler, sink: new ResultCollector('text') });
        if (kind === 'binary') {
          phase.executeWith(types, [], { handler, sink: new ResultCollector('binary'), shape: shapeOf() });
        }
        if (kind === 'counted') phase.execute(types, shapeOf(), [], handler);
        if (kind === 'prepare') phase.prepare('x', handler);
        if (kind === 'ping') phase.command(COMMAND.PING, handler);
        transport.arrive(stream(payloads));
        expectOneAnswer(tried);
      }),
      { numRuns: 3_000 },
    );
  });

  test('random bytes in random chunks', () => {
    fc.assert(
      fc.property(agreements, fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 }), (agreement, chunks) => {
        expectOneAnswer(rowsOf(chunks, agreement));
      }),
      { numRuns: 2_000 },
    );
  });
});
