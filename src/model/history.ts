/** What became of one thing over many runs: one line of figures in the order of time, and where they changed. */

export interface HistoryPoint {
  /** Id of the run; of several that count as one, the first. */
  readonly run: string;
  /** Of the experiment, where it counts as one. */
  readonly experiment?: string;
  readonly startedAt: string;
  /** Median where several runs count as one. */
  readonly value: number;
  readonly runs: number;
}

export interface HistoryChange {
  /** Index of the first point after it. */
  readonly at: number;
  /** Medians of the stretches before and after it. */
  readonly before: number;
  readonly after: number;
  /** after / before - 1 */
  readonly change: number;
  readonly p: number;
  readonly is: 'better' | 'worse';
  /** In what else the last run before and the first after it differ; each with both values. */
  readonly differs: readonly string[];
}

export interface HistorySeries {
  /** `pool/large`, or the workload. */
  readonly name: string;
  readonly workload: string;
  /** Absent where imported runs do not tell. */
  readonly threads?: number;
  readonly host?: string;
  readonly machineKey: string;
  readonly workloadKey: string;
  readonly metric: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** What a point is. */
  readonly by: 'run' | 'experiment';
  readonly points: readonly HistoryPoint[];
  readonly changes: readonly HistoryChange[];
  /** False: there are too few points to look. */
  readonly isLookedAt: boolean;
  /** Smaller changes are not told; a share, and where it is from. */
  readonly smallest: { readonly share: number; readonly from: 'noise floor' | 'option' | 'default' };
  /** Runs that failed, were cut short, prove nothing, or do not tell the metric. */
  readonly passedOver: number;
  /** Of the points: by another tool, so that nobody knows whether on one machine. Absent where there are none. */
  readonly imported?: { readonly runs: number; readonly withoutTime: number };
  /** In one sentence. */
  readonly is: string;
}
