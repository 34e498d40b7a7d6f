import { describe, expect, test } from 'vitest';
import { UserError } from '../base/errors.ts';
import { Activities, type ActivityEvent, type Begun } from './activity.ts';
import type { LiveRun } from './api.ts';
import { Busy } from './failure.ts';

const BEGUN: Begun<LiveRun> = { is: 'run', title: 'The run of x', command: 'sqldyno x run', step: 'beginning' };
const LOAD = { number: 1, phase: 'measuring', phaseElapsedS: 0, phaseTotalS: 10, percentile: 95 };

/** As `Promise.withResolvers`, which Node 20 does not have. */
function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function open() {
  const mistakes: unknown[] = [];
  const activities = new Activities({
    problemsOf: (error) => (error instanceof UserError ? [{ is: error.message }] : undefined),
    onMistake: (error) => mistakes.push(error),
  });
  return { activities, mistakes };
}

describe('one at a time', () => {
  test('a second is refused with a sentence while the first goes on, and taken when it is over', async () => {
    const { activities } = open();
    const { promise, resolve } = deferred<Partial<LiveRun>>();
    activities.begin<LiveRun>(BEGUN, () => promise);
    expect(() => activities.begin<LiveRun>(BEGUN, () => promise)).toThrow(Busy);
    expect(() => activities.begin<LiveRun>(BEGUN, () => promise)).toThrow(/The run of x is under way/);
    await expect(activities.alone('the doctor looks', async () => 1)).rejects.toThrow(Busy);
    resolve({ run: 'id' });
    await activities.settled();
    expect(activities.activity).toMatchObject({ state: 'done', run: 'id' });
    expect(activities.begin<LiveRun>(BEGUN, async () => ({}))).toMatchObject({ number: 2, state: 'going' });
  });

  test('what is done alone excludes a load, and says what it is', async () => {
    const { activities } = open();
    const { promise, resolve } = deferred<void>();
    const alone = activities.alone('the doctor looks', () => promise);
    expect(() => activities.begin<LiveRun>(BEGUN, async () => ({}))).toThrow(/Wait a moment: the doctor looks\./);
    resolve();
    await alone;
    expect(activities.begin<LiveRun>(BEGUN, async () => ({})).state).toBe('going');
  });

  test('closing gives up what is done alone, and waits for it', async () => {
    const { activities } = open();
    const { promise: isCleared, resolve: clear } = deferred<void>();
    let isOver = false;
    const alone = activities.alone('the server is being started', async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await isCleared;
      isOver = true;
    });
    const closed = activities.close(new UserError('end'));
    clear();
    await closed;
    expect(isOver).toBe(true);
    await alone;
  });

  test('nothing is begun any more when it is closed', async () => {
    const { activities } = open();
    await activities.close(new UserError('end'));
    expect(() => activities.begin<LiveRun>(BEGUN, async () => ({}))).toThrow(/about to end/);
  });
});

describe('how it ends', () => {
  test('stopped once in good order, twice at once; closing waits for it', async () => {
    const { activities } = open();
    const seen: string[] = [];
    activities.begin<LiveRun>(BEGUN, async ({ signal, atOnce, change }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      seen.push((signal.reason as Error).message);
      change({ step: 'saving' });
      await new Promise((resolve) => atOnce.addEventListener('abort', resolve, { once: true }));
      seen.push('at once');
      return {};
    });
    expect(activities.stop(new UserError('stop'))).toBe(true);
    expect(activities.activity).toMatchObject({ state: 'stopping' });
    await Promise.resolve();
    await Promise.resolve();
    // What it says of itself meanwhile does not undo that.
    expect(activities.activity).toMatchObject({ state: 'stopping', step: 'saving' });
    await activities.close(new UserError('close'));
    expect(seen).toEqual(['stop', 'at once']);
    expect(activities.stop(new UserError('stop'))).toBe(false);
  });

  test('what is refused is told, and a mistake of the program is told as one and kept for the terminal', async () => {
    const { activities, mistakes } = open();
    activities.begin<LiveRun>(BEGUN, () => Promise.reject(new UserError('No such table.')));
    await activities.settled();
    expect(activities.activity).toMatchObject({ state: 'failed', problems: [{ is: 'No such table.' }] });
    const mistake = new TypeError('secret inner workings');
    activities.begin<LiveRun>(BEGUN, () => Promise.reject(mistake));
    await activities.settled();
    expect(JSON.stringify(activities.activity)).not.toContain('secret');
    expect(mistakes).toEqual([mistake]);
  });
});

test('whoever comes late is told all there is, then each interval, and the intervals of each load begin anew', async () => {
  const { activities } = open();
  const { promise, resolve } = deferred<Partial<LiveRun>>();
  const interval = { atS: 1, transactionsPerS: 5, errors: 0, retries: 0 };
  let teller: { interval(of: typeof interval): void; beginLoad(load: typeof LOAD): void } | undefined;
  activities.begin<LiveRun>(BEGUN, (given) => {
    teller = given;
    return promise;
  });
  teller?.beginLoad(LOAD);
  teller?.interval(interval);
  const events: ActivityEvent[] = [];
  const silence = activities.listen((event) => events.push(event));
  expect(events).toMatchObject([{ name: 'snapshot', data: { intervals: [interval], activity: { load: LOAD } } }]);
  teller?.interval({ ...interval, atS: 2 });
  expect(events.at(-1)).toMatchObject({ name: 'interval', data: { load: 1, interval: { atS: 2 } } });
  teller?.beginLoad({ ...LOAD, number: 2 });
  activities.listen((event) => events.push(event))();
  expect(events.at(-1)).toMatchObject({ name: 'snapshot', data: { intervals: [] } });
  silence();
  const before = events.length;
  resolve({});
  await activities.settled();
  expect(events).toHaveLength(before);
});
