/** What a search for the highest rate that keeps a limit IS: `sqldyno.search/1`. Its runs are in the store. */

export const SEARCH_FORMAT = 'sqldyno.search/1';

/** A run keeps it where the metric stays below `below`. */
export interface SearchLimit {
  /** As `stats/metrics.ts` takes it: `p99(transaction)`. */
  readonly metric: string;
  readonly unit: string;
  readonly below: number;
  /** `p99(transaction) < 20 ms` */
  readonly is: string;
}

/** Why a run at a rate does not pass. */
export type TrialFailure =
  /** All that was due was done, and the metric was not below the limit. */
  | 'limit'
  /** Not all that was due was done: it cannot keep up. */
  | 'backlog'
  /** The client itself was late, so the server is not what was measured. */
  | 'client'
  /** The run proves nothing. */
  | 'invalid';

/** One run at one rate. */
export interface SearchTrial {
  /** Its record in the store. */
  readonly run: string;
  readonly ratePerS: number;
  readonly outcome: 'passed' | 'failed';
  readonly cause?: TrialFailure;
  /** In one sentence. */
  readonly is: string;
  /** Of the metric; absent where nothing was measured. */
  readonly value?: number;
  readonly achievedPerS: number;
  readonly dropped: number;
  readonly unfinished: number;
  readonly scheduleLagP99Ms?: number;
}

export interface SearchLevel {
  readonly ratePerS: number;
  /** open: the search ended before it was known. */
  readonly outcome: 'passed' | 'failed' | 'open';
  readonly passed: number;
  readonly failed: number;
  /** Median of the metric over its runs; absent where none measured it. */
  readonly value?: number;
}

export interface SearchSettings {
  /** A rate passes by the majority of so many runs. */
  readonly repeats: number;
  /** The search ends when the lowest rate that fails is above the highest that passes by no more than this share. */
  readonly precisionShare: number;
  readonly rateMinPerS: number;
  readonly rateMaxPerS: number;
}

export type SearchEnding =
  /** `passedPerS` and `failedPerS` are as close as was asked for, and both were tried again. */
  | { readonly kind: 'found' }
  /** Even the highest rate that was allowed passes. */
  | { readonly kind: 'all passed' }
  /** Even the lowest rate that was allowed fails. */
  | { readonly kind: 'none passed' }
  /** Runs at like rates came out so differently that it would not end. */
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'interrupted'; readonly cause: string }
  | { readonly kind: 'failed'; readonly cause: string };

/** What set the pace above the rate that was found. */
export interface SearchPace {
  /** Of the diagnosis: `server-cpu`. */
  readonly verdict: string;
  readonly is: string;
  readonly runs: readonly string[];
}

export interface SearchResult {
  readonly format: typeof SEARCH_FORMAT;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly ending: SearchEnding;
  readonly sqldyno: { readonly version: string };
  /** As typed, secrets removed. */
  readonly command: readonly string[];
  readonly workload: string;
  readonly load: { readonly threads: number; readonly timeS: number; readonly warmupS: number };
  readonly limit: SearchLimit;
  readonly settings: SearchSettings;
  /** The run as fast as possible that came first. Absent where both bounds were given. */
  readonly estimate?: { readonly run: string; readonly transactionsPerS: number };
  /** In the order in which they were done. */
  readonly trials: readonly SearchTrial[];
  /** By rate, lowest first. */
  readonly levels: readonly SearchLevel[];
  /** The highest rate that passes and is below all that fail. */
  readonly passedPerS?: number;
  /** The lowest rate that fails. */
  readonly failedPerS?: number;
  readonly pace?: SearchPace;
  /** The answer, in one sentence. */
  readonly is: string;
  readonly notes: readonly string[];
}
