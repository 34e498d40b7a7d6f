/**
 * The contract of a workload whose run consists of rounds, one after another, each with data of its own that is made
 * before it and removed after it. Each round is a run, with a record of its own.
 */
import type { OptionsSchema, ValuesOf } from '../base/options.ts';
import type { RunRecord } from '../model/run.ts';

export interface Round<S extends OptionsSchema = OptionsSchema> {
  /** Tells it apart from the others: `innodb, 8 clients, iteration 2`. */
  readonly label: string;
  readonly threads: number;
  /** All options of the workload, as they are for this round. */
  readonly options: ValuesOf<S>;
  /** A new connection after so many transactions; 0: as `--reconnect` says. */
  readonly reconnectEveryEvents: number;
}

/** Where the rounds take place. */
export type RoundsDatabase =
  /** In one that is there, and stays; without a name that of the target. */
  | { readonly is: 'there'; readonly name: string | undefined }
  /** In one that is made before each round, and dropped after it. */
  | {
      readonly is: 'made';
      readonly name: string;
      /** Also where somebody else has made it: it is dropped first. */
      readonly dropsOthers: boolean;
      /** That of the last round is left. */
      readonly isKept: boolean;
    };

export interface Rounds<S extends OptionsSchema = OptionsSchema> {
  readonly rounds: readonly Round<S>[];
  readonly database: RoundsDatabase;
  /** Commands for the shell, before and after the load of each round; empty: none. */
  readonly shell: { readonly before: string; readonly after: string };
  /** What the user should know before, each a sentence. */
  readonly notes: readonly string[];
  readonly output: RoundsOutput;
  /** Over the rounds that ended well. */
  summarize(runs: readonly RunRecord[]): RoundsSummary;
}

export interface RoundsOutput {
  /** all: the report of every round; summary: a line for each, and the summary; nothing: only what goes wrong. */
  readonly says: 'all' | 'summary' | 'nothing';
  /** Where the summary's lines for programs go: a file to which they are appended, `-` for stdout, or empty. */
  readonly csv: string;
  /** Lines to be printed in place of running anything. */
  readonly printed?: Iterable<string>;
}

export interface RoundsSummary {
  readonly title: string;
  readonly columns: readonly { readonly heading: string; readonly align: 'left' | 'right' }[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
  readonly csv: readonly string[];
}

export interface RoundsContext {
  /** As `--threads` says. */
  readonly threads: number;
  readonly seed: number;
}
