/** Which rows of a ranking a sentence means, by the words that only they have. */
import type { Score, ScoreTable } from '../foreign-output/facts.ts';

/** The rows that a word stands for. */
interface Naming {
  readonly at: number;
  readonly scores: readonly Score[];
}

/** The rows that a text names, in its order; `few`: the most rows that one name may have. */
export function namedIn(text: string, table: ScoreTable, few: number): readonly Naming[] {
  const owners = ownersOf(table);
  const namings: Naming[] = [];
  for (const match of text.matchAll(/[A-Za-z][\w.-]*\w/g)) {
    const scores = owners.get(match[0].toLowerCase());
    if (scores !== undefined && scores.length <= few) namings.push({ at: match.index, scores });
  }
  return namings;
}

/** By word: the rows in whose labels it stands. */
function ownersOf({ scores }: ScoreTable): Map<string, readonly Score[]> {
  const owners = new Map<string, Score[]>();
  for (const score of scores) {
    for (const word of wordsOf(score)) {
      const known = owners.get(word) ?? [];
      owners.set(word, [...known, score]);
    }
  }
  return owners;
}

function wordsOf({ labels }: Score): Set<string> {
  const words = labels.flatMap((label) => label.match(/[A-Za-z][\w.-]*\w/g) ?? []);
  return new Set(words.map((word) => word.toLowerCase()));
}

/** A row says by `name=value` under which setting it was measured; without, by default. */
export function conditionOf({ labels }: Score): string {
  const setting = labels.map((label) => /[\w.]+=\w+/.exec(label)?.[0]).find((found) => found !== undefined);
  return setting ?? 'default';
}
