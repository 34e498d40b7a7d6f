/** Where a session gets its next event from: the closed loop gives one at once, the open loop when one is due. */
import type { Recorder } from './recorder.ts';
import type { StopSignal } from './stop-signal.ts';
import type { Tickets } from './tickets.ts';

/** No event is due yet. */
export const WAIT = -1;
/** No event will come. */
export const OVER = -2;

/** In place of a due time in the closed loop; times of the clock are positive. */
export const NOT_DUE = -1;

/** What a source may see and set of a session. */
export interface Taker {
  /** The session's last look at the clock. */
  nowMs: number;
  /** When the event was due; `NOT_DUE` in the closed loop. */
  dueMs: number;
  /** Of the phase to which the event belongs. */
  recorder: Recorder;
  /** Number of the user whose event it is; `NO_TERMINAL` without users. */
  terminal: number;
  /** That user waits for this event to end. */
  isAwaited: boolean;
  /** The session's number within its worker. */
  readonly place: number;
}

/** In place of a user's number. */
export const NO_TERMINAL = -1;

export interface EventSource {
  /** Hot: the number of an event, `WAIT` or `OVER`; sets the event's due time and recorder. */
  take(session: Taker): number;
  /** After `WAIT`: resolves with the number of an event, or `OVER`. */
  arrival(session: Taker): Promise<number>;
  /** Lets what is due until now into the queue. */
  advance(nowMs: number): void;
  /** Nothing is begun any more. What was due by `untilMs` and did not begin is counted as unfinished. */
  stop(untilMs: number): void;
  readonly queueLength: number;
}

/** When what happens; times of the shared clock. */
export interface Schedule {
  readonly startMs: number;
  /** With `--warmup=auto` it moves once, towards now, and the end with it. */
  measureStartMs: number;
  /** Infinite without a limit of time. */
  endMs: number;
}

/** The phases' recorders, and which is current. */
export interface Phases {
  readonly warmup: Recorder;
  readonly measured: Recorder;
  isMeasuring: boolean;
}

export interface SourceParts {
  readonly schedule: Schedule;
  readonly phases: Phases;
  readonly tickets: Tickets;
  readonly signal: StopSignal;
}
