/** Command lines of other programs, with that program's name as the first word: what they mean here. */
import { basename } from 'node:path';

/** What a translation may depend on, beside the words. */
export interface ForeignWorld {
  readonly isStdoutTerminal: boolean;
}

interface Translator {
  /** From the words after the name to arguments of sqldyno. Throws a `ProblemsError` for what cannot be honoured. */
  translate(args: readonly string[], world: ForeignWorld): readonly string[];
}

/** By the name of the program, without its folder. */
const TRANSLATORS: Readonly<Record<string, () => Promise<Translator>>> = {
  'mariadb-slap': () => import('./foreign/slap.ts'),
  mysqlslap: () => import('./foreign/slap.ts'),
  'load.py': () => import('./foreign/load.ts'),
  'populate.py': () => import('./foreign/populate.ts'),
  'test-ATIS': () => import('./foreign/test-atis.ts'),
  'tpcc.lua': () => import('./foreign/tpcc.ts'),
};

/** The arguments as they are where no word is such a program. */
export async function translateForeign(args: readonly string[], world: ForeignWorld): Promise<readonly string[]> {
  const at = args.findIndex((arg) => !arg.startsWith('-') && Object.hasOwn(TRANSLATORS, basename(arg)));
  const load = at === -1 ? undefined : TRANSLATORS[basename(args[at] ?? '')];
  if (load === undefined) return args;
  const rest = args.slice(at + 1);
  // Options of our own may come before the name.
  return [...args.slice(0, at), ...(await load()).translate(isHelp(rest) ? ['--help'] : rest, world)];
}

function isHelp(words: readonly string[]): boolean {
  return words.length === 1 && words[0] === 'help';
}
