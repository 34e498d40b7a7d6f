/** Puts a run's record together. */

import type { LoadResult } from '../load/plan.ts';
import {
  type ConformanceLine,
  type CrossCheck,
  type Finding,
  type PartCost,
  RUN_FORMAT,
  type RunRecord,
  type TargetRecord,
} from '../model/run.ts';
import { hostFacts } from '../observe/host.ts';
import { newRunId } from '../store/run-id.ts';
import type { RunRequest } from './run.ts';

export interface RecordParts {
  readonly request: RunRequest;
  readonly target: TargetRecord;
  readonly result: LoadResult;
  readonly crossCheck: CrossCheck;
  readonly findings: readonly Finding[];
  /** Empty where the transactions come in no fixed order. */
  readonly partCosts: readonly PartCost[];
}

/** With what the workload itself has to say of the run. */
export function toRecord(parts: RecordParts): RunRecord {
  const { workload, workloadOptions } = parts.request;
  const record = bareRecord(parts);
  const conformance = workload.conformance?.(record, workloadOptions as never) ?? [];
  const ownTerms = workload.ownTerms?.(record, workloadOptions as never) ?? [];
  return {
    ...record,
    findings: [...record.findings, ...brokenRules(conformance)],
    ...(conformance.length > 0 ? { conformance } : {}),
    ...(ownTerms.length > 0 ? { ownTerms } : {}),
  };
}

function brokenRules(conformance: readonly ConformanceLine[]): Finding[] {
  const broken = conformance.filter(({ conforms }) => conforms === 'no');
  if (broken.length === 0) return [];
  return [
    {
      id: 'rules-not-kept',
      severity: 'warning',
      is: `The run did not keep ${broken.length === 1 ? 'a rule' : `${broken.length} rules`} of its workload: ${broken.map(({ is }) => is).join('; ')}.`,
      because: 'Results are comparable only among runs that keep the rules.',
      remedy: 'See the lines marked NO in the sheet of conformance for what was measured and what was wanted.',
    },
  ];
}

function bareRecord({ request, target, result, crossCheck, findings, partCosts }: RecordParts): RunRecord {
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
    ...(request.experiment === undefined ? {} : { experiment: request.experiment }),
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
    ...(partCosts.length > 0 ? { serverCost: { parts: partCosts } } : {}),
  };
}
