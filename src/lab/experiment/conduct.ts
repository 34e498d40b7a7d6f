/**
 * Conducts an experiment: every planned run in its order, each from the state that the plan asks for, each kept. What
 * has been done is in the journal before the next begins, so whatever ends this program, it can be taken up again: no
 * run is lost that was finished, and none is counted twice.
 */
import { monotonicMs, nowMs } from '../../base/clock.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import {
  type Entered,
  EXPERIMENT_FORMAT,
  type ExperimentEnding,
  type ExperimentPlan,
  type ExperimentRecord,
  type ExperimentResult,
  type JournalEntry,
  type PlannedRun,
} from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import { isClearAt, LOOKS } from '../../stats/sequential.ts';
import { type Experiments, openExperiments } from '../../store/experiments.ts';
import { newRunId } from '../../store/run-id.ts';
import { openStore, type Store } from '../../store/store.ts';
import { WireError } from '../../wire/errors.ts';
import type { Prepared } from '../phases.ts';
import { type ProcessIdentity, stateOf } from '../process-identity.ts';
import { type ObserveRequest, type RunRequest, type RunView, runOnce } from '../run.ts';
import { ownIdentity } from '../server-directory.ts';
import { analyse } from './analyse.ts';
import { endingOf, failedBoth, wordsOf } from './endings.ts';
import { keepNoiseFloor, knownNoiseFloor } from './noise.ts';
import { openStage } from './open-stage.ts';
import type { PlacedRun } from './placed-run.ts';
import { schedule } from './schedule.ts';
import type { ResolvedVariant, Stage, StageRequest, StageView } from './stage.ts';
import { invalidBecause } from './validity.ts';

export interface ExperimentRequest {
  readonly plan: ExperimentPlan;
  /** Of the plan, with their command lines read. */
  readonly variants: readonly ResolvedVariant[];
  /** As typed, secrets removed. */
  readonly command: readonly string[];
  readonly version: string;
  /** Default as `storeDirectory`. */
  readonly storeDirectory?: string;
  readonly openTarget: StageRequest['openTarget'];
  readonly allows: StageRequest['allows'];
  /** What is watched beside each load; absent: nothing. */
  readonly observe?: ObserveRequest;
  /** Beside those of the experiment. */
  readonly tags?: readonly string[];
  /** Takes up this one, whose plan is that of the request. */
  readonly resume?: string;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly elapsedS: number;
  /** By the runs that this program has done so far; undefined before the first. */
  readonly leftS?: number;
}

export interface ExperimentView extends StageView {
  /** It has a name, and can be taken up from now on. */
  onBegin(record: ExperimentRecord, progress: Progress): void;
  /** A run is about to begin. What is returned is disposed of when it is over. */
  openRun(run: PlannedRun, load: ResolvedVariant['plan']): RunView & Disposable;
  onRun(run: PlannedRun, record: RunRecord, progress: Progress): void;
  /** It does not count. */
  onInvalid(run: PlannedRun, because: string): void;
  /** At a look of a sequential design. */
  onLook(blocks: number, result: ExperimentResult, ends: boolean): void;
}

/** What tests replace. */
export interface ExperimentWorld {
  readonly openStage: (request: StageRequest) => Promise<Stage>;
  readonly runOnce: typeof runOnce;
}

/**
 * Rejects only where nothing was begun, and leaves no experiment then. From the first run on it resolves with the
 * record, whatever happens; `ending` says how far it came, and `result` is of what was measured until then.
 */
export async function conductExperiment(
  request: ExperimentRequest,
  view: ExperimentView,
  signal: AbortSignal,
  world: ExperimentWorld = { openStage, runOnce },
): Promise<ExperimentRecord> {
  const experiments = openExperiments(request.storeDirectory);
  const store = openStore(request.storeDirectory);
  const id =
    request.resume === undefined ? await create(request, experiments) : await idOf(request.resume, experiments);
  const conducted = await whileLocked(id, { request, experiments, store, view, world }, signal);
  if (conducted.is === 'conducted') return conducted.record;
  // Only now: one that is locked cannot be removed.
  if (request.resume === undefined) await experiments.remove(id, isAlive);
  throw conducted.because;
}

/** refused: by the plan, the target or what is installed, before anything was measured. */
type Conducted = { readonly is: 'conducted'; readonly record: ExperimentRecord } | Refused;

interface Refused {
  readonly is: 'refused';
  readonly because: unknown;
}

async function whileLocked(id: string, parts: Omit<ConductorParts, 'record'>, signal: AbortSignal): Promise<Conducted> {
  const { experiments } = parts;
  await using _lock = await experiments.lock(id, ownIdentity(), isAlive);
  const { record, journal } = await experiments.load(id);
  refuseDone(record);
  const conductor = new Conductor({ ...parts, record });
  return await conductor.conduct(journal, signal);
}

/** Whether the program that holds an experiment may still be at it. */
export function isAlive(owner: ProcessIdentity): boolean {
  return stateOf(owner) !== 'gone';
}

async function create({ plan, command, version }: ExperimentRequest, experiments: Experiments): Promise<string> {
  const startedAtMs = nowMs();
  const id = newRunId(startedAtMs, plan.name);
  await experiments.create({
    format: EXPERIMENT_FORMAT,
    id,
    startedAt: new Date(startedAtMs).toISOString(),
    sqldyno: { version },
    command,
    plan,
    runs: schedule(plan),
  });
  return id;
}

async function idOf(reference: string, experiments: Experiments): Promise<string> {
  const { record } = await experiments.load(reference);
  return record.id;
}

function refuseDone({ id, ending }: ExperimentRecord): void {
  if (ending?.kind !== 'done' && ending?.kind !== 'early') return;
  throw new UserError(`The experiment ${id} is done: there is nothing to take up.`, {
    hint: `See it: sqldyno experiment show ${id}`,
  });
}

interface ConductorParts {
  readonly request: ExperimentRequest;
  readonly record: ExperimentRecord;
  readonly experiments: Experiments;
  readonly store: Store;
  readonly view: ExperimentView;
  readonly world: ExperimentWorld;
}

class Conductor {
  readonly #parts: ConductorParts;
  /** By number of the planned run. */
  readonly #done = new Map<number, Omit<PlacedRun, 'block' | 'variant'>>();
  readonly #attempts = new Map<number, number>();
  readonly #startMs = monotonicMs();
  #ownRuns = 0;
  /** A run has been begun by this program. */
  #begun = false;
  /** For the timeline of the run that follows. */
  #prepared: Prepared | undefined;

  constructor(parts: ConductorParts) {
    this.#parts = parts;
  }

  /** What an earlier program had done of it. Nothing is written yet. */
  async #takeUp(journal: readonly JournalEntry[]): Promise<void> {
    const { record, store } = this.#parts;
    const invalid = new Set(journal.flatMap((entry) => (entry.is === 'invalid' && entry.run ? [entry.run] : [])));
    const entered = new Map(journal.flatMap((entry) => (entry.is === 'done' ? [[entry.run, entry.entered]] : [])));
    const { runs } = await store.list({ experiment: record.id });
    for (const { id } of runs) {
      if (invalid.has(id)) continue;
      const run = await store.load(id);
      const number = run.experiment?.number;
      // Saved, and this program was killed before it could say so: it counts like the others.
      if (number !== undefined && !this.#done.has(number) && this.#invalidBecause(run) === undefined) {
        this.#done.set(number, withEntered(run, entered.get(id)));
      }
    }
  }

  async conduct(journal: readonly JournalEntry[], signal: AbortSignal): Promise<Conducted> {
    const { record, view, request } = this.#parts;
    if (request.resume !== undefined) await this.#takeUp(journal);
    const opened = await this.#open(signal);
    if (opened.is === 'refused') return opened;
    const { stage } = opened;
    if (request.resume !== undefined) await this.#append({ is: 'resumed' });
    view.onBegin(record, this.#progress());
    let ending: ExperimentEnding;
    try {
      signal.throwIfAborted();
      ending = await this.#runAll(stage, signal);
    } catch (error) {
      if (this.#isRefusal(error, signal)) return await this.#refuse(stage, error);
      ending = endingOf(error, signal);
    }
    return { is: 'conducted', record: await this.#end(await this.#close(stage, ending)) };
  }

  /** Open and checked: what forbids the experiment is known before it begins. */
  async #open(signal: AbortSignal): Promise<{ readonly is: 'open'; readonly stage: Stage } | Refused> {
    const { record, view, world, request } = this.#parts;
    let stage: Stage;
    try {
      stage = await world.openStage({ ...request, id: record.id });
    } catch (because) {
      return { is: 'refused', because };
    }
    // One of which all runs are done needs no server any more.
    if (this.#done.size === record.runs.length) return { is: 'open', stage };
    try {
      await stage.check(view, signal);
      return { is: 'open', stage };
    } catch (because) {
      return signal.aborted ? { is: 'open', stage } : await this.#refuse(stage, because);
    }
  }

  /** What is wrong with the plan, or with what is installed, is not mended by going on; nothing was measured by it. */
  #isRefusal(error: unknown, signal: AbortSignal): boolean {
    if (signal.aborted || this.#begun || this.#parts.request.resume !== undefined) return false;
    return error instanceof UserError && error.exitCode !== ExitCode.runFailed;
  }

  async #refuse(stage: Stage, because: unknown): Promise<Refused> {
    const { request, view } = this.#parts;
    const keepsData = request.resume !== undefined;
    await stage.close({ keepsData }, view).catch((error: Error) => view.onNote(error.message));
    return { is: 'refused', because };
  }

  async #runAll(stage: Stage, signal: AbortSignal): Promise<ExperimentEnding> {
    const { record } = this.#parts;
    const left = record.runs.filter(({ number }) => !this.#done.has(number));
    if (left.length > 0) await this.#prepare(stage, signal);
    for (const run of left) {
      signal.throwIfAborted();
      await this.#runUntilValid(run, stage, signal);
      const blocks = run.block;
      if (this.#isBlockDone(blocks) && (await this.#endsAt(blocks))) return { kind: 'early', blocks };
    }
    return { kind: 'done' };
  }

  async #prepare(stage: Stage, signal: AbortSignal): Promise<void> {
    const startedAtMs = nowMs();
    await stage.prepare(this.#parts.view, signal);
    this.#prepared = { startedAtMs, endedAtMs: nowMs() };
  }

  #isBlockDone(block: number): boolean {
    return this.#parts.record.runs.filter((run) => run.block === block).every(({ number }) => this.#done.has(number));
  }

  /** A sequential design looks only where it said that it would. */
  async #endsAt(blocks: number): Promise<boolean> {
    const { plan, view } = { ...this.#parts, plan: this.#parts.record.plan };
    if (plan.stop.is !== 'sequential' || blocks >= plan.blocks || !LOOKS.includes(blocks)) return false;
    const result = await this.#analyse();
    const primary = result.comparisons.filter(({ isPrimary }) => isPrimary);
    const ends = primary.length > 0 && primary.every((comparison) => isClearAt(blocks, comparison));
    view.onLook(blocks, result, ends);
    return ends;
  }

  async #runUntilValid(run: PlannedRun, stage: Stage, signal: AbortSignal): Promise<void> {
    const { plan } = this.#parts.record;
    for (;;) {
      const attempt = (this.#attempts.get(run.number) ?? 0) + 1;
      this.#attempts.set(run.number, attempt);
      const because = await this.#runOnce(run, attempt, stage, signal);
      if (because === undefined) return;
      signal.throwIfAborted();
      this.#parts.view.onInvalid(run, because);
      if (attempt < plan.invalid.attemptsMax) continue;
      throw new UserError(`Run ${run.number} (${run.variant}, block ${run.block}) did not count. ${because}`, {
        hint: 'Mend that, and take the experiment up again: what was measured before is kept.',
        exitCode: ExitCode.runFailed,
      });
    }
  }

  /** Why it does not count; undefined where it does. The stage is left, whatever came of it. */
  async #runOnce(run: PlannedRun, attempt: number, stage: Stage, signal: AbortSignal): Promise<string | undefined> {
    const { view } = this.#parts;
    this.#begun = true;
    await this.#append({ is: 'begun', number: run.number, attempt });
    let because: string | undefined;
    try {
      because = await this.#measure(run, attempt, stage, signal);
    } catch (error) {
      // What went wrong first is the reason; that leaving failed too follows from it, or is told beside it.
      await stage.leave(view).catch((left: Error) => view.onNote(wordsOf(left)));
      throw error;
    }
    await stage.leave(view).catch((left: unknown) => {
      throw because === undefined ? left : failedBoth(because, left);
    });
    return because;
  }

  async #measure(run: PlannedRun, attempt: number, stage: Stage, signal: AbortSignal): Promise<string | undefined> {
    const { view, world, request } = this.#parts;
    const variant = request.variants.find(({ variant: { name } }) => name === run.variant);
    if (variant === undefined) throw new Error(`the plan has no variant ${run.variant}`);
    try {
      const stageNow = await stage.enter(run.variant, view, signal);
      const plan = { ...variant.plan, seed: run.seed, targets: stageNow.targets };
      using runView = view.openRun(run, variant.plan);
      const prepared = this.#prepared;
      this.#prepared = undefined;
      const record = await world.runOnce(
        { ...this.#requestOf({ run, attempt, variant }, plan, stageNow.isPrivate), ...(prepared && { prepared }) },
        runView,
        signal,
      );
      return await this.#judge(run, record, stageNow.entered);
    } catch (error) {
      if (!(error instanceof WireError) || signal.aborted) throw error;
      // The server went away before the load began: no record, and as good a reason for another attempt.
      const because = `The connection broke before the load began: ${error.message}`;
      await this.#append({ is: 'invalid', number: run.number, because });
      return because;
    }
  }

  async #judge(run: PlannedRun, record: RunRecord, entered: Entered): Promise<string | undefined> {
    const because = this.#invalidBecause(record);
    if (because !== undefined) {
      await this.#append({ is: 'invalid', number: run.number, run: record.id, because });
      return because;
    }
    await this.#append({ is: 'done', number: run.number, run: record.id, entered });
    this.#done.set(run.number, withEntered(record, entered));
    this.#ownRuns++;
    this.#parts.view.onRun(run, record, this.#progress());
    return undefined;
  }

  #requestOf(
    { run, attempt, variant }: { run: PlannedRun; attempt: number; variant: ResolvedVariant },
    plan: RunRequest['plan'],
    isPrivate: boolean,
  ): RunRequest {
    const { request, record } = this.#parts;
    const { command, storeDirectory, version, observe, tags = [] } = request;
    return {
      plan,
      workload: variant.workload,
      workloadOptions: variant.workloadOptions,
      command,
      tags: [record.plan.name, run.variant, ...tags],
      experiment: {
        id: record.id,
        name: record.plan.name,
        variant: run.variant,
        block: run.block,
        number: run.number,
        attempt,
      },
      ...(storeDirectory === undefined ? {} : { storeDirectory }),
      isPrivate,
      ...(observe === undefined ? {} : { observe }),
      version,
    };
  }

  #invalidBecause(run: RunRecord): string | undefined {
    return invalidBecause(run, this.#parts.record.plan.invalid);
  }

  #progress(): Progress {
    const total = this.#parts.record.runs.length;
    const done = this.#done.size;
    const elapsedS = (monotonicMs() - this.#startMs) / 1000;
    return {
      done,
      total,
      elapsedS,
      ...(this.#ownRuns === 0 ? {} : { leftS: (elapsedS / this.#ownRuns) * (total - done) }),
    };
  }

  get #placed(): readonly PlacedRun[] {
    return this.#parts.record.runs.flatMap(({ number, block, variant }): PlacedRun[] => {
      const done = this.#done.get(number);
      return done === undefined ? [] : [{ block, variant, ...done }];
    });
  }

  /** `kept`: what is said of the noise floor that it has measured itself. */
  async #analyse(kept: readonly string[] = []): Promise<ExperimentResult> {
    const { record, request } = this.#parts;
    const placed = this.#placed;
    const known = await knownNoiseFloor(record.plan, placed, request.storeDirectory);
    if (known === undefined) return analyse(record.plan, placed, { noiseNotes: kept });
    return analyse(record.plan, placed, { noiseFloor: known.noiseFloor, noiseNotes: [known.noiseNote, ...kept] });
  }

  async #close(stage: Stage, ending: ExperimentEnding): Promise<ExperimentEnding> {
    const keepsData = ending.kind === 'interrupted' || ending.kind === 'failed';
    try {
      await stage.close({ keepsData }, this.#parts.view);
      return ending;
    } catch (error) {
      this.#parts.view.onNote((error as Error).message);
      return { kind: 'failed', cause: (error as Error).message };
    }
  }

  async #end(ending: ExperimentEnding): Promise<ExperimentRecord> {
    const { experiments, record, request } = this.#parts;
    const isWhole = ending.kind === 'done';
    const kept = isWhole ? await keepNoiseFloor(record.plan, this.#placed, request.storeDirectory) : [];
    const result = this.#done.size === 0 ? {} : { result: await this.#analyse(kept) };
    const ended = { ...record, endedAt: new Date(nowMs()).toISOString(), ending, ...result };
    await experiments.saveRecord(ended);
    await this.#append({ is: 'ended', ending });
    return ended;
  }

  async #append(entry: WithoutTime<JournalEntry>): Promise<void> {
    const { experiments, record } = this.#parts;
    await experiments.append(record.id, { at: new Date(nowMs()).toISOString(), ...entry } as JournalEntry);
  }
}

function withEntered(record: RunRecord, entered: Entered | undefined): Omit<PlacedRun, 'block' | 'variant'> {
  return { record, ...(entered === undefined ? {} : { entered }) };
}

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;
