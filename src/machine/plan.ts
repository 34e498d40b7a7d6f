/** What is to be run, as one value. */
import type { HostTestInterval } from '../model/host-test.ts';
import type { Stops } from './crew.ts';
import type { HostTest } from './host-test.ts';

export interface HostTestPlan {
  readonly test: HostTest;
  /** Of the test's own options. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly threads: number;
  /** 0: no limit. */
  readonly timeS: number;
  readonly events: number;
  /** Of the interim results. */
  readonly intervalS: number;
  readonly percentiles: readonly number[];
  readonly seed: number;
  readonly forcedShutdownS?: number;
}

export type HostTestPhase = 'getting ready' | 'measuring commits' | 'measuring';

export interface HostTestHooks {
  onPhase?(phase: HostTestPhase): void;
  onInterval?(interval: HostTestInterval): void;
  onNote?(line: string): void;
}

export interface HostTestRun {
  readonly plan: HostTestPlan;
  readonly hooks: HostTestHooks;
  readonly stops: Stops;
}
