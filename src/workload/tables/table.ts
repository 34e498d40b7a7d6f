/** What prepare must know of a table to make it and to fill it. */
import type { Connection } from '../../wire/types.ts';
import type { MaintenanceContext, TableNeed, TableSize } from '../workload.ts';
import type { KeyRange } from './journal.ts';

/** A table whose rows can be made by their keys, which are 1, 2 and so on. */
export interface FilledTable {
  readonly name: string;
  readonly columns: TableNeed['columns'];
  /** Whether a table with more columns than these may be filled too. */
  readonly otherColumns: 'allowed' | 'refused';
  /** The column that holds the key. */
  readonly key: string;
  readonly rows: number;
  readonly size: TableSize;
  /** Absent: seed and number of rows decide all that is in it. */
  readonly variant?: Variant;
  /** Built after the rows are loaded. */
  readonly index?: { readonly name: string; readonly column: string };
  createSql(comment: string): string;
  /** `seed`: with which the load was begun. */
  openLoader(connection: Connection, seed: number): Promise<RowLoader>;
}

/** An option that changes the rows, such as `--rand-type`. */
export interface Variant {
  readonly option: string;
  /** Hexadecimal; another one, and the rows are others. */
  readonly fingerprint: string;
}

/** Puts rows into one table over one connection, a chunk at a time, each whole or not at all. */
export interface RowLoader {
  /** Commits the rows of these keys together. */
  load(keys: KeyRange): Promise<void>;
  close(): void;
}

export type LoadContext = Pick<
  MaintenanceContext<Record<never, never>>,
  'connect' | 'threads' | 'seed' | 'signal' | 'progress'
>;
