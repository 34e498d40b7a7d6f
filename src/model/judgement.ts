/** What is made of a run: where its time went, what set its pace, and how far it can be relied on. */

export type Durability = 'D0' | 'D1' | 'D2' | 'D3' | 'D4' | 'unknown';

/** Where the sessions' time went. Shares of all sessions' time; what is not explained is `rest`. */
export interface TimeBudget {
  readonly sessionS: number;
  readonly shares: Readonly<Record<string, number>>;
}

export interface Verdict {
  /** Stable, for programs: `row-contention`. */
  readonly id: string;
  /**
   * `bottleneck`: it sets the pace. `contributes`: it costs, and something else sets the pace. `alarm`: it spoils the
   * run.
   */
  readonly role: 'bottleneck' | 'contributes' | 'alarm';
  readonly is: string;
  /** Share of the sessions' time, where it is one. */
  readonly share?: number;
  /** Each with its figures. */
  readonly evidence: readonly string[];
  /** What would convict or acquit it, and what has. */
  readonly confirmBy: string;
  readonly advice: string;
}

export interface Diagnosis {
  /** In one sentence; says so where nothing can be said. */
  readonly is: string;
  readonly isDetermined: boolean;
  readonly budget?: TimeBudget;
  /** Transactions per second that each resource would allow, lowest first. */
  readonly ceilings: readonly { readonly of: string; readonly perS: number; readonly how: string }[];
  readonly verdicts: readonly Verdict[];
}

export interface Steadiness {
  readonly is: 'steady' | 'unsteady' | 'too-short';
  readonly signs: readonly string[];
  /** Seconds at the beginning of the measured part that differ from the rest. */
  readonly cutS: number;
  readonly beginning: 'like the rest' | 'slower' | 'faster';
  readonly drift: number;
}

/** A: comparable as it stands. B: with the reservations named. C: a first look. */
export interface Grade {
  readonly is: 'A' | 'B' | 'C';
  readonly because: readonly string[];
}
