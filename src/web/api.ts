/** What the page and its server tell each other, as JSON. Plain data; both sides are checked against it. */
import type { Checkup } from '../model/checkup.ts';
import type { RunDifference } from '../model/comparison.ts';
import type { Interval95, PlannedRun } from '../model/experiment.ts';
import type { Diagnosis, Grade } from '../model/judgement.ts';
import type { Phase, RunEvent } from '../model/observed.ts';
import type { CrossCheck, Finding } from '../model/run.ts';

/** With every status of 400 and above: one or more sentences, each with what to do about it where that is known. */
export interface ApiFailure {
  readonly problems: readonly ApiProblem[];
}
export interface ApiProblem {
  readonly is: string;
  readonly remedy?: string;
}

export interface SessionInfo {
  readonly version: string;
  readonly store: string;
}

/** One line of the list. What is not known is left out. */
export interface RunRow {
  readonly id: string;
  readonly startedAt: string;
  readonly workload: string;
  readonly threads?: number | undefined;
  readonly target: string;
  readonly address: string;
  readonly tags: readonly string[];
  readonly transactionsPerS?: number | undefined;
  readonly p95Ms?: number | undefined;
  readonly errors?: number | undefined;
  readonly ending: string;
  readonly isValid: boolean;
  readonly grade?: string | undefined;
  readonly bottleneck?: string | undefined;
  readonly host?: string | undefined;
  /** Which other tool measured it. */
  readonly importedFrom?: string | undefined;
  readonly experiment?: RunPlace | undefined;
}
export interface RunPlace {
  readonly id: string;
  readonly name: string;
  readonly variant: string;
  readonly block: number;
}
export interface RunsReply {
  /** Newest first. */
  readonly runs: readonly RunRow[];
  /** What lies in the store and cannot be read. */
  readonly skipped: readonly { readonly path: string; readonly because: string }[];
}

export interface TableData {
  readonly columns: readonly { readonly heading: string; readonly align: 'left' | 'right' | 'point' }[];
  readonly rows: readonly (readonly string[])[];
}
export interface TitledTable {
  readonly title: string;
  readonly note?: string;
  /** Of interest to few. */
  readonly isFolded?: boolean;
  readonly table: TableData;
}

/** Lines over one time axis: seconds since the measured part began. */
export interface ChartData {
  readonly title: string;
  readonly unit: string;
  readonly atS: readonly number[];
  readonly lines: readonly { readonly name: string; readonly points: readonly (number | null)[] }[];
}
export interface ChartGroup {
  readonly title: string;
  /** What was zero all the time, by name: nothing to draw. */
  readonly zero: readonly string[];
  readonly charts: readonly ChartData[];
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}
export interface FactGroup {
  readonly title: string;
  readonly facts: readonly Fact[];
}

export interface RunPage {
  readonly id: string;
  readonly workload: string;
  readonly startedAt: string;
  readonly headline: string;
  readonly isValid: boolean;
  readonly isWhole: boolean;
  readonly tags: readonly string[];
  readonly experiment?: RunPlace;
  readonly grade?: Grade;
  readonly durability?: { readonly is: string; readonly because: string };
  /** Large, at the top. */
  readonly figures: readonly { readonly label: string; readonly value: string; readonly note?: string }[];
  /** Of the load itself; always shown. */
  readonly charts: readonly ChartData[];
  /** Of what was watched beside it; one group a probe. */
  readonly observed: readonly ChartGroup[];
  readonly phases: readonly Phase[];
  readonly events: readonly RunEvent[];
  readonly tables: readonly TitledTable[];
  readonly findings: readonly Finding[];
  readonly diagnosis?: Diagnosis;
  readonly crossCheck: CrossCheck;
  readonly environment: readonly FactGroup[];
  /** Seconds of the sessions' time by what it went into, as words; the largest first. */
  readonly budget: readonly { readonly name: string; readonly share: number }[];
  readonly command: string;
  readonly forms: readonly ReportForm[];
}
export interface ReportForm {
  readonly name: string;
  readonly summary: string;
  readonly extension: string;
}

export interface ExperimentRow {
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  readonly ending?: string;
  readonly workload: string;
  readonly variants: readonly string[];
  readonly runsPlanned: number;
  readonly runsDone: number;
  readonly is?: string;
}
export interface ExperimentsReply {
  /** Newest first. */
  readonly experiments: readonly ExperimentRow[];
  readonly skipped: RunsReply['skipped'];
}

/** An effect with its interval, and in words. */
export interface EffectData {
  readonly name: string;
  readonly effect: number;
  /** Absent where too few runs give none. */
  readonly interval?: Interval95;
  readonly verdict: string;
  readonly text: string;
}
export interface EffectGroup {
  readonly title: string;
  readonly note: string;
  readonly effects: readonly EffectData[];
}

/** What experiments and comparisons have in common. */
export interface ResultData {
  /** The answer, in one sentence. */
  readonly is: string;
  readonly notes: readonly string[];
  readonly marginShare: number;
  /** The primary metric's first; then the factors' effects. */
  readonly effects: readonly EffectGroup[];
  readonly variants: TableData;
  readonly costs: TableData;
  readonly pairs: TableData;
}

export interface ExperimentPage {
  readonly id: string;
  readonly name: string;
  readonly question?: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly ending?: { readonly kind: string; readonly cause?: string };
  readonly facts: readonly Fact[];
  readonly command: string;
  readonly runsPlanned: number;
  /** In the order in which they were done. */
  readonly runsDone: readonly (PlannedRun & { readonly run: string })[];
  readonly invalid: readonly { readonly number: number; readonly because: string }[];
  readonly result?: ResultData;
  readonly forms: readonly ReportForm[];
}

export interface ComparePage extends ResultData {
  readonly pairing: 'blocks' | 'in turn' | 'none';
  readonly differences: readonly RunDifference[];
}

/** An option as it was declared, without its defaults' types: for a form. */
export interface FormOption {
  /** With underscores. */
  readonly name: string;
  readonly kind: 'integer' | 'number' | 'flag' | 'text' | 'choice' | 'list';
  /** As it would be written. */
  readonly default: string;
  readonly help: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  readonly placeholder?: string;
}
export interface WorkloadForm {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly FormOption[];
  readonly load: readonly FormOption[];
  /** It makes its data itself while it runs, so there is nothing to prepare. */
  readonly hasPrepare: boolean;
}

export type TargetForm =
  | { readonly is: 'private'; readonly name: string }
  | { readonly is: 'server'; readonly url: string; readonly password?: string | undefined };

export interface RunForm {
  readonly workload: string;
  /** By their names with underscores, as they would be written; what is left out is as by default. */
  readonly options: Readonly<Record<string, string>>;
  readonly target: TargetForm;
  readonly tags: readonly string[];
  /** Tables that are not there are made first. */
  readonly prepares: boolean;
}

export interface RecipeData {
  readonly name: string;
  readonly question: string;
  readonly text: string;
}

export interface ExperimentForm {
  /** A recipe by its name, or the text of an experiment file. */
  readonly of: { readonly recipe: string } | { readonly text: string };
  /** '' for that of the recipe. */
  readonly size: string;
  /** `pairs=4`, `load.time=10`. */
  readonly overrides: readonly string[];
  /** Of a file that holds several. */
  readonly only: string;
  readonly target?: TargetForm | undefined;
}
export interface PlanReply {
  readonly name: string;
  /** As `experiment plan` prints it. */
  readonly text: string;
}

/** The one thing that is done at a time. */
export type Activity = { readonly is: 'idle' } | LiveRun | LiveExperiment;

interface LiveBase {
  /** Counts up with each that was begun. */
  readonly number: number;
  readonly title: string;
  readonly startedAt: string;
  readonly state: 'going' | 'stopping' | 'done' | 'failed';
  /** What is being done, in a few words. */
  readonly step: string;
  /** Of one step, such as rows loaded. */
  readonly progress?: { readonly of: string; readonly done: number; readonly total: number };
  readonly notes: readonly string[];
  /** The load that is applied just now. */
  readonly load?: LiveLoad | undefined;
  /** Where it failed, or was refused before it began. */
  readonly problems?: readonly ApiProblem[];
}
export interface LiveRun extends LiveBase {
  readonly is: 'run';
  readonly command: string;
  /** When it is kept. */
  readonly run?: string;
  readonly headline?: string;
}
export interface LiveExperiment extends LiveBase {
  readonly is: 'experiment';
  readonly question?: string;
  readonly metric: string;
  readonly unit: string;
  /** When it has a name. */
  readonly experiment?: string;
  readonly done: number;
  readonly total: number;
  readonly leftS?: number;
  readonly current?: PlannedRun;
  readonly runs: readonly LiveExperimentRun[];
  readonly answer?: string;
}
export interface LiveExperimentRun {
  readonly number: number;
  readonly block: number;
  readonly variant: string;
  readonly value?: number;
  readonly run?: string;
  readonly invalidBecause?: string;
}
export interface LiveLoad {
  /** Counts up with each that was begun: its intervals begin anew. */
  readonly number: number;
  readonly phase: string;
  /** Seconds since the phase began, when this was told. */
  readonly phaseElapsedS: number;
  /** 0: it is not known. */
  readonly phaseTotalS: number;
  readonly percentile: number;
}
export interface LiveInterval {
  /** Seconds since the measured part began; negative while it warms up. */
  readonly atS: number;
  readonly transactionsPerS: number;
  /** Absent where there was no transaction. */
  readonly p50Ms?: number;
  readonly percentileMs?: number;
  readonly errors: number;
  readonly retries: number;
  readonly queueLength?: number;
}

/** The events of `/api/activity/events`, by name. */
export interface ActivityEvents {
  /** Always the first: all there is. */
  readonly snapshot: { readonly activity: Activity; readonly intervals: readonly LiveInterval[] };
  readonly activity: Activity;
  readonly interval: { readonly load: number; readonly interval: LiveInterval };
}

export interface ServerRow {
  readonly name: string;
  readonly state: string;
  readonly version: string;
  readonly process?: number;
  readonly socket?: string;
  readonly isKept: boolean;
  /** It was started from the page, and ends with it. */
  readonly endsWithPage: boolean;
}
export interface ServersReply {
  readonly servers: readonly ServerRow[];
}

export interface DoctorForm {
  readonly target: TargetForm;
  /** '' for none. */
  readonly workload: string;
  readonly options: Readonly<Record<string, string>>;
}
export type DoctorReply = Checkup;
