/** What a gate IS: `sqldyno.gate/1`, as printed by --json: what was required of runs, and whether it holds. */
import type { ComparisonVerdict } from './experiment.ts';

export const GATE_FORMAT = 'sqldyno.gate/1';

export const GATE_OPERATORS = ['<', '<=', '>', '>=', '==', '!='] as const;
export type GateOperator = (typeof GATE_OPERATORS)[number];

/** As `--require` says it, read. */
export interface Requirement {
  /** In one form, whatever was written: `p99(transaction) < 20 ms`. */
  readonly is: string;
  /** In full: `p99(transaction)`. */
  readonly metric: string;
  readonly operator: GateOperator;
  /** In the unit of the metric. */
  readonly limit: number;
  readonly unit: string;
}

/** One requirement, held against one run. */
export interface GateCheck {
  readonly requirement: Requirement;
  readonly run: string;
  /** Absent where the run does not tell. */
  readonly measured?: number;
  readonly isMet: boolean;
  /** In one sentence. */
  readonly because: string;
}

/** A run as a whole: one that proves nothing passes no gate, whatever it measured. */
export interface GateRun {
  readonly run: string;
  readonly isValid: boolean;
  /** In one sentence; absent where it is valid. */
  readonly because?: string;
}

/** One metric of what was measured now, against the baseline. */
export interface GateComparison {
  readonly metric: string;
  readonly of: string;
  readonly baseline: string;
  /** Runs that count. */
  readonly runs: number;
  readonly baselineRuns: number;
  readonly pairing: 'blocks' | 'in turn' | 'none';
  /** Of the metric, now against the baseline: +0.065 is 6.5 % more. Absent where nothing could be compared. */
  readonly effect?: number;
  readonly interval?: { readonly low: number; readonly high: number };
  readonly marginShare: number;
  readonly verdict: ComparisonVerdict;
  readonly isMet: boolean;
  readonly because: string;
}

export interface GateReport {
  readonly format: typeof GATE_FORMAT;
  readonly isMet: boolean;
  /** The answer, in one sentence. */
  readonly is: string;
  readonly runs: readonly GateRun[];
  readonly checks: readonly GateCheck[];
  readonly comparisons: readonly GateComparison[];
  /** UNDECIDED does not pass either. */
  readonly isStrict: boolean;
  /** What must be known of a comparison, each a sentence. */
  readonly notes: readonly string[];
}
