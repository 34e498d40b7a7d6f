/**
 * Looks for the highest rate that keeps a limit: a run as fast as possible says where to begin, then runs in the open
 * loop at rates that `search-decision.ts` asks for. Whatever ends it, the result says what is known until then.
 */
import { nowMs } from '../../base/clock.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import { deriveSeed } from '../../base/random.ts';
import type { LoadPlan } from '../../load/plan.ts';
import type { RunRecord } from '../../model/run.ts';
import {
  SEARCH_FORMAT,
  type SearchEnding,
  type SearchLimit,
  type SearchResult,
  type SearchSettings,
  type SearchTrial,
} from '../../model/search.ts';
import { newRunId } from '../../store/run-id.ts';
import { isWhole } from '../rounds.ts';
import { type RunRequest, type RunView, runOnce } from '../run.ts';
import { nextStep, type SearchGuess, type SearchStep, trialsLeft } from './search-decision.ts';
import { type Finished, foundOf } from './search-result.ts';
import { trialOf } from './search-trial.ts';

export interface SearchRequest extends Omit<RunRequest, 'experiment'> {
  readonly limit: SearchLimit;
  readonly settings: Pick<SearchSettings, 'repeats' | 'precisionShare'>;
  /** Absent: found out. */
  readonly rateMinPerS?: number;
  readonly rateMaxPerS?: number;
}

export interface SearchView {
  /** What comes next, before it is done. `left`: how many runs are still to be expected, this one included. */
  onStep(step: 'estimate' | Extract<SearchStep, { is: 'try' }>, left: number): void;
  /** A run is about to begin. What is returned is disposed of when it is over. */
  openRun(plan: LoadPlan): RunView & Disposable;
  onEstimate(record: RunRecord): void;
  onTrial(trial: SearchTrial): void;
}

/** By which `runs list` shows them. */
export const SEARCH_TAG = 'search';

/** Half of what a server does flat out keeps most limits that can be kept, and is far from none. */
const FIRST_SHARE_OF_CEILING = 0.5;
/** A rate so far below what the server does flat out keeps a limit, or none does. */
const MIN_SHARE_OF_CEILING = 0.001;
/** No client sends more. */
const RATE_PER_S_MAX = 10_000_000;
/** A rate at which nothing would be due within a minute tells nothing. */
const RATE_PER_S_MIN = 0.02;

/** Rejects only where nothing was measured: before, or in, the very first run. */
export async function runSearch(
  request: SearchRequest,
  view: SearchView,
  signal: AbortSignal,
  run: typeof runOnce = runOnce,
): Promise<SearchResult> {
  const search = new Search(request, view, run);
  await search.begin(signal);
  const ending = await search.conduct(signal).catch((error: unknown) => endingOf(error, signal));
  return search.resultOf(ending);
}

class Search {
  readonly #request: SearchRequest;
  readonly #view: SearchView;
  readonly #run: typeof runOnce;
  readonly #startedAtMs = nowMs();
  readonly #trials: SearchTrial[] = [];
  readonly #records = new Map<string, RunRecord>();
  #estimate: RunRecord | undefined;
  #guess: SearchGuess | undefined;
  readonly id: string;

  constructor(request: SearchRequest, view: SearchView, run: typeof runOnce) {
    this.#request = request;
    this.#view = view;
    this.#run = run;
    this.id = newRunId(this.#startedAtMs, `search-${request.plan.workload.name}`);
  }

  async begin(signal: AbortSignal): Promise<void> {
    const { rateMinPerS, rateMaxPerS, settings } = this.#request;
    if (rateMinPerS !== undefined && rateMaxPerS !== undefined) {
      this.#guess = {
        ...settings,
        rateMinPerS,
        rateMaxPerS,
        firstPerS: Math.sqrt(rateMinPerS * rateMaxPerS),
        ceilingPerS: rateMaxPerS,
      };
      return;
    }
    this.#view.onStep('estimate', 1);
    const record = await this.#runAt(0, ['estimate'], signal);
    this.#estimate = record;
    this.#view.onEstimate(record);
    const { transactionsPerS } = record.rates;
    if (!isWhole(record) || !(transactionsPerS > 0)) throw unusable(record);
    this.#guess = {
      ...settings,
      rateMinPerS: rateMinPerS ?? Math.min(rateMaxPerS ?? Infinity, lowest(transactionsPerS)),
      rateMaxPerS: rateMaxPerS ?? Math.max(rateMinPerS ?? 0, RATE_PER_S_MAX),
      firstPerS: FIRST_SHARE_OF_CEILING * transactionsPerS,
      ceilingPerS: transactionsPerS,
    };
  }

  async conduct(signal: AbortSignal): Promise<SearchEnding> {
    for (;;) {
      const step = nextStep(this.#known(), this.#trials);
      if (step.is === 'end') return { kind: step.ending };
      signal.throwIfAborted();
      this.#view.onStep(step, Math.max(1, trialsLeft(this.#known(), this.#trials)));
      const record = await this.#runAt(step.ratePerS, [`rate-${step.ratePerS}`], signal);
      signal.throwIfAborted();
      if (!isWhole(record)) throw unusable(record);
      const trial = trialOf(record, step.ratePerS, this.#request.limit);
      this.#records.set(record.id, record);
      this.#trials.push(trial);
      this.#view.onTrial(trial);
    }
  }

  #known(): SearchGuess {
    if (this.#guess === undefined) throw new Error('a search begins before it is conducted');
    return this.#guess;
  }

  async #runAt(ratePerS: number, tags: readonly string[], signal: AbortSignal): Promise<RunRecord> {
    const { limit: _limit, settings: _settings, rateMinPerS: _min, rateMaxPerS: _max, ...request } = this.#request;
    // Equal seeds would draw equal keys and arrivals: repeats would repeat the same chance.
    const seed = deriveSeed(request.plan.seed, SEARCH_TAG, this.#trials.length);
    const plan = { ...request.plan, ratePerS, seed };
    using runView = this.#view.openRun(plan);
    const own = { ...request, plan, tags: [SEARCH_TAG, this.id, ...tags, ...request.tags] };
    return await this.#run(own, runView, signal);
  }

  resultOf(ending: SearchEnding): SearchResult {
    const { limit, plan, command, version } = this.#request;
    const { firstPerS: _first, ceilingPerS: _ceiling, ...settings } = this.#known();
    const finished: Finished = {
      ending,
      limit,
      settings,
      timeS: plan.timeS,
      trials: this.#trials,
      records: this.#records,
      ...(this.#estimate === undefined ? {} : { estimate: this.#estimate }),
    };
    return {
      format: SEARCH_FORMAT,
      id: this.id,
      startedAt: new Date(this.#startedAtMs).toISOString(),
      endedAt: new Date(nowMs()).toISOString(),
      ending,
      sqldyno: { version },
      command,
      workload: plan.workload.name,
      load: { threads: plan.threads, timeS: plan.timeS, warmupS: plan.warmupS },
      limit,
      settings,
      ...foundOf(finished),
    };
  }
}

function lowest(transactionsPerS: number): number {
  return Math.max(RATE_PER_S_MIN, transactionsPerS * MIN_SHARE_OF_CEILING);
}

function unusable(record: RunRecord): UserError {
  const because = 'cause' in record.ending ? record.ending.cause : 'Not one transaction was committed.';
  return new UserError(`The run ${record.id} was cut short. ${because}`, {
    hint: 'Its record is kept. Mend that, and search again.',
    exitCode: record.ending.kind === 'interrupted' ? ExitCode.interrupted : ExitCode.runFailed,
  });
}

function endingOf(error: unknown, signal: AbortSignal): SearchEnding {
  if (signal.aborted) return { kind: 'interrupted', cause: (signal.reason as Error).message };
  return { kind: 'failed', cause: error instanceof Error ? error.message : String(error) };
}
