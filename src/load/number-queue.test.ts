import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberQueue } from './number-queue.ts';

test('gives back in the order of coming, and refuses beyond its capacity', () => {
  const steps = fc.array(fc.oneof(fc.constant('shift' as const), fc.integer()), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), steps, (capacity, taken) => {
      const queue = new NumberQueue(capacity);
      const model: number[] = [];
      for (const step of taken) {
        if (step === 'shift') {
          expect(queue.shift()).toBe(model.shift() ?? Number.NaN);
        } else {
          expect(queue.push(step)).toBe(model.length < capacity);
          if (model.length < capacity) model.push(step);
        }
        expect(queue.length).toBe(model.length);
      }
    }),
  );
});
