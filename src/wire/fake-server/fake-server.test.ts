import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { framePayload } from '../bytes/frame.ts';
import { startFakeServer } from './fake-server.ts';
import {
  cutAfterBytes,
  delayPacket,
  type Fault,
  garbage,
  replacePacket,
  splitAt,
  stallAfterBytes,
  truncatePacket,
  wrongLength,
  wrongSequence,
} from './faults.ts';
import { Inbox } from './inbox.ts';

/** Every fault is tried on a server whose first words are these two packets. */
const FIRST = framePayload(Buffer.from('first'), 0);
const SECOND = framePayload(Buffer.from('second'), 1);
const WORDS = { is: 'bytes', bytes: Buffer.concat([FIRST, SECOND]) } as const;

async function startWith(...faults: readonly Fault[]) {
  const server = await startFakeServer({ firstWords: WORDS, faults: () => faults });
  return { server, socket: connect(server.port, '127.0.0.1') };
}

async function receive(socket: Socket, byteCount: number): Promise<Buffer> {
  let received = Buffer.alloc(0);
  while (received.length < byteCount) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
  }
  return received;
}

test.each([
  { fault: wrongSequence(1, 3), sent: [FIRST, framePayload(Buffer.from('second'), 4)] },
  { fault: truncatePacket(0, 2), sent: [framePayload(Buffer.from('fi'), 0), SECOND] },
  { fault: wrongLength(0, 1), sent: [Buffer.concat([Buffer.of(6), FIRST.subarray(1)]), SECOND] },
  { fault: replacePacket(1, Buffer.from('other')), sent: [FIRST, framePayload(Buffer.from('other'), 1)] },
  { fault: garbage(9, Buffer.from('???')), sent: [FIRST, Buffer.from('???'), SECOND] },
])('$fault.is changes just that', async ({ fault, sent }) => {
  const expected = Buffer.concat(sent);
  const { server, socket } = await startWith(fault);
  await using _ = server;
  expect(await receive(socket, expected.length)).toEqual(expected);
});

test.each([0, 1, 4, 9, 12])('cut after %d bytes: these arrive, then the end', async (byteCount) => {
  const { server, socket } = await startWith(cutAfterBytes(byteCount));
  await using _ = server;
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks)).toEqual(WORDS.bytes.subarray(0, byteCount));
});

test('an abrupt cut is a reset', async () => {
  const { server, socket } = await startWith(cutAfterBytes(3, { abruptly: true }));
  await using _ = server;
  const [failure] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(failure.code).toBe('ECONNRESET');
});

test('a stall sends its bytes and keeps the connection open', async () => {
  const { server, socket } = await startWith(stallAfterBytes(3));
  await using _ = server;
  expect(await receive(socket, 3)).toEqual(WORDS.bytes.subarray(0, 3));
  await setImmediate();
  await setImmediate();
  expect(server.connections[0]).toMatchObject({ isOpen: true, bytesSent: 3 });
});

test('a delayed packet waits for its promise', async () => {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { server, socket } = await startWith(delayPacket(1, until));
  await using _ = server;
  expect(await receive(socket, FIRST.length)).toEqual(FIRST);
  release();
  expect(await receive(socket, SECOND.length)).toEqual(SECOND);
});

test('a split stream arrives piece by piece', async () => {
  const pause = async () => {
    await setImmediate();
    await setImmediate();
  };
  const { server, socket } = await startWith(splitAt([2, 9], pause));
  await using _ = server;
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  while (chunks.reduce((sum, chunk) => sum + chunk.length, 0) < WORDS.bytes.length) await setImmediate();
  expect(Buffer.concat(chunks)).toEqual(WORDS.bytes);
  expect(chunks[0]).toEqual(FIRST.subarray(0, 2));
});

test('the inbox makes packets of any chunks, long payloads of their parts', () => {
  const long = Buffer.alloc(0xff_ffff + 5, 7);
  const stream = Buffer.concat([
    framePayload(Buffer.from('ab'), 0),
    framePayload(long, 0),
    framePayload(Buffer.of(), 3),
  ]);
  for (const size of [1_000_000, 0xff_ffff + 10, stream.length]) {
    const seen: [number, number, number][] = [];
    const inbox = new Inbox(({ payload, sequence, sequenceNext }) =>
      seen.push([payload.length, sequence, sequenceNext]),
    );
    for (let from = 0; from < stream.length; from += size) inbox.receive(stream.subarray(from, from + size));
    expect(seen).toEqual([
      [2, 0, 1],
      [long.length, 0, 2],
      [0, 3, 4],
    ]);
  }
});

test('closing drops connections, and the port is free', async () => {
  const server = await startFakeServer();
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'data');
  await server.close();
  await once(socket, 'close');
  const again = connect(server.port, '127.0.0.1');
  const [failure] = (await once(again, 'error')) as [NodeJS.ErrnoException];
  expect(failure.code).toBe('ECONNREFUSED');
});
