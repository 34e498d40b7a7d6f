/** What came of a search, for people: the answer, the rates that were tried, and what set the pace above. */
import { formatDuration, formatPercent, formatRate, formatSignificant } from '../base/units.ts';
import type { SearchLevel, SearchResult, SearchTrial } from '../model/search.ts';
import { type Column, hangingLines, tableLines, valueLines } from './layout.ts';

const CAUSES: Readonly<Record<NonNullable<SearchTrial['cause']>, string>> = {
  limit: 'limit',
  backlog: 'backlog',
  client: 'client',
  invalid: 'not valid',
};

export function searchLines(result: SearchResult): string[] {
  const { limit, settings, load, estimate, pace, notes } = result;
  const { precisionShare, repeats } = settings;
  return [
    ...hangingLines('', result.is),
    '',
    ...valueLines('limit', limit.is),
    ...valueLines('load', loadText(result)),
    ...(estimate === undefined
      ? []
      : valueLines('as fast as possible', `${formatRate(estimate.transactionsPerS)} (closed loop)`)),
    ...valueLines('precision', `${formatPercent(precisionShare)}, majority of ${repeats} ${of(repeats, 'run')} a rate`),
    '',
    ...tableLines(columnsFor(result), result.levels.map(rowOf(result))),
    '',
    ...(pace === undefined ? [] : valueLines('above it', `${pace.is} [${pace.verdict}]`)),
    ...notes.flatMap((note) => valueLines('note', note)),
    ...valueLines(
      'runs',
      `${result.trials.length + (estimate === undefined ? 0 : 1)} of ${formatDuration(load.timeS)}, tagged ${result.id}`,
    ),
  ];
}

function loadText({ workload, load: { threads, warmupS } }: SearchResult): string {
  const warmup = warmupS > 0 ? `, ${formatDuration(warmupS)} of warm-up` : '';
  return `${workload}, open loop over ${threads} ${of(threads, 'connection')}${warmup}`;
}

function columnsFor({ limit }: SearchResult): Column[] {
  return [
    { heading: 'rate/s', align: 'point' },
    { heading: '', align: 'left' },
    { heading: 'passed', align: 'right' },
    { heading: `${limit.metric} ${limit.unit}`.replace('(transaction)', '').trim(), align: 'point' },
    { heading: 'done/s', align: 'point' },
    { heading: 'failed by', align: 'left' },
  ];
}

function rowOf({ trials, passedPerS, failedPerS }: SearchResult): (level: SearchLevel) => string[] {
  return ({ ratePerS, outcome, passed, failed, value }) => {
    const own = trials.filter((trial) => trial.ratePerS === ratePerS);
    const achieved = own.map(({ achievedPerS }) => achievedPerS);
    const causes = [...new Set(own.flatMap(({ cause }) => (cause === undefined ? [] : CAUSES[cause])))];
    const isEnd = ratePerS === passedPerS || ratePerS === failedPerS;
    return [
      formatSignificant(ratePerS),
      `${outcome === 'open' ? 'not decided' : outcome}${isEnd ? ' <' : ''}`,
      `${passed} of ${passed + failed}`,
      value === undefined ? '-' : formatSignificant(value),
      formatSignificant(achieved.reduce((sum, each) => sum + each, 0) / achieved.length),
      causes.join(', '),
    ];
  };
}

/** One run, while the search goes on. */
export function trialLine({ ratePerS, outcome, is }: SearchTrial): string {
  return `${formatRate(ratePerS).padStart(12)}  ${outcome.padEnd(6)}  ${is}`;
}

function of(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
