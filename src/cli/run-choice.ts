/** Which of the stored runs are meant: what `runs list`, `runs export` and `history` have in common. */
import { nowMs } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { fits } from '../store/reference.ts';
import { isWanted, type RunSummary } from '../store/run-summary.ts';
import { momentOf } from './moment.ts';

/** As commander reads them. */
export interface RunChoice {
  readonly tag?: readonly string[] | undefined;
  readonly workload?: string | undefined;
  readonly experiment?: string | undefined;
  readonly variant?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly target?: string | undefined;
  readonly host?: string | undefined;
  readonly valid?: boolean | undefined;
  readonly last?: string | undefined;
}

export function asksForSome({ tag = [], valid = false, ...others }: RunChoice): boolean {
  return tag.length > 0 || valid || Object.values(others).some((value) => value !== undefined);
}

/** In the order in which they were given: oldest first. */
export function chosenRuns(runs: readonly RunSummary[], choice: RunChoice): readonly RunSummary[] {
  const { tag: tags = [], workload, variant, target, host, valid = false } = choice;
  const experiment = choice.experiment === undefined ? undefined : experimentOf(runs, choice.experiment);
  const since = choice.since === undefined ? undefined : momentOf(choice.since, '--since', nowMs());
  const until = choice.until === undefined ? undefined : momentOf(choice.until, '--until', nowMs());
  const wanted = {
    tags,
    ...given({ workload, variant, target, host, experiment, since, until }),
    ...(valid ? { isValid: true } : {}),
  };
  const chosen = runs.filter((run) => isWanted(run, wanted));
  return choice.last === undefined ? chosen : chosen.slice(-countOf(choice.last));
}

/** Name or id as it stands, or the id of which a part was written. */
function experimentOf(runs: readonly RunSummary[], written: string): string {
  const places = runs.flatMap(({ experiment }) => (experiment === undefined ? [] : [experiment]));
  if (places.some(({ id, name }) => id === written || name === written)) return written;
  const ids = new Set(places.map(({ id }) => id).filter((id) => fits(id, written)));
  const [id = written] = ids;
  if (ids.size <= 1) return id;
  throw new UserError(`--experiment=${written} could be any of ${ids.size} experiments.`, {
    hint: `Write more of it: ${[...ids].slice(0, 5).join(', ')}`,
  });
}

function countOf(written: string): number {
  const count = Number(written);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UserError(`--last=${written} is no number of runs.`, { hint: 'Write a whole number, as in --last=20.' });
}

/** Without what is not given. */
function given<T extends Record<string, string | undefined>>(values: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}
