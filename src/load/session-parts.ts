/** What a session is given: by the plan, by the workload, and by the worker that runs it. */
import type { KeyDistribution, Workload } from '../workload/workload.ts';
import type { LoadPlan } from './plan.ts';
import type { Names, Recorder } from './recorder.ts';
import type { Sent } from './sent.ts';
import type { StopSignal } from './stop-signal.ts';
import type { LoadWorld } from './world.ts';

/** What the sessions of one worker share. */
export interface SessionParts {
  readonly plan: LoadPlan;
  readonly world: LoadWorld;
  readonly workload: Workload;
  readonly keys: KeyDistribution;
  readonly names: Names;
  readonly sent: Sent;
  readonly signal: StopSignal;
  /** Takes what is sent outside of events: while a session is set up. */
  readonly scratch: Recorder;
  /** Names were registered. */
  onNames(): void;
  /** Ends the load: this error is not forgiven. `transaction` is where it happened. */
  onFatal(error: unknown, transaction: string | undefined): void;
  onLost(error: unknown): void;
  onResumed(): void;
  /** The first event of a part of the sequence, in this worker, is about to begin. */
  onPart(part: string): void;
  /** Hot: an event ends at this time and is about to be counted. */
  onEventEnd(nowMs: number): void;
}
