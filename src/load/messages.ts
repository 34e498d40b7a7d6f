/** What main thread and workers tell each other. Everything survives structured cloning. */
import type { TickerLink } from './alarm.ts';
import type { Failure } from './failure.ts';
import type { LoadPlan, SentCounts } from './plan.ts';
import type { Tally } from './recorder.ts';
import type { Schedule } from './source.ts';

export type ToWorker =
  | {
      readonly is: 'connect';
      readonly plan: LoadPlan;
      readonly worker: number;
      /** Numbers of this worker's sessions. */
      readonly sessions: readonly number[];
      /** For `Tickets`. */
      readonly tickets: SharedArrayBuffer;
      readonly ticker: TickerLink | undefined;
    }
  | { readonly is: 'start'; readonly schedule: Schedule }
  /**
   * The load is steady: measuring begins at this boundary, in seconds from where it was to begin (negative), and at the
   * times given.
   */
  | { readonly is: 'measure from'; readonly atS: number; readonly measureStartMs: number; readonly endMs: number }
  /** Begin nothing any more. */
  | { readonly is: 'stop' }
  /** End what runs, at once. */
  | { readonly is: 'cut' }
  /** Close the connections, and then the port. */
  | { readonly is: 'close' };

/** One piece of one worker's interval. */
export interface Delta {
  /** The interval's end; the last piece of a worker belongs to the interval that it did not live to see. */
  readonly endS: number;
  readonly isWarmup: boolean;
  readonly tally: Tally;
}

export interface WorkerState {
  readonly sessionsActive: number;
  readonly queueLength: number;
  /** Since the worker began to connect. */
  readonly sent: SentCounts;
  readonly client: ClientState;
}

/** What the measured part has cost the worker's thread so far. */
export interface ClientState {
  readonly eventLoopUtilization: number;
  readonly eventLoopDelayP99Ms: number;
}

export type FromWorker =
  /** One more session is connected, or ready. */
  | { readonly is: 'progress'; readonly connected: number; readonly ready: number }
  /** All its sessions are ready; `connectingMs` is when it began with the first. */
  | { readonly is: 'ready'; readonly sent: SentCounts; readonly connectingMs: number }
  | { readonly is: 'not ready'; readonly failure: Failure; readonly session: number; readonly sent: SentCounts }
  | { readonly is: 'interval'; readonly delta: Delta; readonly state: WorkerState }
  /** The first event of this part of the sequence has begun, in this worker. */
  | { readonly is: 'part'; readonly part: string }
  | { readonly is: 'note'; readonly line: string }
  | { readonly is: 'fatal'; readonly failure: Failure; readonly transaction: string | undefined }
  /** All sessions have ended. */
  | {
      readonly is: 'ended';
      readonly delta: Delta;
      /** Ended after the warm-up, and belongs to it. */
      readonly late: Tally;
      /** When the last event of the measured part ended; -Infinity where none did. */
      readonly lastDoneMs: number;
      readonly state: WorkerState;
    }
  | { readonly is: 'closed' };
