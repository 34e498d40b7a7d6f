/** A script that has been read: what a session does, step by step, with all names and types settled. */
import type { StatementKind } from '../workload.ts';
import type { Evaluate } from './compile-expression.ts';
import type { Value } from './values.ts';

export interface PlannedStatement {
  /** In the report. */
  readonly name: string;
  readonly kind: StatementKind;
  /** With a `?` for every variable. */
  readonly sql: string;
  /** Not prepared: what it needs may come to be only when the script runs. */
  readonly isText: boolean;
}

export type Step = { readonly place: string } & (
  | { readonly is: 'set'; readonly slot: number; readonly evaluate: Evaluate }
  | {
      readonly is: 'statement';
      /** One object for all statements with the same text. */
      readonly statement: PlannedStatement;
      /** Of the variables that its placeholders stand for. */
      readonly slots: readonly number[];
      /** `\gset`: variables that take the columns of its one row. */
      readonly into: readonly number[] | undefined;
      readonly control: 'begin' | 'commit' | 'rollback' | undefined;
    }
  | { readonly is: 'sleep'; readonly durationMs: Evaluate }
  | { readonly is: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Step[] }
);

export interface Branch {
  readonly condition: Evaluate;
  readonly steps: readonly Step[];
}

export interface Script {
  readonly file: string;
  /** Of its transactions. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** Values of the variables as each event begins, by their numbers; `EVENT_SLOT` takes the event's own. */
  readonly initial: readonly Value[];
  readonly isTransactional: boolean;
}

/** Of `:event`. */
export const EVENT_SLOT = 0;
