/** What only the output of another tool says of a run: `told(repeatAvgS)`, by the names under which it was kept. */
import type { RunRecord } from '../model/run.ts';
import type { Metric } from './metrics.ts';
import { own } from './own.ts';

const TOLD = /^told\((.+)\)$/;

/** Units are the ends of the names. */
const UNIT_BY_ENDING: readonly (readonly [RegExp, Pick<Metric, 'unit' | 'better'>])[] = [
  [/PerS$/, { unit: '1/s', better: 'higher' }],
  [/PerMinute$/, { unit: '1/min', better: 'higher' }],
  [/Ms$|(?:^|\.)p\d+(?:\.\d+)?$/, { unit: 'ms', better: 'lower' }],
  [/S$/, { unit: 's', better: 'lower' }],
];
const A_COUNT = { unit: 'count', better: 'higher' } as const;

/** Undefined where the name is of another form. */
export function toldMetricOf(written: string): Metric | undefined {
  const name = TOLD.exec(written)?.[1]?.trim();
  if (name === undefined) return undefined;
  const { unit, better } = UNIT_BY_ENDING.find(([ending]) => ending.test(name))?.[1] ?? A_COUNT;
  return { name: `told(${name})`, unit, better, of: (record) => toldFigure(record, name) };
}

export function toldNamesOf({ imported }: RunRecord): string[] {
  return Object.keys(imported?.figures ?? {}).map((name) => `told(${name})`);
}

/** Undefined also for runs of our own, which need no such figures. */
export function toldFigure({ imported }: Pick<RunRecord, 'imported'>, name: string): number | undefined {
  return own(imported?.figures ?? {}, name);
}
