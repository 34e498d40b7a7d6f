/** The two lines that load.py, the script of the blog post behind quiz, prints at its end. */
import { FactsBuilder } from './builder.ts';
import type { MeasuredFacts } from './facts.ts';
import { cellOf, numberAtStart } from './numbers.ts';

const ELAPSED = /^\s*completed in ([\d.]+) seconds\s*$/;
const RATE = /^\s*QPS = ([\d.]+)\s*$/;

export function readLoadPy(lines: readonly string[]): MeasuredFacts[] {
  const found: MeasuredFacts[] = [];
  let current = new FactsBuilder();
  for (const [at, text] of lines.entries()) {
    const line = at + 1;
    const elapsed = numberAtStart(ELAPSED.exec(text)?.[1] ?? '');
    if (elapsed !== undefined) {
      current = new FactsBuilder();
      current.set('elapsedS', cellOf(elapsed, { label: 'completed in', line }));
    }
    const rate = numberAtStart(RATE.exec(text)?.[1] ?? '');
    if (rate === undefined) continue;
    current.set('queriesPerS', cellOf(rate, { label: 'QPS', line }));
    found.push(current.facts('load.py', current.cells.elapsedS === undefined ? ['the line with the seconds'] : []));
    current = new FactsBuilder();
  }
  return found;
}
