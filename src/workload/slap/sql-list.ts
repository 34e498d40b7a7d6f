/** From SQL that the user wrote to single statements. */
import type { StatementKind } from '../workload.ts';

/** What may hold a delimiter that ends no statement: quoted text, quoted names and comments. */
const QUOTED = /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`[^`]*`/y;
const COMMENT = /\/\*[\s\S]*?\*\/|--(?=\s|$)[^\n]*|#[^\n]*/y;

/** Statements between delimiters, without the white space around them; what holds none is left out. */
export function splitStatements(text: string, delimiter: string): string[] {
  const statements: string[] = [];
  let from = 0;
  let hasCode = false;
  const end = (to: number) => {
    if (hasCode) statements.push(text.slice(from, to).trim());
    hasCode = false;
    from = to + delimiter.length;
  };
  for (let at = 0; at < text.length; ) {
    if (text.startsWith(delimiter, at)) {
      end(at);
      at += delimiter.length;
      continue;
    }
    const comment = matchAt(COMMENT, text, at);
    // A comment that the server runs, such as /*! … */ or /*M! … */, is code.
    const isComment = comment !== undefined && !/^\/\*M?!/.test(comment);
    const token = isComment ? comment : (matchAt(QUOTED, text, at) ?? text.charAt(at));
    if (!isComment && token.trim() !== '') hasCode = true;
    at += token.length;
  }
  end(text.length);
  return statements;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** `\n` and `\t` are written with a backslash; a shell hands them over as they are. */
export function readDelimiter(written: string): string {
  return written.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
}

/** Of an option, with the delimiter as it is written. */
export function statementsOf(sql: string, delimiter: string): string[] {
  return splitStatements(sql, readDelimiter(delimiter));
}

/** Longer names exist nowhere, and to ask for them is an error of its own. */
const PATH_LENGTH_MAX = 1_024;

/** What stands in the file of this name; where there is none, the name is the SQL itself. */
export function fileOrSql(written: string, read: (path: string) => string): string {
  if (written === '' || written.length > PATH_LENGTH_MAX || written.includes('\0')) return written;
  try {
    return read(written);
  } catch (error) {
    const because = error instanceof Error ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
    if (NOT_A_FILE.includes(because)) return written;
    throw error;
  }
}

/** There is none of this name, one of its folders is a file, the name is too long, or it is a folder itself. */
const NOT_A_FILE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EISDIR'];

const READS = ['select', 'show', 'with', 'table', 'values', 'desc', 'describe', 'explain'];
const WRITES = ['insert', 'update', 'delete', 'replace'];

/** The first word of a statement, in lower case. */
export function verbOf(sql: string): string {
  let at = 0;
  for (;;) {
    const skipped = /[\s(;]/y;
    skipped.lastIndex = at;
    if (skipped.test(sql)) at++;
    else {
      const comment = matchAt(COMMENT, sql, at);
      if (comment === undefined) break;
      at += comment.length;
    }
  }
  return (/[a-z]+/iy.exec(sql.slice(at))?.[0] ?? '').toLowerCase();
}

export function kindOf(sql: string): StatementKind {
  const verb = verbOf(sql);
  if (READS.includes(verb)) return 'read';
  return WRITES.includes(verb) ? 'write' : 'other';
}
