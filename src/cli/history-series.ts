/** Stored runs, grouped into what is comparable over time: the same work, on the same machine, of the same variant. */
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';
import type { HistoryPoint } from '../model/history.ts';
import { medianOf } from '../stats/sample.ts';
import type { RunSummary } from '../store/run-summary.ts';

export interface Series {
  readonly name: string;
  /** Oldest first. */
  readonly runs: readonly RunSummary[];
}

/**
 * By experiment and variant where a run has them, else by workload; and always by options, load and machine, since
 * figures of different things make no history.
 */
export function seriesOf(runs: readonly RunSummary[]): readonly Series[] {
  const found = new Map<string, RunSummary[]>();
  for (const run of runs) {
    const key = [nameOf(run), run.workloadKey, run.machineKey].join(' ');
    const others = found.get(key);
    if (others === undefined) found.set(key, [run]);
    else others.push(run);
  }
  return [...found.values()].map((ofOne) => ({ name: nameOf(ofOne[0]!), runs: ofOne }));
}

function nameOf({ experiment, workload }: RunSummary): string {
  return experiment === undefined ? workload : `${experiment.name}/${experiment.variant}`;
}

/** `word`: the name of an experiment, with or without a variant, a tag, or a workload; the first that there is. */
export function runsNamed(runs: readonly RunSummary[], word: string): readonly RunSummary[] {
  const meanings: readonly ((run: RunSummary) => boolean)[] = [
    ({ experiment }) => experiment?.name === word,
    (run) => nameOf(run) === word,
    ({ tags }) => tags.includes(word),
    ({ workload }) => workload === word,
  ];
  for (const isMeant of meanings) {
    const found = runs.filter(isMeant);
    if (found.length > 0) return found;
  }
  const names = runs.flatMap((run) => [nameOf(run), run.workload, ...run.tags]);
  const near = nearest(word, new Set(names));
  throw new UserError(`No stored run is of an experiment, with a tag or of a workload '${word}'.`, {
    hint: near === undefined ? 'See: sqldyno runs list' : `Did you mean ${near}?`,
  });
}

export interface Measured {
  readonly run: RunSummary;
  readonly value: number;
}

/**
 * Runs of one experiment share an hour, and are alike for that alone: where there are several experiments, each counts
 * once, with the median of its runs.
 */
export function pointsOf(measured: readonly Measured[], by: 'run' | 'experiment'): readonly HistoryPoint[] {
  if (by === 'run') return measured.map((one) => pointOf([one]));
  const groups = new Map<string, Measured[]>();
  for (const one of measured) {
    const key = one.run.experiment?.id ?? one.run.id;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map(pointOf);
}

export function unitOf(runs: readonly RunSummary[]): 'run' | 'experiment' {
  const ids = new Set(runs.map(({ experiment }) => experiment?.id));
  return ids.size > 1 && !ids.has(undefined) ? 'experiment' : 'run';
}

function pointOf(measured: readonly Measured[]): HistoryPoint {
  const [{ run }] = measured as [Measured];
  return {
    run: run.id,
    ...(measured.length > 1 && run.experiment !== undefined ? { experiment: run.experiment.id } : {}),
    startedAt: run.startedAt,
    value: medianOf(measured.map(({ value }) => value)),
    runs: measured.length,
  };
}
