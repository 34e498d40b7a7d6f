import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { settle, TurnedClock } from '../../test/support/load.ts';
import { TimerAlarm } from './alarm.ts';
import { TICKER_BYTES, TickerDue } from './ticker-due.ts';

function alarmed() {
  const clock = new TurnedClock();
  const rings: number[] = [];
  return { clock, rings, alarm: new TimerAlarm(clock, () => rings.push(clock.now())) };
}

describe('by a timer', () => {
  test('rings once, at the time that was set', async () => {
    const { clock, rings, alarm } = alarmed();
    alarm.set(1_010);
    alarm.set(1_010);
    await clock.turnTo(1_100);
    expect(rings).toEqual([1_010]);
  });

  test('a later time takes the place of an earlier one', async () => {
    const { clock, rings, alarm } = alarmed();
    alarm.set(1_010);
    alarm.set(1_025);
    await clock.turnTo(1_100);
    expect(rings).toEqual([1_025]);
  });

  test('an earlier time takes the place of a later one', async () => {
    const { clock, rings, alarm } = alarmed();
    alarm.set(1_050);
    alarm.set(1_010);
    await clock.turnTo(1_100);
    expect(rings).toEqual([1_010]);
  });

  test('rings again when it is set again', async () => {
    const { clock, rings, alarm } = alarmed();
    alarm.set(1_010);
    await clock.turnTo(1_010);
    alarm.set(1_020);
    await clock.turnTo(1_100);
    expect(rings).toEqual([1_010, 1_020]);
  });

  test('does not ring once it is cancelled', async () => {
    const { clock, rings, alarm } = alarmed();
    alarm.set(1_010);
    alarm.cancel();
    await clock.turnTo(1_100);
    expect(rings).toEqual([]);
  });

  test('of a time that has passed rings at once', async () => {
    const { clock, rings, alarm } = alarmed();
    alarm.set(900);
    await clock.turnTo(1_000);
    expect(rings).toEqual([1_000]);
  });
});

describe('by the ticker', () => {
  test('is woken before the timer, and tells the ticker again where its clock was ahead', async () => {
    const clock = new TurnedClock();
    const due = new SharedArrayBuffer(TICKER_BYTES);
    const { port1, port2 } = new MessageChannel();
    const rings: number[] = [];
    const alarm = new TimerAlarm(clock, () => rings.push(clock.now()), { due, port: port2 });
    alarm.set(1_010);
    const told = new TickerDue(due);
    clock.nowMs = 1_009.999;
    told.sleep(() => 1_010_000_000n);
    port1.postMessage('due');
    await settleMessages();
    expect(rings).toEqual([]);
    clock.nowMs = 1_010;
    told.sleep(() => 1_010_000_001n);
    port1.postMessage('due');
    await settleMessages();
    expect(rings).toEqual([1_010]);
    port1.close();
  });
});

describe('what worker and ticker share', () => {
  test('the ticker returns when the time has come, once', () => {
    const due = new TickerDue(new SharedArrayBuffer(TICKER_BYTES));
    due.set(5);
    let nowNs = 4_900_000n;
    let looks = 0;
    due.sleep(() => {
      looks++;
      nowNs += 60_000n;
      return nowNs;
    });
    expect(looks).toBe(2);
    expect(nowNs).toBeGreaterThanOrEqual(5_000_000n);
  });
});

/** Messages between ports of one thread take a few turns of the event loop. */
async function settleMessages(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await settle();
}
