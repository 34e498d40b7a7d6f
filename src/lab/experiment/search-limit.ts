/** `p99<20ms`: reads what must not be exceeded. */
import { UserError } from '../../base/errors.ts';
import type { SearchLimit } from '../../model/search.ts';
import { metricOf } from '../../stats/metrics.ts';

const FORM = /^\s*(?<metric>[^<>=]+?)\s*<\s*(?<value>\d+(?:\.\d+)?|\.\d+)\s*(?<unit>[a-z%]*)\s*$/i;
const HINT = 'Write it like p99<20ms, p99.9(new_order)<0.5s or mean<5ms.';

/** How much of the metric's unit one of the written unit is. */
const FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ms: { us: 0.001, ms: 1, s: 1_000 },
  us: { us: 1, ms: 1_000, s: 1_000_000 },
  s: { us: 0.000_001, ms: 0.001, s: 1 },
  ratio: { '': 1, '%': 0.01 },
};

/** Throws a `UserError` where it is no limit that a rising rate comes up against. */
export function parseLimit(written: string): SearchLimit {
  const { metric: name = '', value = '', unit: writtenUnit = '' } = FORM.exec(written)?.groups ?? {};
  if (name === '') throw new UserError(`--limit='${written}' is no limit.`, { hint: HINT });
  const { name: metric, unit, better } = metricOf(name);
  if (better === 'higher') {
    throw new UserError(`--limit='${written}': of ${metric} more is better, so a higher rate does not spoil it.`, {
      hint: HINT,
    });
  }
  const factor = FACTORS[unit]?.[writtenUnit.toLowerCase()] ?? (writtenUnit === '' && !isTime(unit) ? 1 : undefined);
  if (factor === undefined) {
    const is = writtenUnit === '' ? 'has no unit' : `is in '${writtenUnit}'`;
    const hint = isTime(unit) ? 'Units are us, ms and s: p99<20ms.' : `${metric} is counted in ${unit}: leave it out.`;
    throw new UserError(`--limit='${written}' ${is}.`, { hint });
  }
  const below = Number(value) * factor;
  if (!(below > 0)) throw new UserError(`--limit='${written}': nothing is below 0.`, { hint: HINT });
  return { metric, unit, below, is: `${metric} < ${value}${writtenUnit === '' ? '' : ` ${writtenUnit}`}` };
}

function isTime(unit: string): boolean {
  return unit === 'ms' || unit === 'us' || unit === 's';
}

/** Undefined where the limit is of no time. */
export function limitS({ unit, below }: SearchLimit): number | undefined {
  const factor = FACTORS[unit]?.['s'];
  return factor === undefined ? undefined : below / factor;
}

/** The percentile that is limited; undefined where it is another statistic. */
export function limitPercentile({ metric }: SearchLimit): number | undefined {
  const percentile = /^p(\d+(?:\.\d+)?)\(/.exec(metric)?.[1];
  return percentile === undefined ? undefined : Number(percentile);
}
