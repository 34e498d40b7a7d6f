/** Runs the steps of a script on one connection, whatever kind of connection that is. */
import { UserError } from '../../base/errors.ts';
import type { Random } from '../../base/random.ts';
import { ServerError } from '../../wire/errors.ts';
import type { SqlParameter, SqlValue } from '../../wire/types.ts';
import type { Evaluate, Scope } from './compile-expression.ts';
import { EVENT_SLOT, type PlannedStatement, type Script, type Step } from './script.ts';
import { isTrue, type Value, ValueFault } from './values.ts';

export interface BoundStatement {
  run(parameters: readonly SqlParameter[]): Promise<unknown>;
  rows(parameters: readonly SqlParameter[]): Promise<readonly (readonly SqlValue[])[]>;
}

/** What a script needs of the world. */
export interface ScriptWorld {
  readonly random: Random;
  /** `place` is where it is used first. */
  statement(planned: PlannedStatement, place: string): Promise<BoundStatement>;
  pause(ms: number): Promise<void>;
}

/** Undefined where it is done at once: nothing is awaited then. */
type BoundStep = () => Promise<unknown> | undefined;

interface Session extends Scope {
  /** Of the statement that was sent last. */
  place: string;
  /** How the last transaction ended. */
  lastControl: 'begin' | 'commit' | 'rollback' | undefined;
}

/** Prepares its statements, and returns what runs it once. */
export async function bindScript(
  { steps, initial }: Script,
  world: ScriptWorld,
): Promise<(event: number) => Promise<'rolled back' | undefined>> {
  const session: Session = { values: [...initial], random: world.random, place: '', lastControl: undefined };
  const statements = new Map<PlannedStatement, BoundStatement>();
  for (const { statement, place } of statementStepsOf(steps)) {
    if (!statements.has(statement)) statements.set(statement, await world.statement(statement, place));
  }
  const bound = bindSteps(steps, { session, world, statements });
  const { values } = session;
  return async (event) => {
    for (let slot = 0; slot < initial.length; slot++) values[slot] = initial[slot]!;
    values[EVENT_SLOT] = event;
    session.lastControl = undefined;
    try {
      await runSteps(bound);
    } catch (error) {
      throw placed(error, session.place);
    }
    return session.lastControl === 'rollback' ? 'rolled back' : undefined;
  };
}

/** A server's error stays one, by whose code it is decided what follows; it only says where in the script it arose. */
export function placed(error: unknown, place: string): unknown {
  if (!(error instanceof ServerError) || place === '') return error;
  const { code, sqlState, symbol, message } = error;
  return new ServerError({ code, sqlState, symbol, message: `${place}: ${message}` });
}

type StatementStep = Extract<Step, { is: 'statement' }>;

function statementStepsOf(steps: readonly Step[]): StatementStep[] {
  return steps.flatMap((step) => {
    if (step.is === 'statement') return [step];
    if (step.is !== 'if') return [];
    return [...step.branches.flatMap((branch) => statementStepsOf(branch.steps)), ...statementStepsOf(step.otherwise)];
  });
}

/** Hot: once per event, and for every branch that is taken. */
async function runSteps(steps: readonly BoundStep[]): Promise<void> {
  for (const step of steps) {
    const pending = step();
    if (pending !== undefined) await pending;
  }
}

interface Binding {
  readonly session: Session;
  readonly world: ScriptWorld;
  readonly statements: ReadonlyMap<PlannedStatement, BoundStatement>;
}

function bindSteps(steps: readonly Step[], binding: Binding): BoundStep[] {
  return steps.map((step) => bindStep(step, binding));
}

function bindStep(step: Step, binding: Binding): BoundStep {
  const { session, world } = binding;
  switch (step.is) {
    case 'set': {
      const { slot } = step;
      const evaluate = located(step.evaluate, step.place);
      return () => {
        session.values[slot] = evaluate(session);
        return undefined;
      };
    }
    case 'statement':
      return bindStatement(step, binding);
    case 'sleep': {
      const durationMs = located(step.durationMs, step.place);
      return () => world.pause(durationMs(session) as number);
    }
    case 'if': {
      const branches = step.branches.map((branch) => ({
        condition: located((scope) => isTrue(branch.condition(scope)), step.place),
        steps: bindSteps(branch.steps, binding),
      }));
      const otherwise = bindSteps(step.otherwise, binding);
      return () => {
        const taken = branches.find(({ condition }) => condition(session))?.steps ?? otherwise;
        return taken.length === 0 ? undefined : runSteps(taken);
      };
    }
  }
}

function bindStatement(step: StatementStep, { session, statements }: Binding): BoundStep {
  const { slots, into, control, place } = step;
  const { values } = session;
  const statement = statements.get(step.statement)!;
  const parameters: Value[] = slots.map(() => null);
  const fill = () => {
    for (let at = 0; at < slots.length; at++) parameters[at] = values[slots[at]!]!;
  };
  if (into !== undefined) {
    return async () => {
      fill();
      session.place = place;
      take(await statement.rows(parameters), into, values, place);
    };
  }
  if (control === undefined) {
    return () => {
      fill();
      session.place = place;
      return statement.run(parameters);
    };
  }
  return () => {
    fill();
    session.place = place;
    session.lastControl = control;
    return statement.run(parameters);
  };
}

function take(rows: readonly (readonly SqlValue[])[], into: readonly number[], values: Value[], place: string): void {
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw new UserError(`${place}: \\gset takes one row, and the statement returned ${rows.length}.`, {
      hint: 'Add LIMIT 1, or an aggregate such as MAX(…), which always returns one row.',
    });
  }
  if (row.length !== into.length) {
    throw new UserError(
      `${place}: \\gset names ${into.length} variables, and the statement returned ${row.length} columns.`,
      {
        hint: 'Name one variable for each column, in their order.',
      },
    );
  }
  for (let column = 0; column < into.length; column++) values[into[column]!] = row[column]!;
}

/** Says where it is that something could not be computed. */
function located(evaluate: Evaluate, place: string): Evaluate {
  return (scope) => {
    try {
      return evaluate(scope);
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error;
      throw new UserError(`${place}: ${error.message}`, { hint: 'Look at the values that lead there.', cause: error });
    }
  };
}
