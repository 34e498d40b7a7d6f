/** A prepared statement of one connection. */
import { assert } from '../base/assert.ts';
import { ResultCollector } from './command/collect.ts';
import { newParameterTypes, type ParameterTypes } from './command/encode-execute.ts';
import type { ResultShape } from './command/expectation.ts';
import type { CommandPhase } from './command/phase.ts';
import type { Prepared } from './command/prepare-reply.ts';
import { promised } from './command/promised.ts';
import type { Column, Outcome, ReplyHandler, ResultSet, SqlParameter, Statement } from './types.ts';

export class PreparedStatement implements Statement, ResultShape {
  readonly sql: string;
  readonly parameterCount: number;
  /** Replaced when the server sends others, as after ALTER TABLE. */
  columns: readonly Column[];
  readonly #phase: CommandPhase;
  readonly #types: ParameterTypes;
  #isClosed = false;

  constructor(phase: CommandPhase, sql: string, prepared: Prepared) {
    this.#phase = phase;
    this.sql = sql;
    this.parameterCount = prepared.parameterCount;
    this.columns = prepared.columns;
    this.#types = newParameterTypes(prepared.id, prepared.parameterCount);
  }

  /** Hot. */
  send(parameters: readonly SqlParameter[], handler: ReplyHandler): void {
    assert(!this.#isClosed, 'a closed statement is not executed');
    this.#phase.execute(this.#types, this, parameters, handler);
  }

  async execute(parameters: readonly SqlParameter[] = []): Promise<Outcome> {
    return promised((handler) => this.send(parameters, handler));
  }

  async read(parameters: readonly SqlParameter[] = []): Promise<ResultSet> {
    return (await this.#collect(parameters)).main;
  }

  async readAll(parameters: readonly SqlParameter[] = []): Promise<ResultSet[]> {
    return (await this.#collect(parameters)).results;
  }

  /** The server may have failed before it had taken in the parameters' types. */
  onError(): void {
    this.#types.areSent = false;
  }

  async #collect(parameters: readonly SqlParameter[]): Promise<ResultCollector> {
    assert(!this.#isClosed, 'a closed statement is not executed');
    const collector = new ResultCollector('binary');
    await promised((handler) =>
      this.#phase.executeWith(this.#types, parameters, { handler, sink: collector, shape: this }),
    );
    return collector;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#phase.closeStatement(this.#types.id);
  }
}
