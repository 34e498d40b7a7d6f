import { expect, test } from 'vitest';
import type { Choice } from './choices.ts';
import { choiceInSequence, eventsOfSequence } from './sequence.ts';

const SEQUENCE = [
  { transaction: 'create', events: 2 },
  { transaction: 'nothing', events: 0 },
  { transaction: 'read', events: 3 },
];
const CHOICES = ['read', 'create', 'nothing'].map((name, id): Choice => {
  return { id, name, upTo: id + 1, transaction: { weight: 1, run: async () => {} } };
});

test('parts follow each other, each with its number of events', () => {
  expect(eventsOfSequence(SEQUENCE)).toBe(5);
  const names = [0, 1, 2, 3, 4].map((index) => choiceInSequence(SEQUENCE, CHOICES, index).name);
  expect(names).toEqual(['create', 'create', 'read', 'read', 'read']);
});

test('an event beyond the end, or a part without a transaction, is a mistake of the workload', () => {
  expect(() => choiceInSequence(SEQUENCE, CHOICES, 5)).toThrow('none with the number 5');
  expect(() => choiceInSequence([{ transaction: 'drop', events: 1 }], CHOICES, 0)).toThrow("does not have: 'drop'");
});
