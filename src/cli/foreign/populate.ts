/**
 * `populate.py SCALE` of the blog post behind quiz. It prints SQL, for a client to send; so it does here where it is
 * piped and no target is named. With a target, or on a terminal, the server is loaded.
 */
import type { ForeignWorld } from '../foreign.ts';
import { readMysqlWords } from './mysql-words.ts';
import { readNumbers } from './numbers.ts';

export function translate(args: readonly string[], { isStdoutTerminal }: ForeignWorld): readonly string[] {
  const { options, given, namesTarget, words } = readMysqlWords(args);
  const [scale] = readNumbers(words, ['SCALE'], 'sqldyno populate.py 1000');
  const line = ['quiz', `--scale=${scale}`, ...options];
  if (!namesTarget && !isStdoutTerminal) return [...line, 'print-sql'];
  return [...line, ...(given.has('create_database') ? [] : ['--create-database']), 'prepare'];
}
