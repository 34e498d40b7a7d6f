/** What an experiment will take, reckoned before it begins. */

export interface ExperimentEstimate {
  readonly totalS: number;
  /** In the order in which they come up. */
  readonly parts: readonly EstimatedPart[];
  /** Of all data sets and of the copies that runs work on; absent where the workload does not tell. */
  readonly diskBytes?: number;
  /** Different data that the variants need; each is made once. */
  readonly dataSets: number;
  /** What is not known, and was assumed; each a sentence. */
  readonly assumed: readonly string[];
}

export interface EstimatedPart {
  readonly name: 'prepare' | 'restore' | 'start' | 'warm-up' | 'measure';
  readonly is: string;
  readonly elapsedS: number;
}
