import { expect, test } from 'vitest';
import { Activity } from './maintenance-view.ts';

test('time left follows from the speed so far', () => {
  const rows = new Activity('rows', 0, 1_000);
  rows.advance(250, 1_000);
  expect(rows.text(2_000)).toBe('25.0 % (250 of 1,000), 3.00 s left');
});

test('what was done before does not count as speed', () => {
  const rows = new Activity('rows', 500, 1_000);
  rows.advance(600, 1_000);
  expect(rows.text(2_000)).toBe('60.0 % (600 of 1,000), 4.00 s left');
});

test('nothing is foretold from nothing', () => {
  const rows = new Activity('rows', 0, 1_000);
  rows.advance(0, 1_000);
  expect(rows.text(1_000)).toBe('0.0 % (0 of 1,000)');
  expect(rows.isDone).toBe(false);
});

test('it is done when all is done', () => {
  const rows = new Activity('rows', 0, 1_000);
  rows.advance(10, 10);
  expect(rows).toMatchObject({ isDone: true, share: 1 });
});
