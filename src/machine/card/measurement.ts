/** One measurement of a machine's card: what it gives, how long it takes beside the others, and how it is done once. */
import type { MachineFigure } from '../../model/machine-card.ts';
import type { Ending, Finding, LatencyRecord } from '../../model/run.ts';
import type { Stops } from '../crew.ts';

/** A figure before it has values. */
export type FigurePlan = Pick<MachineFigure, 'id' | 'group' | 'label' | 'unit' | 'better' | 'how' | 'settings'> & {
  /** What is known to be wrong with it, however little it scatters. */
  readonly doubt?: string;
};

export interface Measurement {
  /** For people, while it runs: 'memory, read 256 MiB, one thread'. */
  readonly label: string;
  /** Share of the time: of two measurements the one with twice the weight takes twice as long. */
  readonly weight: number;
  readonly figures: readonly FigurePlan[];
  /**
   * Once. Throws a `UserError` for what keeps it from being done; what was cut off is told by the ending, and its
   * values are not used.
   */
  measure(timeS: number, stops: Stops): Promise<Measured>;
  /** What must be known to judge its figures, out of all repeats. */
  judge?(total: Total): readonly Finding[];
}

export interface Measured {
  readonly ending: Ending;
  /** By the ids of the figures; absent: nothing was finished in the time. */
  readonly values: Readonly<Record<string, number>>;
  readonly latencies?: Readonly<Record<string, LatencyRecord>>;
  readonly elapsedS: number;
  readonly cpuS: number;
}

/** Over all repeats. */
export interface Total {
  readonly elapsedS: number;
  readonly cpuS: number;
  readonly latencies: Readonly<Record<string, LatencyRecord>>;
}
