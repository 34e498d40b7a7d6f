/** The result of an experiment or a comparison, with its tables and words as the reports have them. */
import type { Comparison, ExperimentResult, FactorEffect, Interval95 } from '../model/experiment.ts';
import {
  byMetric,
  costTable,
  intervalText,
  pairTable,
  pText,
  variantTable,
  verdictWord,
} from '../report/experiment-tables.ts';
import { formatChange, formatP } from '../stats/verdict-words.ts';
import type { EffectData, EffectGroup, ResultData } from './api.ts';

/** As the reports write it. */
const NO_INTERVAL = '-';

export interface ResultTerms {
  readonly metric: string;
  readonly baseline: string;
  readonly marginShare: number;
}

export function resultData(result: ExperimentResult, { metric, baseline, marginShare }: ResultTerms): ResultData {
  const shown = { result, metric, baseline };
  return {
    is: result.is,
    notes: result.notes,
    marginShare,
    effects: [...[...byMetric(result.comparisons)].map(groupOf), ...factors(result)],
    variants: variantTable(shown),
    costs: costTable(shown),
    pairs: pairTable(result),
  };
}

function groupOf([metric, comparisons]: [string, readonly Comparison[]]): EffectGroup {
  const [first] = comparisons;
  const wanted = first?.better === 'higher' ? 'more is better' : 'less is better';
  return { title: metric, note: `against ${first?.baseline ?? ''}, ${wanted}`, effects: comparisons.map(effectOf) };
}

function effectOf(comparison: Comparison): EffectData {
  const { variant, effect, interval, isPrimary, pHolm } = comparison;
  const p = isPrimary && pHolm === undefined ? '' : `, ${pText(comparison)}`;
  const text = `${formatChange(effect)} (${intervalText(interval)})${p}`;
  return { name: variant, effect, ...known(interval), verdict: verdictWord(comparison), text };
}

function factors({ effects = [] }: ExperimentResult): EffectGroup[] {
  if (effects.length === 0) return [];
  return [{ title: 'Effect of each factor', note: 'all else alike', effects: effects.map(factorEffect) }];
}

function factorEffect({ of, from, to, effect, interval, pHolm }: FactorEffect): EffectData {
  const text = `${formatChange(effect)} (${intervalText(interval)}), ${formatP(pHolm)}`;
  return { name: `${of}: ${from} → ${to}`, effect, ...known(interval), verdict: '', text };
}

/** Without one, a bar over all of the scale would say something. */
function known(interval: Interval95): Pick<EffectData, 'interval'> {
  return intervalText(interval) === NO_INTERVAL ? {} : { interval };
}
