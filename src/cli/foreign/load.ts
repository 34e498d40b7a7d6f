/** `load.py SCALE QUERIES THREADS` of the blog post behind quiz: QUERIES are those of each thread. */
import { readMysqlWords } from './mysql-words.ts';
import { readNumbers } from './numbers.ts';

export function translate(args: readonly string[]): readonly string[] {
  const { options, given, words } = readMysqlWords(args);
  const [scale, queries, threads] = readNumbers(words, ['SCALE', 'QUERIES', 'THREADS'], 'sqldyno load.py 1000 1000 50');
  // Its library puts the values into the text of the statements.
  const asText = given.has('db_ps_mode') ? [] : ['--db-ps-mode=disable'];
  return ['quiz', `--scale=${scale}`, `--queries=${queries}`, `--threads=${threads}`, ...asText, ...options, 'run'];
}
