/** What goes between the main thread and the threads of a test. */
import type { HostTestName } from '../model/host-test.ts';
import type { LoopEnd, LoopLimits, Tally } from './event-loop.ts';
import type { ThreadPlace } from './host-test.ts';

/** A test's events, or those of the commit probe, which is no test by itself. */
export type RunnerName = HostTestName | 'commits';

/** What a thread is given when it starts. */
export type ThreadJob =
  | {
      readonly is: 'runner';
      readonly runner: RunnerName;
      readonly values: Readonly<Record<string, unknown>>;
      readonly place: ThreadPlace;
      readonly limits: LoopLimits;
      /** Of all threads together; 0: no limit. */
      readonly eventsMax: number;
      readonly control: SharedArrayBuffer;
    }
  | { readonly is: 'partner'; readonly shared: SharedArrayBuffer; readonly atByte: number };

export type FromThread =
  | { readonly is: 'ready' }
  | { readonly is: 'interval'; readonly tally: Tally }
  | { readonly is: 'ended'; readonly end: LoopEnd }
  /** With the remedy where there is one. */
  | { readonly is: 'failed'; readonly because: string; readonly remedy?: string };
