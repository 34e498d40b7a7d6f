/** The events of the tests that need no disk. Those that need several threads run in test/server/machine.test.ts. */
import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../base/options.ts';
import { HOST_TEST_NAMES } from '../model/host-test.ts';
import { CONTROL_BYTES, Control } from './control.ts';
import { createCpuRunner, primesUpTo } from './cpu.ts';
import type { LoopLimits } from './event-loop.ts';
import type { HostTest } from './host-test.ts';
import { hostTest } from './host-tests.ts';
import { lockMutex, unlockMutex } from './lock.ts';
import { readWords, writeWords } from './memory.ts';
import type { FromThread } from './messages.ts';
import { serveThread } from './thread.ts';

const LIMITS: LoopLimits = { timeMs: Number.POSITIVE_INFINITY, intervalMs: 1_000_000, eventsMax: 1_000_000 };

/** One thread's whole life, in this thread: for tests whose threads need no other. */
function runAlone(name: 'cpu' | 'memory' | 'mutex', changes: Readonly<Record<string, unknown>>, eventsMax: number) {
  const test = hostTest(name);
  const values = { ...defaultsOf(test.options), ...changes };
  const needs = test.threadNeeds(values as never, 1);
  const shared = needs.sharedBytes === undefined ? undefined : new SharedArrayBuffer(needs.sharedBytes);
  const control = new SharedArrayBuffer(CONTROL_BYTES);
  new Control(control, eventsMax).go();
  const messages: FromThread[] = [];
  const place = { thread: 0, seed: 1, shared, fileDescriptors: [] };
  const limits = { ...LIMITS, eventsMax: needs.eventsPerThread ?? LIMITS.eventsMax };
  serveThread({ is: 'runner', runner: name, values, place, limits, eventsMax, control }, (message) =>
    messages.push(message),
  );
  const end = messages.at(-1);
  if (end?.is !== 'ended') throw new Error(`ended with ${JSON.stringify(end)}`);
  const { counts, latency } = end.end.rest;
  const sums = { elapsedS: end.end.elapsedMs / 1_000, events: latency.count, counts, shared };
  return { messages, events: latency.count, counts, measured: test.measured(values as never, sums) };
}

describe('cpu', () => {
  test.each([
    { max: 2, primes: 1 },
    { max: 10, primes: 4 },
    { max: 25, primes: 9 },
    { max: 100, primes: 25 },
    { max: 10_000, primes: 1_229 },
    { max: 100_000, primes: 9_592 },
  ])('there are $primes primes up to $max', ({ max, primes }) => {
    expect(primesUpTo(max)).toBe(primes);
  });

  test('every event finds them all', () => {
    const { events, counts, measured, messages } = runAlone('cpu', { cpu_max_prime: 10_000 }, 7);
    expect(events).toBe(7);
    expect(counts).toEqual({ primes: 7 * 1_229 });
    expect(measured).toEqual({ test: 'cpu', maxPrime: 10_000, primesPerEvent: 1_229 });
    expect(messages.map(({ is }) => is)).toEqual(['ready', 'ended']);
  });

  test('a wrong number of primes makes the result invalid', () => {
    const findings = (primesPerEvent: number) =>
      hostTest('cpu').findings?.({ measured: { test: 'cpu', maxPrime: 10, primesPerEvent }, isWhole: true });
    expect(findings(4)).toEqual([]);
    expect(findings(4.25)).toMatchObject([{ id: 'wrong-results', severity: 'invalid' }]);
  });

  test('a runner counts what it was told to run', () => {
    const runner = createCpuRunner(100);
    runner.run(3);
    runner.run(2);
    expect(runner.counts()).toEqual({ primes: 5 * 25 });
  });
});

describe('memory', () => {
  test.each([
    { block: '1K', oper: 'write', mode: 'seq', scope: 'global' },
    { block: '8', oper: 'read', mode: 'seq', scope: 'global' },
    { block: '64', oper: 'write', mode: 'rnd', scope: 'local' },
    { block: '16K', oper: 'read', mode: 'rnd', scope: 'local' },
    { block: '1M', oper: 'none', mode: 'seq', scope: 'local' },
  ])('$oper $mode $scope of blocks of $block: bytes are events times block', ({ block, oper, mode, scope }) => {
    const changes = {
      memory_block_size: block,
      memory_oper: oper,
      memory_access_mode: mode,
      memory_scope: scope,
    };
    const { events, counts, measured } = runAlone('memory', changes, 300);
    const blockBytes = { '1K': 1_024, '8': 8, '64': 64, '16K': 16_384, '1M': 1_048_576 }[block] ?? 0;
    expect(events).toBe(300);
    expect(counts).toEqual({ bytes: 300 * blockBytes });
    expect(measured).toMatchObject({ operation: `${oper} ${mode}`, blockBytes, bytes: 300 * blockBytes });
  });

  test.each([1, 2, 4, 8, 64, 4_096])('a block of %i words is written and read to the last one', (length) => {
    const words = new Float64Array(length).fill(-1);
    writeWords(words, 3);
    expect([...words]).toEqual(Array(length).fill(3));
    expect(readWords(words)).toBe(3 * length);
    expect(readWords(words.map((_, at) => at))).toBe((length * (length - 1)) / 2);
  });

  test.each([
    { size: '1K', total: '100G', events: 104_857_600 },
    { size: '1M', total: '10M', events: 10 },
    { size: '1M', total: '0', events: undefined },
  ])('--memory-total-size=$total in blocks of $size is $events events', ({ size, total, events }) => {
    const memory = hostTest('memory');
    const values = { ...defaultsOf(memory.options), memory_block_size: size, memory_total_size: total };
    expect(memory.threadNeeds(values as never, 1).eventsMax).toBe(events);
  });
});

describe('mutex', () => {
  test('every lock is counted inside, by one thread as by many', () => {
    const changes = { mutex_num: 16, mutex_locks: 1_000, mutex_loops: 5 };
    const { events, measured } = runAlone('mutex', changes, 0);
    expect(events).toBe(1);
    expect(measured).toEqual({ test: 'mutex', locks: 1_000, counted: 1_000, lockWaits: 0 });
  });

  test.each([
    { counted: 99, isWhole: true, findings: ['wrong-results'], because: 'two threads were inside at once' },
    { counted: 100, isWhole: true, findings: [], because: 'all is as it should be' },
    { counted: 120, isWhole: false, findings: [], because: 'of an event that was cut off, only the counters know' },
  ])('$counted counted of 100 locks: $because', ({ counted, isWhole, findings }) => {
    const measured = { test: 'mutex', locks: 100, counted, lockWaits: 0 } as const;
    const found = hostTest('mutex').findings?.({ measured, isWhole }) ?? [];
    expect(found.map(({ id }) => id)).toEqual(findings);
  });

  test('a free lock is taken at once, and is free again afterwards', () => {
    const words = new Int32Array(new SharedArrayBuffer(3 * 64));
    expect(lockMutex(words, 1)).toBe(false);
    expect([...words].filter((word) => word !== 0)).toHaveLength(1);
    unlockMutex(words, 1);
    expect(lockMutex(words, 1)).toBe(false);
    unlockMutex(words, 1);
    expect([...words].every((word) => word === 0)).toBe(true);
  });
});

describe.each(HOST_TEST_NAMES)('%s', (name) => {
  const definition: HostTest = hostTest(name);

  test('says what it tells and how it compares', () => {
    expect(definition.name).toBe(name);
    expect(definition.summary).toMatch(/^[a-z].*[^.]$/);
    for (const paragraph of definition.details) expect(paragraph).toMatch(/^[A-Z].*\.$/s);
    expect(definition.comparison(defaultsOf(definition.options) as never)).toMatch(/^\S.*\.$/s);
  });

  test('its defaults are right, all of them', () => {
    expect(definition.problems?.(defaultsOf(definition.options) as never) ?? []).toEqual([]);
  });
});
