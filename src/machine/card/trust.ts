/** How far a figure may be trusted: by what its repeats tell, and by what is known to be wrong with it. */
import { formatPercent } from '../../base/units.ts';
import { SCATTER_FAIR_MAX, SCATTER_GOOD_MAX, type Trust } from '../../model/machine-card.ts';
import { summaryOf } from '../../stats/repeats.ts';

export function trustOf(repeats: readonly number[], doubt: string | undefined): Trust {
  if (doubt !== undefined) return { is: 'poor', by: 'doubt', because: doubt };
  if (repeats.length < 2) return { is: 'unknown', by: 'scatter', because: 'It was measured once.' };
  const { scatter } = summaryOf(repeats);
  if (scatter === undefined) return { is: 'poor', by: 'scatter', because: 'Nothing was finished in the time.' };
  const because = `The ${repeats.length} repeats lie ${formatPercent(scatter)} of their median apart.`;
  return { is: wordFor(scatter), by: 'scatter', because };
}

function wordFor(scatter: number): Trust['is'] {
  if (scatter <= SCATTER_GOOD_MAX) return 'good';
  return scatter <= SCATTER_FAIR_MAX ? 'fair' : 'poor';
}
