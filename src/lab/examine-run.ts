/** The doctor's look at everything before a run: in under two seconds, and as findings of the run. */
import { nowMs } from '../base/clock.ts';
import { collect } from '../doctor/collect.ts';
import { AUTOMATIC_IDLE_S, seen } from '../doctor/collected.ts';
import { asFindings, preflightChecks } from '../doctor/examine.ts';
import { storageOf } from '../doctor/flush-sign.ts';
import type { OpenHosts } from '../doctor/hosts.ts';
import { planFacts } from '../doctor/plan-facts.ts';
import type { Finding } from '../model/run.ts';
import { openStore } from '../store/store.ts';
import type { TargetProblem } from '../workload/workload.ts';
import type { RunRequest } from './run.ts';
import { withStart } from './started-with.ts';
import { addressOf } from './target.ts';

/** What speaks against the disk keeping what it has flushed. */
export type StorageDoubt = ReturnType<typeof storageOf>;

export interface Examination {
  readonly findings: readonly Finding[];
  readonly storage: StorageDoubt;
}

const NOTHING: Examination = { findings: [], storage: {} };
/** Told by findings of the run's own: the limits by the look at the target, the rest once the run is over. */
const TOLD_ELSEWHERE = ['doctor-limits', 'doctor-mix', 'doctor-same-host', 'doctor-durability'];

/** Opens a connection of its own, and has closed it before the counters are compared for the first time. */
export async function examine(
  { observe, plan, workload, workloadOptions: options, storeDirectory }: RunRequest,
  hosts: OpenHosts | undefined,
  problems: readonly TargetProblem[],
): Promise<Examination> {
  const [server] = plan.targets;
  if (observe?.examines !== true || hosts === undefined || server === undefined) return NOTHING;
  const { threads, preparedStatements } = plan;
  const looked = await collect({
    server: seen(server),
    serverHost: hosts.server,
    clientHost: hosts.client,
    isHere: hosts.isHere,
    questions: { workload, options, threads, preparedStatements, problems },
    idleS: AUTOMATIC_IDLE_S,
  });
  const place = { address: addressOf(server), nowMs: nowMs() };
  const collected = await withStart(looked, openStore(storeDirectory), place);
  const results = await preflightChecks(collected, planFacts(plan, workload, options));
  const findings = asFindings(results).filter(({ id }) => !TOLD_ELSEWHERE.includes(id));
  return { findings, storage: storageOf(collected.serverHost) };
}
