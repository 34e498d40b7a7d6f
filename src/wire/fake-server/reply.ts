/** What the fake server can be told to answer. Plain values: a reply that is reused is encoded once. */
import type { SqlValue } from '../types.ts';

/** A column as the script names it; what is left out gets the value a real server would send. */
export interface ReplyColumn {
  readonly name: string;
  /** MYSQL_TYPE_*. */
  readonly type: number;
  readonly flags?: number;
  readonly charset?: number;
  readonly length?: number;
  readonly decimals?: number;
  readonly table?: string;
  readonly schema?: string;
}

export interface OkReply {
  readonly is: 'ok';
  readonly affectedRows?: number | bigint;
  readonly lastInsertId?: number | bigint;
  readonly warningCount?: number;
  /** Added to the flags of the session. */
  readonly status?: number;
  readonly info?: string;
}

export interface ErrorReply {
  readonly is: 'error';
  readonly code: number;
  readonly sqlState: string;
  readonly message: string;
}

export interface RowsReply {
  readonly is: 'rows';
  readonly columns: readonly ReplyColumn[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly warningCount?: number;
  readonly status?: number;
  /** An ERR packet in place of the end of the rows: the server failed while it was sending them. */
  readonly failsWith?: ErrorReply;
}

export type Reply =
  | OkReply
  | ErrorReply
  | RowsReply
  /** Results one after another, as of several statements or a procedure. The first error ends them. */
  | { readonly is: 'several'; readonly replies: readonly Reply[] }
  /** LOAD DATA LOCAL: asks for a file and answers by what was sent. */
  | { readonly is: 'local-infile'; readonly fileName: string; readonly answerWith: (content: Uint8Array) => Reply }
  /** Payloads as they are, each in a packet with the right header. */
  | { readonly is: 'packets'; readonly payloads: readonly Uint8Array[] }
  /** Bytes as they are, headers included. */
  | { readonly is: 'bytes'; readonly bytes: Uint8Array }
  /** Closes the connection, after another reply where one is given. */
  | { readonly is: 'close'; readonly after?: Reply }
  /** Never answers. */
  | { readonly is: 'silence' };

export interface AnswerContext {
  /** 'prepare' asks what the statement would return: of rows only the columns are taken. */
  readonly phase: 'query' | 'prepare' | 'execute';
  /** 1, 2, … in the order of connecting. */
  readonly connectionId: number;
}

/** Undefined leaves the statement to the default answers. */
export type Answer = (
  sql: string,
  parameters: readonly SqlValue[],
  context: AnswerContext,
) => Reply | undefined | Promise<Reply | undefined>;

export function ok(fields: Omit<OkReply, 'is'> = {}): OkReply {
  return { is: 'ok', ...fields };
}

export function error(code: number, sqlState: string, message: string): ErrorReply {
  return { is: 'error', code, sqlState, message };
}

export function rows(
  columns: readonly ReplyColumn[],
  values: readonly (readonly SqlValue[])[],
  ending: Pick<RowsReply, 'warningCount' | 'status' | 'failsWith'> = {},
): RowsReply {
  return { is: 'rows', columns, rows: values, ...ending };
}

export function several(...replies: readonly Reply[]): Reply {
  return { is: 'several', replies };
}

export function localInfile(fileName: string, answerWith: (content: Uint8Array) => Reply): Reply {
  return { is: 'local-infile', fileName, answerWith };
}

export function packets(...payloads: readonly Uint8Array[]): Reply {
  return { is: 'packets', payloads };
}

export function bytes(raw: Uint8Array): Reply {
  return { is: 'bytes', bytes: raw };
}

export function close(after?: Reply): Reply {
  return after === undefined ? { is: 'close' } : { is: 'close', after };
}

export function silence(): Reply {
  return { is: 'silence' };
}
