/** What is under way, as the server tells it; the stream is opened again when it breaks. */
import { useEffect, useState } from 'preact/hooks';
import type { Activity, ActivityEvents, LiveInterval } from '../api.ts';
import { ask } from './http.ts';
import { EventReader, type ServerEvent } from './server-events.ts';

export interface Watched {
  readonly activity: Activity;
  /** Of the load that is applied now, or was last. */
  readonly intervals: readonly LiveInterval[];
  /** When the last word on the load came, by this page's clock. */
  readonly toldAtMs: number;
  readonly isConnected: boolean;
}

const AGAIN_AFTER_MS = 1_500;
/** As the server keeps them. */
const INTERVALS_KEPT_MAX = 3_600;
const NOTHING: Watched = { activity: { is: 'idle' }, intervals: [], toldAtMs: 0, isConnected: false };

export function useActivity(): Watched {
  const [watched, setWatched] = useState(NOTHING);
  useEffect(() => {
    const patience = new AbortController();
    void watch(patience.signal, (change) => setWatched(change));
    return () => patience.abort();
  }, []);
  return watched;
}

type Change = (watched: Watched) => Watched;

async function watch(signal: AbortSignal, apply: (change: Change) => void): Promise<void> {
  while (!signal.aborted) {
    await follow(signal, apply).catch(() => {});
    apply((watched) => ({ ...watched, isConnected: false }));
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  }
}

async function follow(signal: AbortSignal, apply: (change: Change) => void): Promise<void> {
  const response = await ask('/api/activity/events', { signal });
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of events.push(value)) apply((watched) => changed(watched, event));
  }
}

export function changed(watched: Watched, { name, data }: ServerEvent): Watched {
  const now = { toldAtMs: performance.now(), isConnected: true };
  switch (name) {
    case 'snapshot': {
      const { activity, intervals } = JSON.parse(data) as ActivityEvents['snapshot'];
      return { activity, intervals, ...now };
    }
    case 'activity': {
      const activity = JSON.parse(data) as ActivityEvents['activity'];
      return { activity, intervals: isNewLoad(watched.activity, activity) ? [] : watched.intervals, ...now };
    }
    case 'interval': {
      const { interval } = JSON.parse(data) as ActivityEvents['interval'];
      return { ...watched, intervals: [...watched.intervals, interval].slice(-INTERVALS_KEPT_MAX), ...now };
    }
    default:
      return watched;
  }
}

/** When a load is over, what was drawn of it stays. */
function isNewLoad(before: Activity, after: Activity): boolean {
  if (after.is === 'idle' || after.load === undefined) return false;
  return before.is === 'idle' || before.number !== after.number || before.load?.number !== after.load.number;
}
