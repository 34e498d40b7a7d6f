/** prepare and cleanup: the files of --setup-file and --teardown-file, statement by statement on one connection. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { createRandom, deriveSeed } from '../../base/random.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection, SqlParameter, SqlValue } from '../../wire/types.ts';
import type { MaintenanceContext } from '../workload.ts';
import type { SCRIPT_OPTIONS } from './options.ts';
import { programOf } from './program.ts';
import { type BoundStatement, bindScript } from './run-script.ts';
import type { Script } from './script.ts';

type Context = MaintenanceContext<typeof SCRIPT_OPTIONS>;

export async function setUp(context: Context): Promise<void> {
  const { setup } = programOf(context.options);
  if (setup.length === 0) throw nothingToDo('prepare', '--setup-file');
  await runOnce(context, setup, 'setup');
}

export async function tearDown(context: Context): Promise<void> {
  const { teardown } = programOf(context.options);
  if (teardown.length === 0) throw nothingToDo('cleanup', '--teardown-file');
  await runOnce(context, teardown, 'teardown');
}

function nothingToDo(command: string, option: string): UserError {
  return new UserError(`There is nothing to do for ${command}: no ${option} is given.`, {
    hint: `Write its statements into a file, and add ${option}=FILE. Tables that are there already need none.`,
  });
}

async function runOnce(context: Context, scripts: readonly Script[], purpose: string): Promise<void> {
  const { signal, progress, seed } = context;
  await using connection = await context.connect();
  for (const [index, script] of scripts.entries()) {
    progress.note(`${script.file} ...`);
    const run = await bindScript(script, {
      random: createRandom(deriveSeed(seed, purpose, index)),
      statement: async ({ sql }, place) => bind(new PlainStatement(connection, sql), place, signal),
      // Reading refuses \sleep in these files.
      pause: async () => {},
    });
    await run(0);
  }
}

/** Prepared for values only: much of what sets tables up cannot be prepared. */
class PlainStatement implements BoundStatement {
  readonly sql: string;
  readonly #connection: Connection;

  constructor(connection: Connection, sql: string) {
    this.#connection = connection;
    this.sql = sql;
  }

  async run(parameters: readonly SqlParameter[]): Promise<unknown> {
    if (parameters.length === 0) return this.#connection.execute(this.sql);
    const statement = await this.#connection.prepare(this.sql);
    try {
      return await statement.execute(parameters);
    } finally {
      statement.close();
    }
  }

  async rows(parameters: readonly SqlParameter[]): Promise<readonly (readonly SqlValue[])[]> {
    if (parameters.length === 0) return (await this.#connection.read(this.sql)).rows;
    const statement = await this.#connection.prepare(this.sql);
    try {
      return (await statement.read(parameters)).rows;
    } finally {
      statement.close();
    }
  }
}

/** Stops between two statements when it is told to, and says which one was refused. */
function bind(statement: PlainStatement, place: string, signal: AbortSignal): BoundStatement {
  const told = async <T>(send: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      throw new UserError(`${place}: the server refused this statement: ${error.message} (${error.symbol}).`, {
        hint: `It is: ${statement.sql}`,
        exitCode: ExitCode.runFailed,
        cause: error,
      });
    }
  };
  return {
    run: (parameters) => told(() => statement.run(parameters)),
    rows: (parameters) => told(() => statement.rows(parameters)),
  };
}
