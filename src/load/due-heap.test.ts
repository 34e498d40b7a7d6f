import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DueHeap } from './due-heap.ts';

test('gives the earliest first, whatever the order in which they came', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 60 }), (dues) => {
      const heap = new DueHeap(dues.length);
      for (const [number, dueMs] of dues.entries()) heap.push(number, dueMs);
      const taken = dues.map(() => {
        const dueMs = heap.nextDueMs;
        expect(dues[heap.shift()]).toBe(dueMs);
        return dueMs;
      });
      expect(taken).toEqual([...dues].sort((one, other) => one - other));
    }),
  );
});

test('takes a number again once it was taken away', () => {
  const heap = new DueHeap(2);
  heap.push(0, 10);
  heap.push(1, 20);
  expect(heap.shift()).toBe(0);
  heap.push(0, 30);
  expect([heap.shift(), heap.shift()]).toEqual([1, 0]);
  expect(heap.nextDueMs).toBe(Number.POSITIVE_INFINITY);
});
