/** What the statements of all files are called: equal statements alike, different ones differently. */
import type { StatementKind } from '../workload.ts';
import type { PlannedStatement } from './script.ts';

/** What ends and begins transactions, the engine's own ROLLBACK included. */
const TAKEN = new Map<string, StatementKind>(['begin', 'commit', 'rollback'].map((name) => [name, 'other']));

export class StatementNames {
  readonly #planned = new Map<string, PlannedStatement>();
  readonly #nameOfSql = new Map<string, string>();
  readonly #kinds = new Map(TAKEN);

  /** All of them, in the order in which they were met. */
  get all(): readonly PlannedStatement[] {
    return [...this.#planned.values()];
  }

  /** `named` is what the script calls it. */
  plan(statement: PlannedStatement, named: string | undefined): PlannedStatement {
    const { sql, kind, isText } = statement;
    const name = named ?? this.#nameOfSql.get(sql) ?? this.#freeName(statement);
    if (named === undefined) this.#nameOfSql.set(sql, name);
    this.#kinds.set(name, kind);
    const key = `${name}\n${isText}\n${sql}`;
    const known = this.#planned.get(key);
    if (known !== undefined) return known;
    const planned = { ...statement, name };
    this.#planned.set(key, planned);
    return planned;
  }

  /** Statements of one name are one line of the report, and so must be of one kind. */
  isFreeFor(name: string, kind: StatementKind): boolean {
    return (this.#kinds.get(name) ?? kind) === kind;
  }

  #freeName({ name, kind, sql }: PlannedStatement): string {
    // BEGIN and START TRANSACTION are one thing.
    if (kind === 'other' && /^(?:begin|start|commit|rollback)\b/i.test(sql)) return name;
    let candidate = name;
    for (let number = 2; this.#kinds.has(candidate); number++) candidate = `${name}_${number}`;
    return candidate;
  }
}
