/** What `--report-checkpoints` prints: sysbench's statistics since the checkpoint before. */
import type { Checkpoint } from '../model/run.ts';
import { sysbenchStatistics } from './sysbench-statistics.ts';

export function checkpointText({ atS, totals, latency }: Checkpoint, percentiles: readonly number[]): string {
  return `[ ${atS.toFixed(0)}s ] Checkpoint report:\n${sysbenchStatistics({ totals, latency, percentiles })}\n`;
}
