/** The connection phase over a transport in memory: greetings of real servers, and of false ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { framePayload, joinPackets } from '../bytes/frame.ts';
import { PacketReader } from '../bytes/reader.ts';
import { PacketWriter } from '../bytes/writer.ts';
import { Channel } from '../channel.ts';
import { CAPABILITY, MARIADB_CAPABILITY } from '../constants.ts';
import { ServerError, WireError } from '../errors.ts';
import { MemoryTransport } from '../memory-transport.ts';
import type { ConnectOptions } from '../types.ts';
import { PacketQueue, type Session, shakeHands } from './handshake.ts';

const ALL = 0xffff_ffff & ~CAPABILITY.SSL;
const OK = Buffer.from('00000002000000', 'hex');

interface GreetingParts {
  readonly version?: string;
  readonly capabilities?: number;
  readonly mariadbCapabilities?: number;
  readonly plugin?: string;
}

function greeting(parts: GreetingParts = {}): Buffer {
  const { version = '8.0.40', capabilities = ALL, mariadbCapabilities = 0, plugin = 'caching_sha2_password' } = parts;
  return new PacketWriter()
    .u8(10)
    .nulTerminatedText(version)
    .u32(4711)
    .text('abcdefgh')
    .u8(0)
    .u16(capabilities & 0xffff)
    .u8(255)
    .u16(2)
    .u16(capabilities >>> 16)
    .u8(21)
    .zeros(6)
    .u32(mariadbCapabilities)
    .nulTerminatedText('ijklmnopqrst')
    .nulTerminatedText(plugin)
    .payload();
}

const error = (code: number, message: string) => new PacketWriter().u8(0xff).u16(code).text(message).payload();
const authSwitch = (plugin: string, nonce: Uint8Array) =>
  new PacketWriter().u8(0xfe).nulTerminatedText(plugin).bytes(nonce).payload();
const more = (...bytes: number[]) => Buffer.from([1, ...bytes]);

class Talk {
  readonly transport = new MemoryTransport();
  readonly channel: Channel;
  readonly session: Promise<Session>;

  constructor(options: Partial<ConnectOptions> = {}) {
    const queue = new PacketQueue();
    this.channel = new Channel(this.transport, queue);
    const plain = { user: 'ann', password: 'secret', sslMode: 'PREFERRED' } as const;
    this.session = shakeHands(this.channel, queue, { ...plain, ...options });
    this.session.catch(() => {});
  }

  /** The server's next packet; resolves when we have had time to answer. */
  async says(payload: Uint8Array, sequence: number): Promise<void> {
    this.transport.arrive(framePayload(payload, sequence));
    await new Promise(setImmediate);
  }

  /** Our packets so far. */
  get answers(): { payload: Buffer; sequence: number }[] {
    return this.transport.written.map((bytes) => joinPackets(bytes)!);
  }
}

function readResponse(payload: Buffer) {
  const reader = new PacketReader(payload);
  const capabilities = reader.u32();
  const packetMax = reader.u32();
  const charset = reader.u8();
  reader.skip(19);
  const mariadbCapabilities = reader.u32();
  const user = reader.nulTerminatedText();
  const answer = Buffer.from(reader.lenencBytes()).toString('hex');
  const database = (capabilities & CAPABILITY.CONNECT_WITH_DB) === 0 ? undefined : reader.nulTerminatedText();
  const plugin = reader.nulTerminatedText();
  const attributes: string[] = [];
  const list = new PacketReader(reader.lenencBytes());
  while (list.remaining > 0) attributes.push(list.lenencText());
  expect(reader.remaining).toBe(0);
  return { capabilities, packetMax, charset, mariadbCapabilities, user, answer, database, plugin, attributes };
}

describe('greeting and response', () => {
  test('MySQL 8: what both can do, and the fast path of caching_sha2_password', async () => {
    const talk = new Talk({ database: 'shop', attributes: { program_name: 'x', _pid: '7' }, multiStatements: true });
    await talk.says(greeting(), 0);
    const [response] = talk.answers;
    expect(response!.sequence).toBe(1);
    const parts = readResponse(response!.payload);
    expect(parts).toMatchObject({
      user: 'ann',
      database: 'shop',
      plugin: 'caching_sha2_password',
      charset: 45,
      packetMax: 0x4000_0000,
      mariadbCapabilities: 0,
      attributes: ['program_name', 'x', '_pid', '7'],
    });
    expect(parts.answer).toHaveLength(64);
    const { DEPRECATE_EOF, LOCAL_FILES, MULTI_STATEMENTS, MULTI_RESULTS, PS_MULTI_RESULTS } = CAPABILITY;
    const wanted = DEPRECATE_EOF | LOCAL_FILES | MULTI_STATEMENTS | MULTI_RESULTS | PS_MULTI_RESULTS;
    expect(parts.capabilities & wanted).toBe(wanted);
    const { COMPRESS, SSL, FOUND_ROWS, SESSION_TRACK, QUERY_ATTRIBUTES } = CAPABILITY;
    expect(parts.capabilities & (COMPRESS | SSL | FOUND_ROWS | SESSION_TRACK | QUERY_ATTRIBUTES)).toBe(0);
    await talk.says(more(3), 2);
    await talk.says(OK, 3);
    const { server } = await talk.session;
    expect(server).toEqual({
      flavor: 'mysql',
      version: '8.0.40',
      connectionId: 4711,
      capabilities: parts.capabilities,
      tls: undefined,
    });
  });

  test('MariaDB: the prefix is removed, and the further capabilities are answered', async () => {
    const talk = new Talk({ foundRows: true });
    const capabilities = ALL & ~CAPABILITY.LONG_PASSWORD;
    const plugin = 'mysql_native_password';
    await talk.says(
      greeting({ version: '5.5.5-10.11.19-MariaDB', capabilities, mariadbCapabilities: 0xff, plugin }),
      0,
    );
    const parts = readResponse(talk.answers[0]!.payload);
    expect(parts.mariadbCapabilities).toBe(MARIADB_CAPABILITY.CACHE_METADATA);
    expect(parts.capabilities & CAPABILITY.LONG_PASSWORD).toBe(0);
    expect(parts.capabilities & CAPABILITY.FOUND_ROWS).not.toBe(0);
    expect(parts).toMatchObject({ plugin, database: undefined, attributes: [] });
    await talk.says(OK, 2);
    expect((await talk.session).server).toMatchObject({ flavor: 'mariadb', version: '10.11.19-MariaDB' });
  });

  test('what MySQL has in the place of the further capabilities is not taken for them', async () => {
    const talk = new Talk();
    await talk.says(greeting({ mariadbCapabilities: 0xff }), 0);
    expect(readResponse(talk.answers[0]!.payload).mariadbCapabilities).toBe(0);
  });

  test.each([
    {
      is: 'an error instead of a greeting',
      payload: error(1040, 'Too many connections'),
      failure: { name: 'ServerError', code: 1040 },
    },
    { is: 'an old protocol', payload: Buffer.from('0961', 'hex'), failure: { name: 'WireError', kind: 'protocol' } },
    { is: 'HTTP', payload: Buffer.from('HTTP/1.1 400 Bad Request'), failure: { name: 'WireError', kind: 'protocol' } },
    { is: 'half a greeting', payload: greeting().subarray(0, 20), failure: { name: 'WireError', kind: 'protocol' } },
    {
      is: 'a server before 4.1',
      payload: greeting({ capabilities: 0 }),
      failure: { name: 'WireError', kind: 'protocol' },
    },
    { is: 'an empty packet', payload: Buffer.alloc(0), failure: { name: 'WireError', kind: 'protocol' } },
  ])('$is', async ({ payload, failure }) => {
    const talk = new Talk();
    await talk.says(payload, 0);
    await expect(talk.session).rejects.toMatchObject(failure);
    expect(talk.answers).toEqual([]);
  });

  test('a refusal is the ServerError that it is', async () => {
    const talk = new Talk();
    await talk.says(greeting(), 0);
    await talk.says(error(1045, '#28000Access denied'), 2);
    await expect(talk.session).rejects.toMatchObject({
      code: 1045,
      sqlState: '28000',
      symbol: 'ER_ACCESS_DENIED_ERROR',
      message: 'Access denied',
    });
  });
});

describe('switching the plugin', () => {
  test('from what the server greets with to what the user has', async () => {
    const talk = new Talk();
    await talk.says(greeting({ plugin: 'mysql_native_password' }), 0);
    await talk.says(authSwitch('client_ed25519', Buffer.alloc(32, 7)), 2);
    expect(talk.answers[1]).toMatchObject({ sequence: 3, payload: { length: 64 } });
    await talk.says(authSwitch('mysql_native_password', Buffer.from('tsrqponmlkjihgfedcba\0')), 4);
    expect(talk.answers[2]).toMatchObject({ sequence: 5, payload: { length: 20 } });
    await talk.says(OK, 6);
    await expect(talk.session).resolves.toBeDefined();
  });

  test.each([
    { is: 'an unknown plugin', payload: authSwitch('dialog', Buffer.alloc(0)), text: "'dialog'" },
    { is: 'the old hash', payload: Buffer.of(0xfe), text: 'mysql_old_password' },
    { is: 'the password in clear', payload: authSwitch('mysql_clear_password', Buffer.alloc(0)), text: 'ssl-mode' },
  ])('$is is refused without an answer', async ({ payload, text }) => {
    const talk = new Talk();
    await talk.says(greeting(), 0);
    await talk.says(payload, 2);
    await expect(talk.session).rejects.toMatchObject({ kind: 'auth', message: expect.stringContaining(text) });
    expect(talk.answers).toHaveLength(1);
  });

  test('a server that switches for ever is left', async () => {
    const talk = new Talk();
    await talk.says(greeting(), 0);
    for (let index = 0; index < 16; index++) {
      await talk.says(authSwitch('mysql_native_password', Buffer.alloc(21, 1)), 2 + 2 * index);
    }
    await expect(talk.session).rejects.toMatchObject({ kind: 'protocol' });
  });
});

describe('a false server', () => {
  test.each([
    { is: 'more data without a plugin that knows it', payloads: [more(9)] },
    { is: 'a packet that has no place here', payloads: [Buffer.of(0x42)] },
    { is: 'a packet behind the OK', payloads: [OK, OK] },
    {
      is: 'a request and a verdict before our answer',
      payloads: [authSwitch('mysql_native_password', Buffer.alloc(21, 1)), OK],
    },
  ])('$is', async ({ payloads }) => {
    const talk = new Talk();
    await talk.says(greeting(), 0);
    const bytes = payloads.map((payload, index) => framePayload(payload, 2 + index));
    talk.transport.arrive(Buffer.concat(bytes));
    await expect(talk.session).rejects.toMatchObject({ kind: 'protocol' });
  });

  test('data in clear behind the greeting, before TLS', async () => {
    const talk = new Talk();
    const bytes = [framePayload(greeting({ capabilities: 0xffff_ffff }), 0), framePayload(OK, 1)];
    talk.transport.arrive(Buffer.concat(bytes));
    await expect(talk.session).rejects.toMatchObject({ kind: 'protocol', message: expect.stringContaining('TLS') });
    expect(talk.answers).toEqual([]);
  });

  test.each(['REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const)(
    'no TLS offered, and ssl-mode %s',
    async (sslMode) => {
      const talk = new Talk({ sslMode });
      await talk.says(greeting(), 0);
      await expect(talk.session).rejects.toMatchObject({ kind: 'tls' });
      expect(talk.answers).toEqual([]);
    },
  );

  test('PREFERRED goes on in clear only where the server does not offer TLS', async () => {
    const talk = new Talk();
    await talk.says(greeting({ capabilities: 0xffff_ffff }), 0);
    expect(talk.answers[0]!.payload).toHaveLength(32);
    const plain = new Talk();
    await plain.says(greeting(), 0);
    expect(plain.answers[0]!.payload.length).toBeGreaterThan(32);
  });

  test('closing in the middle', async () => {
    const talk = new Talk();
    await talk.says(greeting(), 0);
    talk.transport.close();
    await expect(talk.session).rejects.toMatchObject({ kind: 'closed' });
  });

  test('random packets never hang it once the server closes, and never show the password', async () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(OK, more(3), more(4), authSwitch('sha256_password', Buffer.alloc(21, 1)), error(1045, 'no')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(payload, { maxLength: 5 }), async (payloads) => {
        const talk = new Talk({ allowPublicKeyRetrieval: true });
        await talk.says(greeting(), 0);
        for (const [index, one] of payloads.entries()) await talk.says(one, 2 + 2 * index);
        talk.transport.close();
        const outcome = await talk.session.catch((failure: unknown) => failure);
        if (!(outcome instanceof Error)) return;
        expect(outcome instanceof WireError || outcome instanceof ServerError).toBe(true);
        expect(`${outcome.stack}${JSON.stringify(outcome)}`).not.toContain('secret');
      }),
      { numRuns: 300 },
    );
  });
});
