/**
 * What an experiment IS: `sqldyno.experiment/1`. The plan is settled before the first run and never changes; the
 * journal says what has been done of it; the result is reckoned from the plan and the records of the runs alone.
 */
import type { Durability } from './judgement.ts';

export const EXPERIMENT_FORMAT = 'sqldyno.experiment/1';

/** By the server's names, with underscores: `innodb_buffer_pool_size`. Values as an option file takes them: `1G`. */
export type Settings = Readonly<Record<string, string>>;

/** Options by their names with underscores; a flag is a boolean. */
export type OptionValues = Readonly<Record<string, string | number | boolean>>;

/** What is turned. What is absent is as in the common part of the plan. */
export interface Change {
  /** As in the server's option file, for which it is started again. Private servers only. */
  readonly settings?: Settings;
  /** `SET GLOBAL` while it runs, put back afterwards. */
  readonly global?: Settings;
  /** `SET PERSIST`, reset afterwards. MySQL 8 and later. */
  readonly persist?: Settings;
  /** Path of the server's program. Private servers only. */
  readonly server?: string;
  /** The folder under which the private server keeps its data: on another device, for one. */
  readonly dataDirectory?: string;
  /** Another server: a URL, or `private:NAME`. */
  readonly target?: string;
  /** The way to a private server; default: socket. */
  readonly connect?: 'socket' | 'tcp';
  /** Storage engine of the tables: `InnoDB`, `RocksDB`, `Aria`. */
  readonly engine?: string;
  readonly workload?: OptionValues;
  readonly load?: OptionValues;
  /** Commands for the shell of the client's host, before the first of its runs in a block, and after the last. */
  readonly enter?: string;
  readonly leave?: string;
}

export interface Variant extends Change {
  readonly name: string;
  /** In words, for tables: `pool 9 GiB`. */
  readonly is?: string;
  /** By factor, its level; in factorial designs. */
  readonly levels?: Readonly<Record<string, string>>;
  /** What it costs a month, in any currency: gives the cost of 1,000 transactions per second. */
  readonly pricePerMonth?: number;
}

export type ExperimentDesign =
  /** Every variant once in each block, against the baseline. */
  | { readonly is: 'blocks' }
  /** The same, and effects of the factors are reckoned. Levels in order, the baseline's first. */
  | {
      readonly is: 'factorial' | 'one-at-a-time';
      readonly factors: readonly { readonly name: string; readonly levels: readonly string[] }[];
    };

export type StopRule =
  /** After so many blocks. */
  | { readonly is: 'fixed' }
  /** Earlier where a look at 6, 10, 16 or 24 blocks is clear (p < 0.001); else after all. */
  | { readonly is: 'sequential' };

/** What every run begins with. */
export interface StartState {
  /**
   * restored: the data directory as it was after prepare. prepared: dropped and made anew. kept: as the run before left
   * it.
   */
  readonly data: 'restored' | 'prepared' | 'kept';
  /**
   * warm: the tables are read into the pool first. cold: the server is started again, and the page cache emptied where
   * that is allowed.
   */
  readonly cache: 'warm' | 'cold' | 'as it is';
}

export interface ExperimentPlan {
  /** Small letters, digits and dashes. */
  readonly name: string;
  readonly question?: string;
  /** `private`, a URL without its password, or `private:NAME`. */
  readonly target: string;
  /** Name of the workload, or the path of one's own. */
  readonly workload: string;
  readonly workloadOptions: OptionValues;
  readonly loadOptions: OptionValues;
  /** Of the private server, in all variants. */
  readonly settings: Settings;
  readonly variants: readonly Variant[];
  /** Name of a variant. */
  readonly baseline: string;
  readonly design: ExperimentDesign;
  /** Each variant runs once in each block. */
  readonly blocks: number;
  readonly stop: StopRule;
  readonly start: StartState;
  /** As `stats/metrics.ts` takes it: `transactions/s`, `p99(transaction)`. Declared before. */
  readonly metric: string;
  /** Shown too, corrected for their number. */
  readonly secondary: readonly string[];
  /** A difference smaller than this does not matter: 0.02. */
  readonly marginShare: number;
  /** Of the order of runs, and of their loads. */
  readonly seed: number;
  /** Of the data that are loaded; as `seed` where it is absent. */
  readonly dataSeed?: number;
  /** Beside those that make any run invalid, declared before: a run that shows one is done again. */
  readonly invalid: InvalidRules;
  /** What should be known beforehand, as that a setting cannot matter here; each a sentence. */
  readonly notes: readonly string[];
}

export interface InvalidRules {
  /** Of the host's processor time that a hypervisor gave to others. */
  readonly stealShareMax: number;
  /** Failed statements per committed transaction. */
  readonly errorShareMax: number;
  /** Swapping or a throttled processor. */
  readonly swap: boolean;
  readonly throttle: boolean;
  /** A run is done again so often before the experiment gives up. */
  readonly attemptsMax: number;
}

/** One run to be done: its place in the plan. */
export interface PlannedRun {
  /** From 1, in the order in which they are done. */
  readonly number: number;
  /** From 1. */
  readonly block: number;
  readonly variant: string;
  readonly seed: number;
}

/** One line of `journal.ndjson`. A run counts when its line `done` is there, or its record is in the store. */
export type JournalEntry =
  | { readonly at: string; readonly is: 'begun'; readonly number: number; readonly attempt: number }
  | {
      readonly at: string;
      readonly is: 'done';
      readonly number: number;
      readonly run: string;
      readonly entered: Entered;
    }
  | {
      readonly at: string;
      readonly is: 'invalid';
      readonly number: number;
      readonly run?: string;
      readonly because: string;
    }
  | { readonly at: string; readonly is: 'resumed' }
  | { readonly at: string; readonly is: 'ended'; readonly ending: ExperimentEnding };

export type ExperimentEnding =
  | { readonly kind: 'done' }
  /** A look was clear before all blocks were done. */
  | { readonly kind: 'early'; readonly blocks: number }
  | { readonly kind: 'interrupted'; readonly cause: string }
  | { readonly kind: 'failed'; readonly cause: string };

/** How the server was when a run began. */
export interface Entered {
  /** Asked for, and as the server made it, where that is not the same. */
  readonly adjusted: readonly { readonly name: string; readonly asked: string; readonly effective: string }[];
  /** Variables that differ from the run before of the same variant, or were changed at run time. */
  readonly drift: readonly string[];
  readonly data: {
    readonly how: 'reflink' | 'copy' | 'prepared' | 'kept';
    readonly elapsedS: number;
    readonly fingerprint: string;
  };
  /** What was waited for: dirty pages, history, and how long. */
  readonly drainedS: number;
  readonly notes: readonly string[];
}

export interface ExperimentRecord {
  readonly format: typeof EXPERIMENT_FORMAT;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly ending?: ExperimentEnding;
  readonly sqldyno: { readonly version: string };
  /** As typed, secrets removed. */
  readonly command: readonly string[];
  readonly plan: ExperimentPlan;
  readonly runs: readonly PlannedRun[];
  readonly result?: ExperimentResult;
}

export type ComparisonVerdict = 'FASTER' | 'SLOWER' | 'SAME' | 'UNDECIDED';

/** Shares: 0.065 is 6.5 %. */
export interface Interval95 {
  readonly low: number;
  readonly high: number;
}

/** One variant beside the baseline, in one metric. All of section "Statistics" of docs/experiments.md. */
export interface Comparison {
  readonly variant: string;
  readonly baseline: string;
  readonly metric: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly isPrimary: boolean;
  readonly pairs: readonly ComparedPair[];
  /** Of the metric, variant against baseline, whatever is better: +0.065 is 6.5 % more. */
  readonly effect: number;
  readonly interval: Interval95;
  readonly pT: number;
  readonly pSignFlip: number;
  /** Corrected for the number of comparisons that are not the primary one. */
  readonly pHolm?: number;
  /** That the variant is better. */
  readonly sure: number;
  readonly hodgesLehmann: { readonly effect: number; readonly interval?: Interval95 };
  /** Blocks that lie far from the others: kept, and shown. */
  readonly outliers: readonly number[];
  readonly verdict: ComparisonVerdict;
  /** The whole interval lies beyond the margin. */
  readonly isMeaningful: boolean;
  /** To see a difference as large as the margin; where UNDECIDED. */
  readonly pairsNeeded?: number;
  /** In one sentence. */
  readonly is: string;
}

export interface ComparedPair {
  readonly block: number;
  readonly baseline: number;
  readonly variant: number;
  /** variant / baseline */
  readonly ratio: number;
}

/** A variant by itself. */
export interface VariantSummary {
  readonly variant: string;
  readonly runs: readonly string[];
  readonly durability: { readonly is: Durability; readonly because: string };
  /** Median over the runs, by metric; what could not be seen is absent. */
  readonly metrics: Readonly<
    Record<string, { readonly unit: string; readonly values: readonly number[]; readonly median: number }>
  >;
  readonly bottleneck?: string;
}

/** Of a factor, or of two together (`pool x flush`): from its first level to another, all else alike. */
export interface FactorEffect {
  readonly of: string;
  readonly from: string;
  readonly to: string;
  readonly effect: number;
  readonly interval: Interval95;
  readonly p: number;
  readonly pHolm: number;
  readonly is: string;
}

export interface ExperimentResult {
  /** The answer, in one sentence. */
  readonly is: string;
  readonly blocks: number;
  readonly variants: readonly VariantSummary[];
  /** The primary metric's first, in the order of variants. */
  readonly comparisons: readonly Comparison[];
  readonly effects?: readonly FactorEffect[];
  /** Of this machine and workload, from runs of one variant against itself; a share. */
  readonly noiseFloor?: number;
  /** What must be known to judge it, as that durability differs; each a sentence. */
  readonly notes: readonly string[];
}
