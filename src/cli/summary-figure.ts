/** Metrics that a list knows without opening the runs: by the names of stats/metrics.ts, in their units. */
import type { RunSummary } from '../store/run-summary.ts';

const FIGURES: Readonly<Record<string, (run: RunSummary) => number | undefined>> = {
  'transactions/s': ({ transactionsPerS }) => transactionsPerS,
  'statements/s': ({ statementsPerS }) => statementsPerS,
  elapsed: ({ elapsedS }) => elapsedS,
  errors: ({ errors }) => errors,
  cpuUsPerStatement: ({ cpuUsPerStatement }) => cpuUsPerStatement,
  'mean(transaction)': ({ latencyUs }) => msOf(latencyUs?.mean),
  'p50(transaction)': ({ latencyUs }) => msOf(latencyUs?.p50),
  'p95(transaction)': ({ latencyUs }) => msOf(latencyUs?.p95),
  'p99(transaction)': ({ latencyUs }) => msOf(latencyUs?.p99),
  'max(transaction)': ({ latencyUs }) => msOf(latencyUs?.max),
};

export const FIGURE_NAMES = Object.keys(FIGURES);

/** Undefined: the run itself has to be asked. */
export function summaryFigure(run: RunSummary, metric: string): number | undefined {
  return Object.hasOwn(FIGURES, metric) ? FIGURES[metric]?.(run) : undefined;
}

function msOf(us: number | undefined): number | undefined {
  return us === undefined ? undefined : us / 1_000;
}
