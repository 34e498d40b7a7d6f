/** What came of turning one knob: runs with it (B) and without it (A) in pairs, and what they say of a verdict. */

export const PROBE_FORMAT = 'sqldyno.probe/1';

/** convicted: what the verdict foretells came in every pair. acquitted: in none. */
export type ProbeOutcome = 'convicted' | 'acquitted' | 'undecided';

/** What the verdict foretells of B beside A. */
export interface ProbeExpectation {
  /** What is compared: `transactions/s`. */
  readonly of: string;
  /** As a sentence without its end: 'the rate rises by 30 % or more'. */
  readonly is: string;
  readonly side: 'at least' | 'at most';
  /** Of B / A. */
  readonly bound: number;
}

export interface ProbeComparison extends ProbeExpectation {
  /** B / A, pair by pair. */
  readonly ratios: readonly number[];
  readonly median: number;
  /** Pairs in which A had next to nothing of it, so that B could take nothing away: their ratio is 1. */
  readonly pairsWithout: number;
}

export interface ProbePair {
  /** Which of the two ran first. */
  readonly first: 'A' | 'B';
  readonly a: ProbeRun;
  readonly b: ProbeRun;
  /** Transactions per second, B / A. */
  readonly ratio: number;
}

export interface ProbeRun {
  /** Its record in the store. */
  readonly run: string;
  readonly transactionsPerS: number;
}

export interface ProbeResult {
  readonly format: typeof PROBE_FORMAT;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The run whose verdict was tried. */
  readonly run: string;
  readonly verdict: string;
  /** What was as it had been, and what was turned. */
  readonly a: string;
  readonly b: string;
  /** What must be known to read it. */
  readonly notes: readonly string[];
  readonly pairs: readonly ProbePair[];
  /** Of all pairs' transactions per second, B / A. */
  readonly medianRatio: number;
  readonly comparisons: readonly ProbeComparison[];
  readonly outcome: ProbeOutcome;
  readonly is: string;
}
