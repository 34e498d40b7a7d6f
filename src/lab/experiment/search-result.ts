/** What a search has found, from its runs: the bracket, what set the pace above it, and the answer in words. Pure. */
import { formatDuration, formatPercent, formatRate } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import type {
  SearchEnding,
  SearchLevel,
  SearchLimit,
  SearchPace,
  SearchResult,
  SearchSettings,
  SearchTrial,
} from '../../model/search.ts';
import { summaryOf } from '../../stats/repeats.ts';
import { bracketOf, levelsOf } from './search-decision.ts';
import { limitPercentile } from './search-limit.ts';

export interface Finished {
  readonly ending: SearchEnding;
  readonly limit: SearchLimit;
  readonly settings: SearchSettings;
  /** Of each run; 0: no limit. */
  readonly timeS: number;
  readonly trials: readonly SearchTrial[];
  /** Of the trials, by id. */
  readonly records: ReadonlyMap<string, RunRecord>;
  readonly estimate?: RunRecord;
}

type Found = Pick<
  SearchResult,
  'estimate' | 'trials' | 'levels' | 'passedPerS' | 'failedPerS' | 'pace' | 'is' | 'notes'
>;

export function foundOf(finished: Finished): Found {
  const { settings, trials, estimate } = finished;
  const states = levelsOf(settings, trials);
  const { passed, failed } = bracketOf(states);
  const levels = states.map(({ ratePerS, outcome, passed: passes, failed: failures }): SearchLevel => {
    const values = trials.filter((trial) => trial.ratePerS === ratePerS).flatMap(({ value }) => value ?? []);
    const value = values.length === 0 ? {} : { value: summaryOf(values).median };
    return { ratePerS, outcome, passed: passes, failed: failures, ...value };
  });
  const pace = paceOf(finished, levels);
  const bracket = {
    ...(passed === undefined ? {} : { passedPerS: passed.ratePerS }),
    ...(failed === undefined ? {} : { failedPerS: failed.ratePerS }),
  };
  return {
    ...(estimate === undefined
      ? {}
      : { estimate: { run: estimate.id, transactionsPerS: estimate.rates.transactionsPerS } }),
    trials,
    levels,
    ...bracket,
    ...(pace === undefined ? {} : { pace }),
    is: sentenceOf(finished, bracket),
    notes: [...notesOf(finished, levels, bracket), ...(failed === undefined || pace !== undefined ? [] : [NO_PACE])],
  };
}

const NO_PACE =
  'What sets the pace above it is not known: the diagnosis needs runs of 5 s and more, and a look at server and host.';

interface BracketFound {
  readonly passedPerS?: number;
  readonly failedPerS?: number;
}

function sentenceOf({ ending, limit }: Finished, { passedPerS, failedPerS }: BracketFound): string {
  const kept = passedPerS === undefined ? '' : `${formatRate(passedPerS)} keeps ${limit.is}`;
  const lost = failedPerS === undefined ? '' : `${formatRate(failedPerS)} does not keep ${limit.is}`;
  switch (ending.kind) {
    case 'found':
      return `${kept}; ${formatRate(failedPerS ?? 0)}, ${formatPercent((failedPerS ?? 0) / (passedPerS ?? 1) - 1)} more, does not.`;
    case 'all passed':
      return `${kept}, and that is the highest rate that was to be tried.`;
    case 'none passed':
      return `Even ${lost}, and that is the lowest rate that was to be tried.`;
    default: {
      const known = [kept, lost].filter((part) => part !== '').join('; ');
      const until = ending.kind === 'unsettled' ? 'Runs at like rates came out too differently' : 'It ended early';
      return `${until}: ${known === '' ? 'nothing is known yet' : known}.`;
    }
  }
}

/** With fewer values beyond it a percentile rests on a handful. */
const BEYOND_MIN = 10;

function notesOf(
  { limit, settings, timeS, trials, estimate, ending }: Finished,
  levels: readonly SearchLevel[],
  { passedPerS, failedPerS }: BracketFound,
): string[] {
  const notes: string[] = [];
  const mixed = levels.filter(({ passed, failed }) => passed > 0 && failed > 0);
  if (mixed.length > 0) {
    const list = mixed.map(
      ({ ratePerS, passed, failed }) => `${formatRate(ratePerS)} (${passed} of ${passed + failed})`,
    );
    notes.push(`At some rates runs came out differently: passed ${list.join(', ')}. The majority counts.`);
  }
  const above = levels.filter(({ outcome, ratePerS }) => outcome === 'passed' && ratePerS > (failedPerS ?? Infinity));
  if (above.length > 0) {
    const list = above.map(({ ratePerS }) => formatRate(ratePerS)).join(', ');
    notes.push(`${list} passed, above a rate that failed: counted is the highest rate below all that fail.`);
  }
  const percentile = limitPercentile(limit);
  const needed = percentile === undefined ? 0 : BEYOND_MIN / (1 - percentile / 100);
  const named = passedPerS ?? failedPerS;
  if (named !== undefined && timeS > 0 && named * timeS < needed) {
    notes.push(
      `In ${formatDuration(timeS)} at ${formatRate(named)} fewer than ${BEYOND_MIN} transactions lie beyond the percentile: it is placed by chance. Raise --time to ${Math.ceil(needed / named)} or more.`,
    );
  }
  if (trials.some(({ cause }) => cause === 'client')) {
    notes.push(
      'In some runs the client was late itself: with more of a machine for the client, the server may do more.',
    );
  }
  const flatOut = estimate?.rates.transactionsPerS ?? 0;
  if (ending.kind === 'found' && flatOut > 0 && (passedPerS ?? 0) > flatOut * (1 + settings.precisionShare)) {
    notes.push(
      `That is more than the ${formatRate(flatOut)} of the run as fast as possible: that one began before the server was warm.`,
    );
  }
  return notes;
}

/** The lowest rates that fail tell best; where their diagnosis does not, those above them, and what it did flat out. */
function paceOf({ trials, records, estimate }: Finished, levels: readonly SearchLevel[]): SearchPace | undefined {
  const failing = levels.filter(({ outcome }) => outcome === 'failed').map(({ ratePerS }) => ratePerS);
  for (const rate of failing) {
    const runs = trials.filter(({ ratePerS, outcome }) => ratePerS === rate && outcome === 'failed');
    const pace = paceOfRuns(runs.flatMap(({ run }) => records.get(run) ?? []));
    if (pace !== undefined) return pace;
  }
  return failing.length === 0 || estimate === undefined ? undefined : paceOfRuns([estimate]);
}

/** What most of them name first. */
function paceOfRuns(runs: readonly RunRecord[]): SearchPace | undefined {
  const named = runs.flatMap(({ id, diagnosis }) => {
    const verdict = diagnosis?.verdicts.find(({ role }) => role !== 'alarm');
    return verdict === undefined ? [] : [{ run: id, verdict: verdict.id, is: verdict.is }];
  });
  const groups = named.map((one) => named.filter(({ verdict }) => verdict === one.verdict));
  const [largest] = groups.sort((one, other) => other.length - one.length);
  const [first] = largest ?? [];
  if (first === undefined || largest === undefined) return undefined;
  return { verdict: first.verdict, is: first.is, runs: largest.map(({ run }) => run) };
}
