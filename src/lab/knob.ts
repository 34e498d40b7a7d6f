/** The contract of a knob: the one thing that is turned to convict or acquit a verdict, and what is expected of it. */
import type { LoadPlan } from '../load/plan.ts';
import type { ProbeExpectation } from '../model/probe-result.ts';
import type { RunRecord } from '../model/run.ts';
import type { ServerFlavor } from '../wire/types.ts';

/** All that the choice of a knob depends on. */
export interface KnobCase {
  readonly record: RunRecord;
  /** The load as it was, in short runs. */
  readonly plan: LoadPlan;
  readonly flavor: ServerFlavor;
  /** The server's global variables, as they are now. */
  readonly variables: ReadonlyMap<string, string>;
  readonly isPrivate: boolean;
  /** Its Unix socket, where it is on this machine and takes us; or why there is no such way. */
  readonly socket: { readonly path: string } | { readonly because: string };
  /** Of this machine, for more of the client. */
  readonly cores: number;
  /** Of the server's host; undefined where it is not known. */
  readonly memoryBytes: number | undefined;
}

/** Numbers only: what is set goes into SQL as it is. */
export interface SettingChange {
  readonly name: string;
  readonly before: number;
  readonly asked: number;
}

export type Turn =
  /** Global variables of the server. */
  | { readonly is: 'settings'; readonly changes: readonly SettingChange[] }
  /** Something of the load, its target included. */
  | { readonly is: 'load'; readonly plan: Partial<LoadPlan> }
  /** The same workload on other data, in a database of its own. */
  | { readonly is: 'data'; readonly options: Readonly<Record<string, unknown>> };

export interface Knob {
  readonly turn: Turn;
  /** What is as it was, and what is turned, in words. */
  readonly a: string;
  readonly b: string;
  /** All of them must come true for a conviction. */
  readonly expectations: readonly Expectation[];
  /** What must be known to read the result. */
  readonly notes: readonly string[];
  /** Before each measurement; what the turn needs to take effect. */
  readonly warmupS: number;
  /** Runs with one seed touch the same rows: what one has read, the next finds in memory. */
  readonly seeds: 'same' | 'different';
}

export interface Expectation extends ProbeExpectation {
  /** Undefined where the run could not see it. */
  readonly measure: (record: RunRecord) => number | undefined;
  /** Where A shows less than this, there is nothing that B could take away: the ratio is 1. */
  readonly floor?: number;
}

export type KnobChoice =
  | { readonly is: 'knob'; readonly knob: Knob }
  /** It cannot be turned from here. */
  | { readonly is: 'by hand'; readonly because: string; readonly how: string };
