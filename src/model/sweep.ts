/**
 * What a sweep IS: `sqldyno.sweep/1`. It is an experiment whose variants are values of one thing; the experiment and
 * its runs are in the store, and this is reckoned from them.
 */
import type { ExperimentEnding, Interval95 } from './experiment.ts';
import type { Durability } from './judgement.ts';

export const SWEEP_FORMAT = 'sqldyno.sweep/1';

/** What is swept: an option of the load or of the workload, a setting of a private server, or a global variable. */
export type SweepOf = 'load' | 'workload' | 'settings' | 'global';

export interface SweepValue {
  readonly value: string;
  /** Where it is one: 134217728 of `128M`. */
  readonly number?: number;
  /** Their records in the store, by block. */
  readonly runs: readonly string[];
  readonly ratesPerS: readonly number[];
  /** Over the runs; absent where there is none. */
  readonly ratePerS?: { readonly median: number; readonly min: number; readonly max: number };
  /** By name of the metric; what the runs do not tell is absent. */
  readonly metrics: Readonly<Record<string, { readonly unit: string; readonly median: number }>>;
  readonly bottleneck?: string;
  readonly durability: Durability;
  /** By the curve. */
  readonly curvePerS?: number;
}

interface WithInterval {
  readonly value: number;
  readonly interval: Interval95;
}

/** Universal Scalability Law: X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)). */
export type SweepCurve =
  | {
      readonly is: 'fitted';
      readonly lambda: WithInterval;
      readonly sigma: WithInterval;
      readonly kappa: WithInterval;
      /** Absent where the data do not show that there is one. */
      readonly peak?: { readonly n: WithInterval; readonly x: WithInterval; readonly isBeyondData: boolean };
      /** Of the means at each N, as shares. */
      readonly misfit: {
        readonly rms: number;
        readonly largest: number;
        readonly atN: number;
        readonly isPoor: boolean;
      };
      readonly trustedTo: number;
      readonly statements: readonly string[];
    }
  | { readonly is: 'not-fitted'; readonly because: string };

/** Of numbers: the smallest that does as well as the reference, within the margin. */
export interface SweepKnee {
  readonly value: string;
  /** The largest value where that is within the margin of the best, else the best. */
  readonly reference: string;
  readonly marginShare: number;
  /** From here on it is sure, with 95 %, that no more than the margin is lost. Absent: of none below the reference. */
  readonly sureFrom?: string;
  /** The knee is the largest value that was tried: it may lie farther up. */
  readonly isAtEnd: boolean;
  /** Each value beside the reference, smallest first. */
  readonly comparisons: readonly SweepComparison[];
}

export interface SweepComparison {
  readonly value: string;
  readonly pairs: number;
  /** Of the rate, as a share: -0.065 is 6.5 % less than the reference. */
  readonly effect: number;
  /** 90 %: its lower end is what is lost at most, with 95 %. Absent with fewer than two pairs. */
  readonly interval90?: Interval95;
}

export interface SweepResult {
  readonly format: typeof SWEEP_FORMAT;
  /** Of the experiment. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Absent: it is being conducted, or was killed. */
  readonly ending?: ExperimentEnding;
  readonly workload: string;
  readonly over: string;
  readonly of: SweepOf;
  readonly repeats: number;
  /** Numbers from the smallest, all else as it was given. */
  readonly values: readonly SweepValue[];
  /** Of `threads`. */
  readonly curve?: SweepCurve;
  /** Of other numbers. */
  readonly knee?: SweepKnee;
  /** The answer, in one sentence or two. */
  readonly is: string;
  readonly notes: readonly string[];
}
