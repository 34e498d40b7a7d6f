/** Decodes the rows of a reply, for whoever wants to see them. */
import type { Column, ResultSet, SqlValue } from '../types.ts';
import { readBinaryRow } from '../values/binary.ts';
import { readTextRow } from '../values/text.ts';
import type { ResultEnd, ResultSink } from './expectation.ts';

type RowReader = (buffer: Buffer, start: number, end: number, columns: readonly Column[]) => SqlValue[];

export class ResultCollector implements ResultSink {
  readonly results: ResultSet[] = [];
  readonly #readRow: RowReader;
  #columns: readonly Column[] = [];
  #rows: SqlValue[][] = [];

  constructor(protocol: 'text' | 'binary') {
    this.#readRow = protocol === 'text' ? readTextRow : readBinaryRow;
  }

  onColumns(columns: readonly Column[]): void {
    this.#columns = columns;
    this.#rows = [];
  }

  onRow(buffer: Buffer, start: number, end: number): void {
    this.#rows.push(this.#readRow(buffer, start, end, this.#columns));
  }

  onResult(result: ResultEnd): void {
    const rows = result.hasRows ? this.#rows : [];
    const columns = result.hasRows ? this.#columns : [];
    this.results.push({ ...result, rowCount: rows.length, columns, rows });
  }

  /** The one that the caller means: of a CALL the first with rows, since the last only says that it is done. */
  get main(): ResultSet {
    return this.results.find((result) => result.hasRows) ?? this.results[0]!;
  }
}
