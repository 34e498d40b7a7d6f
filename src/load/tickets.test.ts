import { expect, test } from 'vitest';
import { TICKETS_BYTES, Tickets } from './tickets.ts';

function shared(nextIndex = 0, claimed = 0): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(TICKETS_BYTES);
  new Uint32Array(buffer).set([nextIndex, claimed]);
  return buffer;
}

test('two workers get every number once and in order', () => {
  const buffer = shared();
  const [one, other] = [new Tickets(buffer, 0), new Tickets(buffer, 0)];
  const numbers = [one.nextIndex(), other.nextIndex(), other.nextIndex(), one.nextIndex()];
  expect(numbers).toEqual([0, 1, 2, 3]);
});

test('the limit of events is exact over all workers', () => {
  const buffer = shared();
  const workers = [new Tickets(buffer, 3), new Tickets(buffer, 3)];
  const claims = Array.from({ length: 6 }, (_, at) => workers[at % 2]!.claim());
  expect(claims.filter(Boolean)).toHaveLength(3);
  expect(workers.every((worker) => worker.isExhausted)).toBe(true);
});

test('without a limit claims are never exhausted', () => {
  const tickets = new Tickets(shared(), 0);
  expect(tickets.claim()).toBe(true);
  expect(tickets.isExhausted).toBe(false);
});

test('numbers go on beyond 32 bits: the shared counter wraps, those who read it carry', () => {
  const buffer = shared(2 ** 32 - 2);
  const [one, other] = [new Tickets(buffer, 0), new Tickets(buffer, 0)];
  const numbers = [one.nextIndex(), other.nextIndex(), one.nextIndex(), other.nextIndex()];
  expect(numbers).toEqual([2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1]);
});
