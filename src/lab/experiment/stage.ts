/**
 * The contract between the conductor of an experiment and what brings a server into the state that a run begins with.
 */
import type { LoadPlan } from '../../load/plan.ts';
import type { Entered, ExperimentPlan, Variant } from '../../model/experiment.ts';
import type { ConnectOptions } from '../../wire/types.ts';
import type { Workload } from '../../workload/workload.ts';

/** A variant with its command line read: what the engine needs, but for the target. */
export interface ResolvedVariant {
  readonly variant: Variant;
  readonly workload: Workload;
  readonly workloadOptions: Readonly<Record<string, unknown>>;
  /** Its seed is that of the data; each run has its own. */
  readonly plan: Omit<LoadPlan, 'targets'>;
}

export interface StageRequest {
  /** Of the experiment: names what is left behind by a crash. */
  readonly id: string;
  readonly plan: ExperimentPlan;
  readonly variants: readonly ResolvedVariant[];
  /** Default as `storeDirectory`. */
  readonly storeDirectory?: string;
  /** Opens what a target that is no new private server means: a URL, or `private:NAME`. */
  readonly openTarget: (target: string, signal: AbortSignal) => Promise<OpenedTarget>;
  /** Consent to `global` and `persist` on a server that others may use, and to commands for the shell. */
  readonly allows: { readonly settings: boolean; readonly commands: boolean };
}

export interface OpenedTarget {
  readonly connections: readonly ConnectOptions[];
  readonly isPrivate: boolean;
}

export interface StageView {
  /** What is being done, before it is done: `loading 10 tables`, `restoring the data`. */
  onStep(text: string): void;
  onAdvance(activity: string, done: number, total: number): void;
  onNote(line: string): void;
}

export interface Stage {
  /** Throws what forbids the experiment, as far as it can be known before anything is made. Before all else. */
  check(view: StageView, signal: AbortSignal): Promise<void>;
  /**
   * Makes the data of every variant, once each: what was made before a crash is taken up. Throws what forbids the
   * experiment.
   */
  prepare(view: StageView, signal: AbortSignal): Promise<void>;
  /** The server is as a run of this variant begins with. */
  enter(variant: string, view: StageView, signal: AbortSignal): Promise<EnteredStage>;
  /** After each run, whatever came of it. */
  leave(view: StageView): Promise<void>;
  /** Everything is as it was before the experiment; servers of its own have ended. `keepsData`: for a resumption. */
  close(options: { readonly keepsData: boolean }, view: StageView): Promise<void>;
}

export interface EnteredStage {
  readonly targets: readonly ConnectOptions[];
  readonly isPrivate: boolean;
  readonly entered: Entered;
}
