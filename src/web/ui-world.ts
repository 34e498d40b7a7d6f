/**
 * What the page needs of the program around it: command lines are read there, and what they ask for is done there, so
 * that a form means what the same words would mean on a terminal.
 */
import type { ExperimentView } from '../lab/experiment/conduct.ts';
import type { RunView } from '../lab/run.ts';
import type { Checkup } from '../model/checkup.ts';
import type { RunsComparison } from '../model/comparison.ts';
import type { ExperimentPlan, ExperimentRecord } from '../model/experiment.ts';
import type { RunRecord } from '../model/run.ts';
import type { ApiProblem, DoctorForm, ExperimentForm, PlanReply, RunForm, WorkloadForm } from './api.ts';

/** Of a load that is about to begin. */
export interface LoadFacts {
  /** 0: no limit. */
  readonly timeS: number;
  readonly warmupS: number;
  /** Shown of each interval. */
  readonly percentile: number;
}

/** A run as it is watched; `onStep` and `onAdvance` while the data is made. */
export interface RunWatch extends RunView {
  onStep(text: string): void;
  onAdvance(activity: string, done: number, total: number): void;
  onNote(line: string): void;
}

/** Read, and found to be right as far as that can be told without the server. */
export interface ReadyRun {
  readonly title: string;
  /** As it would be typed, secrets removed. */
  readonly command: string;
  readonly load: LoadFacts;
  go(watch: RunWatch, signal: AbortSignal): Promise<RunRecord>;
}

export interface ReadyExperiment {
  readonly plan: ExperimentPlan;
  /** What should be known beforehand; each a sentence. */
  readonly notes: readonly string[];
  go(view: ExperimentView, signal: AbortSignal): Promise<ExperimentRecord>;
}

export interface CompareForm {
  readonly references: readonly string[];
  /** Undefined: as the experiment had declared, or transactions/s. */
  readonly metric: string | undefined;
  /** Also what is not the same work. */
  readonly anyway: boolean;
}

export interface UiWorld {
  readonly version: string;
  /** Default as `storeDirectory`. */
  readonly storeDirectory?: string;
  workloads(): Promise<readonly WorkloadForm[]>;
  readRun(form: RunForm): Promise<ReadyRun>;
  readExperiment(form: ExperimentForm): Promise<ReadyExperiment>;
  plan(form: ExperimentForm): Promise<PlanReply>;
  resume(id: string): Promise<ReadyExperiment>;
  compare(form: CompareForm): Promise<RunsComparison>;
  examine(form: DoctorForm, signal: AbortSignal): Promise<Checkup>;
  startServer(name: string, extraArguments: readonly string[], signal: AbortSignal): Promise<void>;
  /** Names of private servers that the page has started. */
  ownServers(): ReadonlySet<string>;
  /** What an error says to people; undefined for a mistake in this program. */
  problemsOf(error: unknown): readonly ApiProblem[] | undefined;
}
