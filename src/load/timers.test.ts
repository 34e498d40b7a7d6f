import { expect, test } from 'vitest';
import { TurnedClock } from '../../test/support/load.ts';
import { Timers } from './timers.ts';

test('each fires once when it is due, unless it was called off, alone or with all the others', async () => {
  const clock = new TurnedClock();
  const timers = new Timers(clock);
  const startMs = clock.now();
  const fired: string[] = [];
  timers.after(10, () => fired.push('first'));
  timers.after(20, () => fired.push('second'))();
  timers.after(30, () => fired.push('third'));
  timers.after(-5, () => fired.push('overdue'));
  await clock.turnTo(startMs + 15);
  expect(fired).toEqual(['overdue', 'first']);
  timers.callOffAll();
  await clock.turnTo(startMs + 100);
  expect(fired).toEqual(['overdue', 'first']);
});
