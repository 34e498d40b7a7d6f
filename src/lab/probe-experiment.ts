/**
 * The one-knob experiment that convicts or acquits a verdict: short runs of the same load, as it was (A) and with one
 * knob turned (B), in pairs whose order alternates, so that what changes slowly falls on both alike.
 */
import { nowMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import { SEED_MAX } from '../base/random.ts';
import type { LoadPlan } from '../load/plan.ts';
import {
  PROBE_FORMAT,
  type ProbeComparison,
  type ProbePair,
  type ProbeResult,
  type ProbeRun,
} from '../model/probe-result.ts';
import type { RunRecord } from '../model/run.ts';
import { newRunId } from '../store/run-id.ts';
import { compare, decide, medianOf, type RecordPair, sentenceOf } from './knob-decision.ts';
import { openTurner, type Side, type Turner, type TurnerRequest } from './knob-turn.ts';
import type { HostRequest } from './observation.ts';
import { isWhole } from './rounds.ts';
import { type RunRequest, type RunView, runOnce } from './run.ts';

export interface ProbeRequest extends Omit<TurnerRequest, 'openMaintenance'> {
  readonly record: RunRecord;
  readonly verdict: string;
  readonly pairs: number;
  readonly warmupS: number;
  /** As typed, secrets removed. */
  readonly command: readonly string[];
  readonly isPrivate: boolean;
  readonly host: HostRequest;
  /** What must be known beside the knob's own notes. */
  readonly notes: readonly string[];
  readonly version: string;
}

export interface ProbeView extends Pick<TurnerRequest, 'openMaintenance'> {
  /** What comes next, before it is done. */
  onStep(text: string): void;
  /** A run is about to begin. What is returned is disposed of when it is over. */
  openRun(plan: LoadPlan): RunView & Disposable;
  onRun(side: Side, run: ProbeRun): void;
  onNote(line: string): void;
}

/** By which `runs list` shows them; the newest run that is none of these is what is diagnosed. */
export const PROBE_TAG = 'probe';

/** An observation more often than the kernel counts tells nothing. */
const OBSERVE_S = 1;
const OBSERVE_S_MIN = 0.1;
const OBSERVATIONS_MIN = 5;

/** What was changed is put back before it resolves or rejects, or the error says how. */
export async function runProbe(request: ProbeRequest, view: ProbeView, signal: AbortSignal): Promise<ProbeResult> {
  const startedAtMs = nowMs();
  const turner = await openTurner({ ...request, openMaintenance: view.openMaintenance }, signal);
  const tried = await runPairs(request, turner, view, signal).then(
    (pairs) => ({ is: 'done', pairs }) as const,
    (error: unknown) => ({ is: 'failed', error }) as const,
  );
  await putBack(turner, tried.is === 'failed' ? tried.error : undefined, view);
  if (tried.is === 'failed') throw tried.error;
  return resultOf(request, tried.pairs, turner, startedAtMs);
}

/** Once more where it failed: a connection may just have been lost. What had gone wrong before must be told too. */
async function putBack(turner: Turner, before: unknown, view: ProbeView): Promise<void> {
  try {
    await turner.back().catch(() => turner.back());
  } catch (error) {
    if (before instanceof Error) view.onNote(before.message);
    throw error;
  }
}

interface FirstAndRecords extends RecordPair {
  readonly first: Side;
}

async function runPairs(
  request: ProbeRequest,
  turner: Turner,
  view: ProbeView,
  signal: AbortSignal,
): Promise<FirstAndRecords[]> {
  const pairs: FirstAndRecords[] = [];
  for (let pair = 0; pair < request.pairs; pair++) {
    const order = pair % 2 === 0 ? (['A', 'B'] as const) : (['B', 'A'] as const);
    const records = new Map<Side, RunRecord>();
    for (const side of order) {
      signal.throwIfAborted();
      view.onStep(`Pair ${pair + 1} of ${request.pairs}, ${side}: ${side === 'A' ? request.knob.a : request.knob.b}`);
      const changed = await turner.to(side);
      signal.throwIfAborted();
      const record = await runSide(side, { changed, number: pair * 2 + records.size }, { request, view, signal });
      view.onRun(side, runOf(record));
      records.set(side, record);
    }
    pairs.push({ first: order[0], a: records.get('A')!, b: records.get('B')! });
  }
  return pairs;
}

interface SideRun {
  readonly changed: Partial<LoadPlan>;
  /** From 0, over all runs. */
  readonly number: number;
}

async function runSide(
  side: Side,
  { changed, number }: SideRun,
  { request, view, signal }: { request: ProbeRequest; view: ProbeView; signal: AbortSignal },
): Promise<RunRecord> {
  const seed = request.knob.seeds === 'same' ? request.plan.seed : seedOf(request.plan.seed, number);
  const plan = { ...request.plan, warmupS: request.warmupS, seed, ...changed };
  using runView = view.openRun(plan);
  const record = await runOnce(runRequest(side, plan, request), runView, signal);
  signal.throwIfAborted();
  ensureUsable(side, record);
  return record;
}

/** Any other that is allowed: equal ones would touch equal rows. */
function seedOf(seed: number, number: number): number {
  return ((seed + number) % SEED_MAX) + 1;
}

function runRequest(side: Side, plan: LoadPlan, request: ProbeRequest): RunRequest {
  const { record, found, command, storeDirectory, isPrivate, host, version } = request;
  const intervalS = Math.max(OBSERVE_S_MIN, Math.min(OBSERVE_S, plan.timeS / OBSERVATIONS_MIN));
  return {
    plan,
    workload: found.workload,
    workloadOptions: plan.workload.options,
    command,
    tags: [PROBE_TAG, `${PROBE_TAG}-${side}`, `of-${record.id.split('-').at(-1)}`],
    ...(storeDirectory === undefined ? {} : { storeDirectory }),
    isPrivate,
    observe: { intervalS, host },
    version,
  };
}

function ensureUsable(side: Side, record: RunRecord): void {
  const invalid = record.findings.find(({ severity }) => severity === 'invalid');
  if (isWhole(record) && invalid === undefined) return;
  const because = 'cause' in record.ending ? record.ending.cause : invalid?.is;
  throw new UserError(`Run ${side} of the experiment (${record.id}) proves nothing: ${because}`, {
    hint: 'What was changed on the server is put back. The records of the runs are kept.',
    exitCode: ExitCode.runFailed,
  });
}

function runOf({ id, rates }: RunRecord): ProbeRun {
  return { run: id, transactionsPerS: rates.transactionsPerS };
}

function resultOf(
  request: ProbeRequest,
  records: readonly FirstAndRecords[],
  turner: Turner,
  startedAtMs: number,
): ProbeResult {
  const { record, verdict, knob, notes } = request;
  const pairs = records.map(({ first, a, b }): ProbePair => {
    return { first, a: runOf(a), b: runOf(b), ratio: b.rates.transactionsPerS / a.rates.transactionsPerS };
  });
  const comparisons = knob.expectations.map((expectation): ProbeComparison => {
    const comparison = compare(expectation, records);
    if (comparison !== undefined) return comparison;
    throw new UserError(`The runs of the experiment could not see what decides: ${expectation.of}.`, {
      hint: 'Their records say under "Not seen" what the server refused.',
      exitCode: ExitCode.runFailed,
    });
  });
  return {
    format: PROBE_FORMAT,
    id: newRunId(startedAtMs, `probe-${verdict}`),
    startedAt: new Date(startedAtMs).toISOString(),
    run: record.id,
    verdict,
    a: knob.a,
    b: knob.b,
    notes: [...notes, ...knob.notes, ...turner.notes],
    pairs,
    medianRatio: medianOf(pairs.map(({ ratio }) => ratio)),
    comparisons,
    outcome: decide(comparisons),
    is: sentenceOf(verdict, comparisons),
  };
}
