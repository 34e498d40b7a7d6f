/** Statements sent as text: SQL with `?` is cut once, and literals are put between the pieces for every execution. */
import { UserError } from '../base/errors.ts';
import type { SqlParameter } from '../wire/types.ts';

/** SERVER_STATUS_NO_BACKSLASH_ESCAPES of the protocol manual, "SERVER_STATUS_flags_enum". */
const NO_BACKSLASH_ESCAPES = 512;

/** Undefined: no reply has told it yet. */
export type ServerStatus = number | undefined;

/** The SQL around its placeholders: n placeholders give n + 1 pieces. */
export type SqlPieces = readonly string[];

/** Everything in which a question mark is no placeholder, or one placeholder. */
const TOKEN = /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`[^`]*`|\/\*[\s\S]*?\*\/|--\s[^\n]*|#[^\n]*|\?/g;

export function cutAtPlaceholders(sql: string): SqlPieces {
  const pieces: string[] = [];
  let from = 0;
  for (const token of sql.matchAll(TOKEN)) {
    if (token[0] !== '?') continue;
    pieces.push(sql.slice(from, token.index));
    from = token.index + 1;
  }
  pieces.push(sql.slice(from));
  return pieces;
}

/** Hot with `--db-ps-mode=disable`. */
export function withLiterals(pieces: SqlPieces, parameters: readonly SqlParameter[], status: ServerStatus): string {
  if (parameters.length !== pieces.length - 1) throw wrongCount(pieces, parameters);
  let sql = pieces[0]!;
  for (let at = 0; at < parameters.length; at++) sql += literal(parameters[at]!, status) + pieces[at + 1]!;
  return sql;
}

function literal(value: SqlParameter, status: ServerStatus): string {
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) throw notSql(value);
      return String(value);
    case 'bigint':
      return value.toString();
    case 'string':
      return quote(value, status);
    case 'boolean':
      return value ? '1' : '0';
    default:
      if (value === null) return 'NULL';
      return `X'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
  }
}

/**
 * Doubling quotes is right in every sql_mode. A backslash stands for itself under NO_BACKSLASH_ESCAPES and must be
 * doubled otherwise; as long as no reply has told which holds, a hexadecimal literal is right in both.
 */
function quote(value: string, status: ServerStatus): string {
  const quoted = value.includes("'") ? value.replaceAll("'", "''") : value;
  if (!value.includes('\\')) return `'${quoted}'`;
  if (status === undefined) return `_utf8mb4 X'${Buffer.from(value).toString('hex')}'`;
  return (status & NO_BACKSLASH_ESCAPES) === 0 ? `'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}

function wrongCount(pieces: SqlPieces, parameters: readonly SqlParameter[]): UserError {
  return new UserError(
    `A statement has ${pieces.length - 1} placeholders and was given ${parameters.length} values: ${pieces.join('?')}`,
    { hint: 'Give run() as many values as the SQL of the workload has question marks.' },
  );
}

function notSql(value: number): UserError {
  return new UserError(`${value} cannot be written in SQL.`, { hint: 'Give the workload finite numbers.' });
}
