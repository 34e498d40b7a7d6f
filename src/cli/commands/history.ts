/** `sqldyno history`: when did it become faster or slower, over the stored runs of one thing; for nightly use. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { PROBE_TAG } from '../../lab/probe-experiment.ts';
import type { HistoryChange, HistoryPoint, HistorySeries } from '../../model/history.ts';
import type { RunRecord } from '../../model/run.ts';
import { historiesText } from '../../report/history-text.ts';
import { type ChangePoint, changePointsOf, type History, RUNS_MIN } from '../../stats/change-points.ts';
import { environmentDiff, type FactsDiff } from '../../stats/environment-diff.ts';
import { type Metric, metricOf } from '../../stats/metrics.ts';
import { openNoiseFloors } from '../../store/noise-floors.ts';
import type { RunSummary } from '../../store/run-summary.ts';
import { openStore, type Store } from '../../store/store.ts';
import { type Measured, pointsOf, runsNamed, type Series, seriesOf, unitOf } from '../history-series.ts';
import { chosenRuns, type RunChoice } from '../run-choice.ts';
import { summaryFigure } from '../summary-figure.ts';
import { jsonText } from '../terminal.ts';
import { type RunsWorld, tellUnread } from './runs.ts';

export interface HistoryOptions extends RunChoice {
  readonly metric: string;
  readonly by?: 'run' | 'experiment' | undefined;
  /** As typed: `3%`. */
  readonly margin?: string | undefined;
}

interface Task {
  readonly store: Store;
  readonly storeDirectory: string | undefined;
  readonly metric: Metric;
  readonly by: 'run' | 'experiment' | undefined;
  readonly marginShare: number | undefined;
  passOver(path: string, because: string): void;
}

/** Where neither the store nor the command says what differs by chance alone. */
const MARGIN_SHARE = 0.02;
/** What is told of a change beside its size: more would be read by nobody. */
const DIFFERENCES_SHOWN = 12;

export async function historyCommand(
  word: string | undefined,
  { metric, by, margin, ...choice }: HistoryOptions,
  { terminal, storeDirectory }: RunsWorld,
): Promise<ExitCode> {
  const store = openStore(storeDirectory);
  const passOver = (path: string, because: string) => terminal.warn(`Note: ${path} is passed over: ${because}`);
  const task: Task = { store, storeDirectory, metric: metricOf(metric), by, marginShare: shareOf(margin), passOver };
  const { runs, skipped } = await store.list({}, tellUnread(terminal));
  const chosen = chosenRuns(runs, choice);
  for (const { path, because } of skipped) passOver(path, because);
  const series = seriesOf(chosen.length === 0 ? [] : meant(chosen, word));
  const histories: HistorySeries[] = [];
  for (const one of series) histories.push(await historyOf(one, task));
  terminal.json(jsonText(histories));
  if (terminal.wantsJson) return ExitCode.done;
  if (histories.length === 0) {
    terminal.say(`No such run in ${store.directory}. See those that there are: sqldyno runs list`);
    return ExitCode.done;
  }
  terminal.say(historiesText(histories).trimEnd());
  return ExitCode.done;
}

/** What a verdict was tried with was changed on purpose, and is shown only where it is named. */
function meant(runs: readonly RunSummary[], word: string | undefined): readonly RunSummary[] {
  if (word === PROBE_TAG) return runsNamed(runs, word);
  const others = runs.filter(({ tags }) => !tags.includes(PROBE_TAG));
  return word === undefined ? others : runsNamed(others, word);
}

function shareOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const [, figure, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(written) ?? [];
  const share = Number(figure) / (percent === '%' ? 100 : 1);
  if (share >= 0 && share < 1) return share;
  throw new UserError(`--margin=${written} is no share.`, { hint: 'Write it as in --margin=3% or --margin=0.03.' });
}

async function historyOf(series: Series, task: Task): Promise<HistorySeries> {
  const { store, metric } = task;
  const [first] = series.runs as readonly [RunSummary];
  const measured = await measuredOf(series.runs, task);
  const by = task.by ?? unitOf(series.runs);
  const points = pointsOf(measured, by);
  const smallest = await smallestOf(first, task);
  const history = changePointsOf(
    points.map(({ value }) => value),
    smallest.share,
  );
  const changes: HistoryChange[] = [];
  for (const change of history.points) changes.push(await toldOf(change, { points, metric, store }));
  return {
    name: series.name,
    workload: first.workload,
    ...(first.threads === undefined ? {} : { threads: first.threads }),
    ...(first.host === undefined ? {} : { host: first.host }),
    machineKey: first.machineKey,
    workloadKey: first.workloadKey,
    metric: metric.name,
    unit: metric.unit,
    better: metric.better,
    by,
    points,
    changes,
    isLookedAt: history.is === 'looked',
    smallest,
    passedOver: series.runs.length - measured.length,
    ...importedOf(measured),
    is: sentenceOf(history, points.length, by),
  };
}

function sentenceOf({ is, because }: History, count: number, by: HistorySeries['by']): string {
  if (is === 'looked') return by === 'run' ? because : because.replaceAll(/\brun(s?)\b/g, 'experiment$1');
  const have = count === 1 ? `There is 1 ${by}` : `There are ${count} ${by}s`;
  return `${have}: to look for a change, at least ${RUNS_MIN} are needed.`;
}

async function measuredOf(runs: readonly RunSummary[], task: Task): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const run of runs.filter(isWhole)) {
    const value = summaryFigure(run, task.metric.name) ?? (await figureOf(run, task));
    if (value !== undefined) measured.push({ run, value });
  }
  return measured;
}

/** One directory that has lost a file is no reason to tell nothing of all others. */
async function figureOf({ id, directory }: RunSummary, { store, metric, passOver }: Task): Promise<number | undefined> {
  try {
    return metric.of(await store.load(id));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    passOver(directory, error.message);
    return undefined;
  }
}

function importedOf(measured: readonly Measured[]): Pick<HistorySeries, 'imported'> {
  const imported = measured.flatMap(({ run }) => (run.imported === undefined ? [] : [run.imported]));
  if (imported.length === 0) return {};
  return { imported: { runs: imported.length, withoutTime: imported.filter((each) => !each.isStartKnown).length } };
}

function isWhole({ isValid, ending }: RunSummary): boolean {
  return isValid && (ending === 'time' || ending === 'events');
}

async function smallestOf(
  { machineKey, workloadKey }: RunSummary,
  { storeDirectory, metric, marginShare }: Task,
): Promise<HistorySeries['smallest']> {
  if (marginShare !== undefined) return { share: marginShare, from: 'option' };
  const kept = await openNoiseFloors(storeDirectory).find(machineKey, workloadKey);
  const floor = kept?.floors[metric.name];
  return floor === undefined
    ? { share: MARGIN_SHARE, from: 'default' }
    : { share: floor.smallestShare, from: 'noise floor' };
}

interface Told {
  readonly points: readonly HistoryPoint[];
  readonly metric: Metric;
  readonly store: Store;
}

async function toldOf({ index: at, ...sizes }: ChangePoint, { points, metric, store }: Told): Promise<HistoryChange> {
  const isUp = sizes.change > 0;
  return {
    at,
    ...sizes,
    is: isUp === (metric.better === 'higher') ? 'better' : 'worse',
    differs: await differencesOf(points[at - 1]!.run, points[at]!.run, store),
  };
}

async function differencesOf(before: string, after: string, store: Store): Promise<string[]> {
  const read = await Promise.all([readableRun(before, store), readableRun(after, store)]);
  const [one, other] = read;
  // The figures were in the index, so the change is known, and only what came with it is not.
  if (typeof one === 'string' || typeof other === 'string') return read.filter((each) => typeof each === 'string');
  const diff = environmentDiff(one, other);
  const program = one.sqldyno.version === other.sqldyno.version ? [] : [{ name: 'sqldyno', one, other }];
  const differences = [
    ...program.map(({ name }) => `${name}: ${one.sqldyno.version} -> ${other.sqldyno.version}`),
    ...factLines('server', diff.server),
    ...factLines('host', diff.host),
    ...(diff.client === undefined ? [] : factLines('client', diff.client)),
  ];
  if (differences.length <= DIFFERENCES_SHOWN) return differences;
  const left = differences.length - DIFFERENCES_SHOWN;
  return [...differences.slice(0, DIFFERENCES_SHOWN), `and ${left} more: sqldyno environment diff ${before} ${after}`];
}

/** Or why it cannot be read. */
async function readableRun(id: string, store: Store): Promise<RunRecord | string> {
  try {
    return await store.load(id);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `unknown: ${error.message}`;
  }
}

function factLines(of: string, { differing, onlyInOne, onlyInOther }: FactsDiff): string[] {
  return [
    ...differing.map(({ name, one, other }) => `${of} ${name}: ${one} -> ${other}`),
    ...onlyInOne.map(({ name, value }) => `${of} ${name}: ${value} -> not told`),
    ...onlyInOther.map(({ name, value }) => `${of} ${name}: not told -> ${value}`),
  ];
}
