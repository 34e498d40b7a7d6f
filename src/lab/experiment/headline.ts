/** The answer of an experiment, in one sentence: what gains, by how much, how sure, and what it gives up for it. */
import type { ComparisonTerms } from './comparisons.ts';
import type { Judged } from './result-notes.ts';
import { type ComparedVariant, comparisonSentence, durabilityChange, shortSentence } from './sentences.ts';

/** What is best stands first: the gain that is sure, then what is undecided. */
const ORDER = { FASTER: 0, UNDECIDED: 1, SAME: 2, SLOWER: 3 } as const;

export function headline({ variants, summaries, compared }: Judged, terms: ComparisonTerms): string {
  const primary = compared.filter(({ isPrimary }) => isPrimary).sort(bestFirst);
  const [first, ...others] = primary;
  if (first === undefined) return nothingToSay({ variants, summaries, compared }, terms);
  const durability = durabilityOf(first, { variants, summaries, compared }, terms);
  const sentence = withDurability(comparisonSentence(first), durability);
  if (others.length === 0) return sentence;
  return `${sentence} Beside it, against ${terms.baseline}: ${others.map(shortSentence).join(', ')}.`;
}

function bestFirst(one: ComparedVariant, other: ComparedVariant): number {
  const gain = ({ effect, better }: ComparedVariant) => (better === 'higher' ? effect : -effect);
  return ORDER[one.verdict] - ORDER[other.verdict] || gain(other) - gain(one);
}

function durabilityOf(
  { variant }: ComparedVariant,
  { summaries }: Judged,
  { baseline }: ComparisonTerms,
): string | undefined {
  const of = (name: string) => summaries.find((summary) => summary.variant === name)?.durability;
  const [one, other] = [of(baseline), of(variant)];
  return one === undefined || other === undefined ? undefined : durabilityChange(one, other);
}

function withDurability(sentence: string, change: string | undefined): string {
  if (change === undefined) return sentence;
  const end = /\. |\.$/.exec(sentence)?.index ?? sentence.length;
  return `${sentence.slice(0, end)}; ${change}${sentence.slice(end)}`;
}

function nothingToSay({ variants }: Judged, { baseline, metric, isPaired }: ComparisonTerms): string {
  const without = variants.filter(({ runs }) => runs.length === 0).map(({ name }) => name);
  if (variants.length < 2) return 'There is nothing to compare: there is one variant.';
  if (without.length === variants.length) return 'Nothing can be said yet: no run counts.';
  if (without.includes(baseline)) return `Nothing can be said yet: no run of the baseline ${baseline} counts.`;
  if (without.length === variants.length - 1) return `Nothing can be said yet: only runs of ${baseline} count.`;
  const place = isPaired ? 'no block has two runs' : 'no two runs there are';
  return `Nothing can be said: ${place} that tell ${metric}, above zero.`;
}
