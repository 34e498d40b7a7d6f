/** A run as the list shows it: pure. */
import type { RunSummary } from '../store/run-summary.ts';
import type { RunPlace, RunRow } from './api.ts';

const US_PER_MS = 1_000;

export function runRow(run: RunSummary): RunRow {
  const { id, startedAt, workload, threads, target, address, tags, transactionsPerS, errors, ending, isValid } = run;
  const { latencyUs, grade, bottleneck, host, experiment, imported } = run;
  return {
    ...{ id, startedAt, workload, threads, target, address, tags, transactionsPerS, errors, ending, isValid },
    ...{ grade, bottleneck, host, importedFrom: imported?.tool },
    p95Ms: latencyUs?.p95 === undefined ? undefined : latencyUs.p95 / US_PER_MS,
    experiment: experiment === undefined ? undefined : placeOf(experiment),
  };
}

export function placeOf({ id, name, variant, block }: RunPlace): RunPlace {
  return { id, name, variant, block };
}
