/** What a comparison of stored runs IS: `sqldyno.comparison/1`, as printed by --json. */
import type { ExperimentResult } from './experiment.ts';

export const COMPARISON_FORMAT = 'sqldyno.comparison/1';

/** In what the runs of one name differ from those of another, or among themselves. */
export interface RunDifference {
  /** refused: figures of the two are not of the same thing. told: they are, and the reader must know it. */
  readonly is: 'refused' | 'told';
  /** Stable, for programs: `workload.table_size`, `load.threads`, `server.version`. */
  readonly what: string;
  /** In one sentence. */
  readonly text: string;
}

export interface RunsComparison {
  readonly format: typeof COMPARISON_FORMAT;
  readonly metric: string;
  readonly marginShare: number;
  readonly baseline: string;
  /** blocks: those of the experiment. in turn: they ran one after the other by turns. none: all against all. */
  readonly pairing: 'blocks' | 'in turn' | 'none';
  readonly differences: readonly RunDifference[];
  /** Its variants are what was compared. */
  readonly result: ExperimentResult;
}
