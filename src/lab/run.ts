/**
 * One run, whole: look at the target, apply the load, compare counts with the server's, keep the record. Whatever ends
 * the load, the record is written, with what was measured until then and the cause.
 */
import { UserError } from '../base/errors.ts';
import { type OpenHosts, openHosts } from '../doctor/hosts.ts';
import { applyLoad } from '../load/engine.ts';
import type { ApplyLoad, LoadHooks, LoadPlan, LoadResult } from '../load/plan.ts';
import { threadClock } from '../load/world.ts';
import type { Checkpoint, ExperimentPlace, Finding, Interval, RunRecord } from '../model/run.ts';
import { findServerProcess } from '../observe/server-process.ts';
import { openStore, type Store } from '../store/store.ts';
import { preflight } from '../workload/preflight.ts';
import type { TargetProblem, Workload } from '../workload/workload.ts';
import { CounterWatch } from './counter-watch.ts';
import { examine } from './examine-run.ts';
import { failedResult } from './failed-result.ts';
import { judged } from './judge.ts';
import { labFindings } from './lab-findings.ts';
import { type HostRequest, RunObservation } from './observation.ts';
import { type Observers, openObservers } from './observers.ts';
import { PartWatch } from './part-watch.ts';
import type { Prepared } from './phases.ts';
import { toRecord } from './record.ts';
import { describeTarget, type TargetDescription } from './target.ts';
import { checkOptions, findingsOf, stopOnProblems } from './target-check.ts';

export interface RunRequest {
  readonly plan: LoadPlan;
  readonly workload: Workload;
  readonly workloadOptions: Readonly<Record<string, unknown>>;
  /** As typed, secrets removed. */
  readonly command: readonly string[];
  readonly tags: readonly string[];
  readonly experiment?: ExperimentPlace;
  /** Where the data was made for this run just before it: that is put on its timeline. */
  readonly prepared?: Prepared;
  /** Default as `storeDirectory`. */
  readonly storeDirectory?: string;
  readonly isPrivate: boolean;
  /** What is watched beside the load; absent: nothing. */
  readonly observe?: ObserveRequest;
  /** Of this program. */
  readonly version: string;
}

export interface ObserveRequest {
  readonly intervalS: number;
  readonly host: HostRequest;
  /** Whether the doctor looks at machines, server and load first, which takes a second or two. */
  readonly examines?: boolean;
}

export interface RunView {
  /** Aborted after the run's own signal: nothing is waited for any more, and the record is kept all the same. */
  readonly atOnce?: AbortSignal;
  onPhase?(phase: 'checking' | 'connecting' | 'warming up' | 'measuring' | 'stopping' | 'saving'): void;
  onInterval?(interval: Interval): void;
  onCheckpoint?(checkpoint: Checkpoint): void;
  onNote?(line: string): void;
}

/**
 * Rejects only where nothing has been loaded yet: a `UserError` with the remedy, or how the connection failed. From
 * then on it resolves with the record, whatever happens; `ending` and `findings` say what it is worth.
 */
export async function runOnce(
  request: RunRequest,
  view: RunView,
  signal: AbortSignal,
  load: ApplyLoad = applyLoad,
): Promise<RunRecord> {
  checkOptions(request.workload, request.workloadOptions);
  const store = openStore(request.storeDirectory);
  await store.ensureWritable();
  view.onPhase?.('checking');
  await using observers = await openObservers(request.plan.targets);
  const warnings = await checkTarget(observers, request, view);
  const target = await describeTarget(observers.first, request);
  signal.throwIfAborted();

  const watch = new CounterWatch(observers.connections, request.plan);
  const parts = await partWatch(observers, watch, { plan: request.plan, isHere: target.isHere });
  await using hosts = await openRunHosts(request);
  const examination = await examine(request, hosts, warnings.problems);
  const observation = await observe(observers, watch, { request, hosts, target });
  await watch.begin();
  const result = await load(request.plan, hooksFor({ view, watch, parts, observation }), signal).catch((error) =>
    asResult(error, request.plan),
  );
  const crossCheck = watch.verdict({ ending: result.ending, errors: result.totals.errors });

  const findings = [
    ...result.findings,
    ...warnings.findings,
    ...examination.findings,
    ...labFindings({ target, crossCheck, ending: result.ending }),
  ];
  view.onPhase?.('saving');
  const record = toRecord({
    request,
    target: target.record,
    result,
    crossCheck,
    findings,
    partCosts: await parts.costs(),
  });
  const { storage } = examination;
  return keep(store, observation === undefined ? record : await judged(record, observation.observed, storage));
}

/** Before the watch begins: it asks the server questions of its own. */
async function observe(
  observers: Observers,
  watch: CounterWatch,
  {
    request,
    hosts,
    target,
  }: { readonly request: RunRequest; readonly hosts: OpenHosts | undefined; readonly target: TargetDescription },
): Promise<RunObservation | undefined> {
  const { observe, prepared } = request;
  if (observe === undefined || hosts === undefined) return undefined;
  const wanted = {
    intervalS: observe.intervalS,
    hosts,
    variables: target.record.variables,
    address: target.record.address,
    ...(prepared === undefined ? {} : { prepared }),
  };
  return RunObservation.open(observers.first, watch.source, wanted, threadClock());
}

async function openRunHosts({ observe, plan }: RunRequest): Promise<OpenHosts | undefined> {
  const [server] = plan.targets;
  if (observe === undefined || server === undefined) return undefined;
  return openHosts({ server, processId: process.pid, ...observe.host });
}

async function checkTarget(
  observers: Observers,
  request: RunRequest,
  view: RunView,
): Promise<{ readonly findings: readonly Finding[]; readonly problems: readonly TargetProblem[] }> {
  const { plan, workload, workloadOptions } = request;
  const settings = { threads: plan.threads, isPrepareRun: false, preparedStatements: plan.preparedStatements };
  const found = await Promise.all(
    observers.connections.map((connection) => preflight(connection, workload, workloadOptions, settings)),
  );
  const problems = found.flat();
  stopOnProblems(problems);
  const warnings = findingsOf(problems);
  for (const { is, remedy } of warnings) view.onNote?.(`${is} ${remedy}`);
  return { findings: warnings, problems };
}

/** Must be made before the watch begins: it asks the server who it is. */
async function partWatch(
  observers: Observers,
  watch: CounterWatch,
  { plan, isHere }: { readonly plan: LoadPlan; readonly isHere: boolean },
): Promise<PartWatch> {
  const isSeen = isHere && plan.sequence.length > 0 && observers.connections.length === 1;
  // What a proxy refuses to tell costs a figure, not the run.
  const process = isSeen ? await findServerProcess(observers.first).catch(() => undefined) : undefined;
  return new PartWatch({ process, status: () => watch.status() });
}

interface Watchers {
  readonly view: RunView;
  readonly watch: CounterWatch;
  readonly parts: PartWatch;
  readonly observation: RunObservation | undefined;
}

function hooksFor({ view, watch, parts, observation }: Watchers): LoadHooks {
  return {
    ...(view.atOnce === undefined ? {} : { atOnce: view.atOnce }),
    onPhase: (phase) => {
      observation?.onPhase(phase);
      view.onPhase?.(phase);
    },
    onReady: async (setup) => {
      await watch.ready(setup);
      await observation?.start();
    },
    onClient: (worker, state) => observation?.onClient(worker, state),
    onPart: (part) => parts.onPart(part),
    onFinished: async (sent) => {
      await observation?.stop();
      await parts.finish();
      await watch.finished(sent);
      await observation?.finish();
    },
    onInterval: (interval) => view.onInterval?.(interval),
    onCheckpoint: (checkpoint) => view.onCheckpoint?.(checkpoint),
    onNote: (line) => view.onNote?.(line),
  };
}

/** A `UserError` says that nothing was begun. Anything else is a mistake in this program, and a run that failed. */
function asResult(error: unknown, plan: LoadPlan): LoadResult {
  if (error instanceof UserError) throw error;
  return failedResult(plan, error);
}

/** Of the finding: the record is in what was printed, and nowhere else. */
export const NOT_SAVED = 'not-saved';

/** A full disk must not take away the figures too: they are still shown, with a word on what is missing. */
async function keep(store: Store, record: RunRecord): Promise<RunRecord> {
  try {
    await store.save(record);
    return record;
  } catch (error) {
    const finding: Finding = {
      id: NOT_SAVED,
      severity: 'warning',
      is: 'The run could not be saved.',
      because: (error as Error).message,
      remedy: 'Free some space or choose another directory with --store, and keep this output.',
    };
    return { ...record, findings: [...record.findings, finding] };
  }
}
