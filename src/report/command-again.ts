/** The command that does a run again, as a shell reads it: with the seed that was drawn. */
import { shellQuoted } from '../base/shell-words.ts';
import type { RunRecord } from '../model/run.ts';

/** 0 asks for another seed each time. */
const SEED_DRAWN = /^--rand[-_]seed=0$/;
const SEED_NAMED = /^--rand[-_]seed(?:=|$)/;

export function commandAgain({ command, seed, imported }: Pick<RunRecord, 'command' | 'seed' | 'imported'>): string {
  if (imported !== undefined) {
    // It is another program's command, whose seed is its own matter.
    return command.length > 0 ? command.map(shellQuoted).join(' ') : `# unknown: ${imported.source} has no command`;
  }
  const words = command.filter((word) => !SEED_DRAWN.test(word));
  const again = words.some((word) => SEED_NAMED.test(word)) ? words : [...words, `--rand-seed=${seed}`];
  return again.map(shellQuoted).join(' ');
}
