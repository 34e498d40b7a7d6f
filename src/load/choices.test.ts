import { expect, test } from 'vitest';
import { UserError } from '../base/errors.ts';
import { createRandom } from '../base/random.ts';
import type { Session } from '../workload/workload.ts';
import { choicesOf, choose } from './choices.ts';
import { Names } from './recorder.ts';

const run = async () => {};

function draw(session: Session, times: number): Record<string, number> {
  const choices = choicesOf(session, new Names());
  const random = createRandom(3);
  const drawn: Record<string, number> = {};
  for (let time = 0; time < times; time++) {
    const { name } = choose(choices, random);
    drawn[name] = (drawn[name] ?? 0) + 1;
  }
  return drawn;
}

test('transactions are drawn by weight', () => {
  const drawn = draw({ often: { weight: 9, run }, seldom: { weight: 1, run } }, 10_000);
  // Of 10,000 draws with p = 0.1 the standard deviation is 30.
  expect(Math.abs(drawn['seldom']! - 1_000)).toBeLessThan(150);
  expect(drawn['often']! + drawn['seldom']!).toBe(10_000);
});

test('a weight of zero leaves a transaction out', () => {
  expect(draw({ on: { weight: 0.5, run }, off: { weight: 0, run } }, 50)).toEqual({ on: 50 });
});

test('the only transaction draws nothing from the stream, which belongs to the workload', () => {
  const random = createRandom(5);
  choose(choicesOf({ only: { weight: 1, run } }, new Names()), random);
  expect(random.next()).toBe(createRandom(5).next());
});

test('a workload without any weight is refused', () => {
  expect(() => choicesOf({ off: { weight: 0, run } }, new Names())).toThrow(UserError);
});

test('a weight that is no number is a mistake of the workload', () => {
  expect(() => choicesOf({ odd: { weight: Number.NaN, run } }, new Names())).toThrow("weight of transaction 'odd'");
});
