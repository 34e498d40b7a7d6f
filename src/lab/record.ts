/** Puts a run's record together. */

import type { LoadResult } from '../load/plan.ts';
import { type CrossCheck, type Finding, RUN_FORMAT, type RunRecord, type TargetRecord } from '../model/run.ts';
import { hostFacts } from '../observe/host.ts';
import { newRunId } from '../store/run-id.ts';
import type { RunRequest } from './run.ts';

export interface RecordParts {
  readonly request: RunRequest;
  readonly target: TargetRecord;
  readonly result: LoadResult;
  readonly crossCheck: CrossCheck;
  readonly findings: readonly Finding[];
}

export function toRecord({ request, target, result, crossCheck, findings }: RecordParts): RunRecord {
  const { plan } = request;
  const { totals } = result;
  const { read, write, other } = totals.statements;
  const perS = (count: number) => (totals.elapsedS > 0 ? count / totals.elapsedS : 0);
  return {
    format: RUN_FORMAT,
    id: newRunId(result.startedAtMs, plan.workload.name),
    startedAt: new Date(result.startedAtMs).toISOString(),
    endedAt: new Date(result.endedAtMs).toISOString(),
    ending: result.ending,
    tags: request.tags,
    seed: plan.seed,
    sqldyno: { version: request.version },
    command: request.command,
    workload: { name: plan.workload.name, options: request.workloadOptions },
    load: result.settings,
    target,
    totals,
    rates: {
      transactionsPerS: perS(totals.transactions.committed),
      statementsPerS: perS(read + write + other),
    },
    latency: result.latency,
    intervals: result.intervals,
    checkpoints: result.checkpoints,
    client: result.client,
    host: hostFacts(),
    crossCheck,
    findings,
  };
}
