/** Which counter of the server a statement belongs to, and what it does to the transaction. */

export type TransactionEffect = 'none' | 'begin' | 'end' | 'autocommit-on' | 'autocommit-off';

export interface StatementKind {
  /** Such as `Com_select`. */
  readonly counter: string;
  readonly effect: TransactionEffect;
}

/** The first word, or the first two: `create table`. */
const VERB = /^\s*(?:\/\*.*?\*\/\s*)*\(?([a-z]+)(?:\s+(?:global\s+|session\s+|unique\s+|temporary\s+)?([a-z]+))?/i;
const AUTOCOMMIT = /^\s*set\s+(?:@@)?(?:session\s*[.\s]\s*)?autocommit\s*:?=\s*(\d|on|off)/i;

const OTHER: StatementKind = { counter: 'Com_other', effect: 'none' };

function counted(counter: string, effect: TransactionEffect = 'none'): StatementKind {
  return { counter, effect };
}

const BY_FIRST_WORD: ReadonlyMap<string, StatementKind> = new Map([
  ['select', counted('Com_select')],
  ['insert', counted('Com_insert')],
  ['update', counted('Com_update')],
  ['delete', counted('Com_delete')],
  ['replace', counted('Com_replace')],
  ['begin', counted('Com_begin', 'begin')],
  ['commit', counted('Com_commit', 'end')],
  ['rollback', counted('Com_rollback', 'end')],
  ['set', counted('Com_set_option')],
  ['use', counted('Com_change_db')],
  ['truncate', counted('Com_truncate', 'end')],
  ['analyze', counted('Com_analyze', 'end')],
  ['optimize', counted('Com_optimize', 'end')],
  ['load', counted('Com_load')],
  ['call', counted('Com_call_procedure')],
  ['flush', counted('Com_flush')],
  ['kill', counted('Com_kill')],
  ['lock', counted('Com_lock_tables', 'end')],
  ['unlock', counted('Com_unlock_tables')],
]);

const BY_TWO_WORDS: ReadonlyMap<string, StatementKind> = new Map([
  ['start transaction', counted('Com_begin', 'begin')],
  ['create table', counted('Com_create_table', 'end')],
  ['create index', counted('Com_create_index', 'end')],
  ['create database', counted('Com_create_db', 'end')],
  ['create schema', counted('Com_create_db', 'end')],
  ['drop table', counted('Com_drop_table', 'end')],
  ['drop index', counted('Com_drop_index', 'end')],
  ['drop database', counted('Com_drop_db', 'end')],
  ['drop schema', counted('Com_drop_db', 'end')],
  ['alter table', counted('Com_alter_table', 'end')],
  ['show status', counted('Com_show_status')],
  ['show variables', counted('Com_show_variables')],
  ['show tables', counted('Com_show_tables')],
  ['show databases', counted('Com_show_databases')],
  ['show warnings', counted('Com_show_warnings')],
]);

/** Hot for text statements. */
export function kindOf(sql: string): StatementKind {
  const match = VERB.exec(sql);
  const first = match?.[1]?.toLowerCase() ?? '';
  if (first === 'set') return setKind(sql);
  const byFirst = BY_FIRST_WORD.get(first);
  if (byFirst !== undefined) return byFirst;
  return BY_TWO_WORDS.get(`${first} ${match?.[2]?.toLowerCase() ?? ''}`) ?? OTHER;
}

function setKind(sql: string): StatementKind {
  const value = AUTOCOMMIT.exec(sql)?.[1]?.toLowerCase();
  if (value === undefined) return counted('Com_set_option');
  return counted('Com_set_option', value === '1' || value === 'on' ? 'autocommit-on' : 'autocommit-off');
}

/** Statements of one text, parted at semicolons outside quotes; empty ones are dropped. */
export function splitStatements(sql: string): string[] {
  if (!sql.includes(';')) return [sql];
  const statements: string[] = [];
  let from = 0;
  for (const match of sql.matchAll(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`[^`]*`|;/g)) {
    if (match[0] !== ';') continue;
    statements.push(sql.slice(from, match.index));
    from = match.index + 1;
  }
  statements.push(sql.slice(from));
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** Question marks outside quotes. */
export function countParameters(sql: string): number {
  const marks = sql.matchAll(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`[^`]*`|\?/g);
  return [...marks].filter((match) => match[0] === '?').length;
}
