/** What a run of slap, and several of them together, come to in the terms of mysqlslap. */
import type { RunRecord } from '../../model/run.ts';
import type { RoundsSummary } from '../rounds.ts';
import { isAuto, readEngine, type SlapOptions } from './options.ts';

/** In a load type's place for queries of the user's own, for which mysqlslap says `mixed`. */
const OWN_QUERIES = 'query';
/** A round that is over sooner tells little: nothing has settled. */
const TELLING_S_MIN = 1;

interface Terms {
  /** Empty: the server's default. */
  readonly engine: string;
  readonly loadType: string;
  readonly clients: number;
  readonly queriesPerClient: number;
  /** From the first query to the last reply. */
  readonly seconds: number;
  /** With connecting before it, as mysqlslap takes the time. */
  readonly secondsWithConnecting: number;
}

function termsOf(run: RunRecord): Terms {
  const options = run.workload.options as unknown as SlapOptions;
  const [engine] = options.engine;
  const { elapsedS, setupS = 0, statements } = run.totals;
  const queries = Object.entries(statements.byName).filter(([name]) => name !== 'commit' && name !== 'rollback');
  const sent = queries.reduce((sum, [, { committed }]) => sum + committed, 0);
  return {
    engine: engine === undefined ? '' : readEngine(engine).name,
    loadType: isAuto(options) ? options.auto_generate_sql_load_type : OWN_QUERIES,
    clients: run.load.threads,
    queriesPerClient: sent / run.load.threads,
    seconds: elapsedS,
    secondsWithConnecting: setupS + elapsedS,
  };
}

export function ownTerms(run: RunRecord): string[] {
  const terms = termsOf(run);
  const line = (label: string, value: string) => `    ${label.padEnd(30)}${value}`;
  return [
    'In the terms of mysqlslap:',
    ...(terms.engine === '' ? [] : [line('engine', terms.engine)]),
    line('load type', terms.loadType),
    line('seconds to run all queries', seconds(terms.seconds)),
    line('  with connecting, as it does', seconds(terms.secondsWithConnecting)),
    line('clients running queries', String(terms.clients)),
    line('average queries per client', average(terms.queriesPerClient)),
  ];
}

const FIGURES = ['clients', 'queries each', 'rounds', 'average', 'minimum', 'maximum'];

/** One row for each engine and number of clients, over its iterations. */
export function summarize(runs: readonly RunRecord[]): RoundsSummary {
  const groups = new Map<string, Terms[]>();
  for (const run of runs) {
    const terms = termsOf(run);
    const key = JSON.stringify([terms.engine, terms.clients]);
    groups.set(key, [...(groups.get(key) ?? []), terms]);
  }
  const all = [...groups.values()];
  const hasEngines = all.some(([first]) => first!.engine !== '');
  const longestS = Math.max(0, ...runs.map(({ totals }) => totals.elapsedS));
  return {
    title: 'Seconds to run all queries; in brackets with connecting, as mysqlslap takes the time:',
    columns: [
      ...(hasEngines ? [{ heading: 'engine', align: 'left' } as const] : []),
      ...FIGURES.map((heading) => ({ heading, align: 'right' }) as const),
    ],
    rows: all.map((group) => (hasEngines ? [group[0]!.engine, ...rowOf(group)] : rowOf(group))),
    notes:
      longestS < TELLING_S_MIN
        ? ['Rounds of less than a second tell little: raise --number-of-queries until they last some seconds.']
        : [],
    csv: all.map(csvOf),
  };
}

function rowOf(group: readonly Terms[]): string[] {
  const bare = group.map((terms) => terms.seconds);
  const whole = group.map((terms) => terms.secondsWithConnecting);
  const both = (of: (values: readonly number[]) => number) => `${seconds(of(bare))} (${seconds(of(whole))})`;
  return [
    String(group[0]!.clients),
    average(mean(group.map((terms) => terms.queriesPerClient))),
    String(group.length),
    both(mean),
    both((values) => Math.min(...values)),
    both((values) => Math.max(...values)),
  ];
}

/** mysqlslap's columns, and its times: engine, load type, average, minimum, maximum, clients, queries of each. */
function csvOf(group: readonly Terms[]): string {
  const [{ engine, loadType, clients }] = group as [Terms];
  const times = group.map((terms) => terms.secondsWithConnecting);
  const figures = [mean(times), Math.min(...times), Math.max(...times)].map(seconds);
  const queries = average(mean(group.map((terms) => terms.queriesPerClient)));
  return [engine, loadType, ...figures, clients, queries].join(',');
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function seconds(value: number): string {
  return value.toFixed(3);
}

/** Whole wherever each client has run its share. */
function average(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
