/** Which counter of the server a statement goes to. */

/** In the order of `VerbId`. */
export const VERBS = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback', 'other'] as const;
export type Verb = (typeof VERBS)[number];

/** No SQL is in there: quoted text and comments, found together since either may hold the other's mark. */
const QUOTED_OR_COMMENT =
  /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`[^`]*`|\/\*(?!!)[\s\S]*?\*\/|--\s[^\n]*|#[^\n]*/g;

/**
 * The verb of the `Com_*` counter that the server will raise. Statements over several tables and INSERT … SELECT have
 * counters of their own (`Com_update_multi`, `Com_insert_select`), so they are 'other' here.
 */
export function verbOf(sql: string): Verb {
  const bare = sql
    .replace(QUOTED_OR_COMMENT, ' ? ')
    .replace(/^[\s?(]+/, '')
    .toLowerCase();
  const word = /^[a-z]+/.exec(bare)?.[0];
  switch (word) {
    case 'select':
      return 'select';
    case 'with':
      return /\)\s*(?:update|delete)\b/.test(bare) ? 'other' : 'select';
    case 'insert':
      return /^insert\b(?:(?!\bvalues?\b)[\s\S])*\bselect\b/.test(bare) ? 'other' : 'insert';
    case 'update':
      return /^update\b[^=]*?(?:,|\bjoin\b)[^=]*?\bset\b/.test(bare) ? 'other' : 'update';
    case 'delete':
      return /^delete\s+(?:(?:low_priority|quick|ignore)\s+)*from\b/.test(bare) && !/\busing\b/.test(bare)
        ? 'delete'
        : 'other';
    case 'begin':
    case 'commit':
    case 'rollback':
      return /^rollback\s+(?:work\s+)?to\b/.test(bare) ? 'other' : word;
    case 'start':
      return /^start\s+transaction\b/.test(bare) ? 'begin' : 'other';
    default:
      return 'other';
  }
}

/** A small number for the hot path. */
export function verbId(sql: string): number {
  return VERBS.indexOf(verbOf(sql));
}
