import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SilenceWatch } from './silence-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watch() {
  const traffic = { isAwaitingServer: false, bytesSent: 0, bytesReceived: 0 };
  const seen = { silences: 0 };
  const silenceWatch = new SilenceWatch(traffic, 800, () => seen.silences++);
  return { traffic, seen, silenceWatch };
}

describe('the read time limit', () => {
  test('silence is noticed at the limit, not before, and once', () => {
    const { traffic, seen } = watch();
    traffic.isAwaitingServer = true;
    traffic.bytesSent = 10;
    vi.advanceTimersByTime(800);
    expect(seen.silences).toBe(0);
    vi.advanceTimersByTime(100);
    expect(seen.silences).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(seen.silences).toBe(1);
  });

  test.each([
    { what: 'bytesReceived', because: 'a long reply that keeps coming' },
    { what: 'bytesSent', because: 'a request after each reply' },
  ] as const)('no silence: $because', ({ what }) => {
    const { traffic, seen } = watch();
    traffic.isAwaitingServer = true;
    for (let time = 0; time < 5_000; time += 500) {
      traffic[what]++;
      vi.advanceTimersByTime(500);
    }
    expect(seen.silences).toBe(0);
  });

  test('an idle connection may be silent for ever', () => {
    const { seen } = watch();
    vi.advanceTimersByTime(100_000);
    expect(seen.silences).toBe(0);
  });

  test('stopped, it sees nothing', () => {
    const { traffic, seen, silenceWatch } = watch();
    traffic.isAwaitingServer = true;
    silenceWatch.stop();
    vi.advanceTimersByTime(100_000);
    expect(seen.silences).toBe(0);
  });
});
