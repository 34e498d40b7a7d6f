/** `sqldyno WORKLOAD print-sql`: what prepare would do, for a client program such as mysql. No server is asked. */
import { once } from 'node:events';
import { ExitCode, UserError } from '../base/errors.ts';
import { planOf } from './plan-of.ts';
import type { Session } from './session.ts';
import type { WorkloadLine } from './workload-line.ts';

export async function printSql(line: WorkloadLine, { terminal, interrupts }: Session): Promise<ExitCode> {
  const { name, workload } = line.found;
  if (workload.sql === undefined) {
    throw new UserError(`${name} has no print-sql.`, { hint: `Load a server with: sqldyno ${name} prepare` });
  }
  if (terminal.wantsJson) {
    throw new UserError('--json does not go with print-sql.', { hint: 'What it prints is SQL: leave --json out.' });
  }
  const { seed } = planOf(line);
  const statements = workload.sql({ options: line.workload as never, seed, database: line.target.mysql_db });
  await printLines(statements, { terminal, interrupts });
  return ExitCode.done;
}

/** As many as there are, as fast as they are read. */
export async function printLines(
  lines: Iterable<string>,
  { terminal, interrupts }: Pick<Session, 'terminal' | 'interrupts'>,
): Promise<void> {
  for (const line of lines) {
    interrupts.signal.throwIfAborted();
    const isTaken = terminal.stream.write(`${line}\n`);
    // The reader is slower than we are: what it has not read would fill the memory.
    if (!isTaken) await once(terminal.stream, 'drain', { signal: interrupts.signal });
  }
}
