/** What the sender of a request wants of its reply. */
import type { Column, ReplyHandler } from '../types.ts';

/** Sees what `send` only counts. May throw `WireError`: it ends the connection. */
export interface ResultSink {
  onColumns(columns: readonly Column[]): void;
  /** `buffer[start, end)` is valid only during the call. */
  onRow(buffer: Buffer, start: number, end: number): void;
  /** After each result, with what belongs to it alone. */
  onResult(result: ResultEnd): void;
}

export interface ResultEnd {
  readonly hasRows: boolean;
  readonly affectedRows: number;
  readonly lastInsertId: number;
  readonly warningCount: number;
  readonly status: number;
}

/** A prepared statement as replies see it: rows are binary, and columns may come once and not again. */
export interface ResultShape {
  columns: readonly Column[];
  /** The server has answered an execution with an error. */
  onError(): void;
}

/** Told that the server asks for the file of LOAD DATA LOCAL INFILE, and from which packet number on it goes. */
export interface Uploader {
  start(sequence: number): void;
  /** The connection is over. */
  abandon(): void;
}

export interface ReplyExpectation {
  readonly handler: ReplyHandler;
  readonly sink?: ResultSink | undefined;
  readonly shape?: ResultShape | undefined;
  readonly uploader?: Uploader | undefined;
}
