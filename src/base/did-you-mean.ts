/** Finds the word that was probably meant: for options, workloads, commands and run ids. */

/** More wrong letters than this in a long word is another word. */
const DISTANCE_MAX = 3;

/**
 * The candidate nearest to `word`, or undefined where none is near. `host` finds `mysql-host`: people leave prefixes
 * out more often than they mistype.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = comparable(word);
  if (wanted === '') return undefined;
  const limit = Math.min(DISTANCE_MAX, Math.max(1, Math.floor(wanted.length / 3)));
  let best: { readonly candidate: string; readonly cost: number } | undefined;
  for (const candidate of candidates) {
    const cost = costOf(wanted, comparable(candidate), limit);
    if (cost !== undefined && (best === undefined || cost < best.cost)) best = { candidate, cost };
  }
  return best?.candidate;
}

function comparable(word: string): string {
  return word.toLowerCase().replaceAll('_', '-');
}

/** Undefined: too far. A part left out costs less than two wrong letters, and more than one. */
function costOf(wanted: string, candidate: string, limit: number): number | undefined {
  const distance = editDistance(wanted, candidate);
  if (distance <= limit) return distance;
  if (wanted.length >= 2 && candidate.endsWith(`-${wanted}`)) return 1.5;
  if (wanted.length >= 4 && candidate.startsWith(wanted)) return 1.6;
  return undefined;
}

/** Insertions, deletions, replacements, and swaps of two neighbours (optimal string alignment). */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] as number;
}
