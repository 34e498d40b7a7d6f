/** Words of a foreign line that must be numbers. */
import { ProblemsError } from '../problems.ts';

/** As many as there are names, each 1 or more. `usage`: the line as it should be. */
export function readNumbers(words: readonly string[], names: readonly string[], usage: string): number[] {
  const numbers = words.map(Number);
  const isRight = (word: string, index: number) => /^\d+$/.test(word) && numbers[index]! >= 1;
  if (words.length === names.length && words.every(isRight)) return numbers;
  const shown = words.length === 0 ? 'none' : `'${words.join(' ')}'`;
  const is = `${names.join(', ')} must be given, each a whole number of 1 or more; there is ${shown}.`;
  throw new ProblemsError([{ is, remedy: `Write it like: ${usage}` }]);
}
