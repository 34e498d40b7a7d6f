/** What experiments that were killed had left changed on servers, and what became of it. */
import { unreachable } from '../base/assert.ts';
import { foundJournals } from '../lab/knob-journal.ts';
import { type Leftover, type Reachable, restoreLeftovers } from '../lab/knob-leftovers.ts';
import { stateOf } from '../lab/process-identity.ts';
import type { Terminal } from './terminal.ts';

/** Restores what can be restored, and says what was done and what is to be done. */
export async function tellLeftovers(
  storeDirectory: string | undefined,
  terminal: Pick<Terminal, 'warn'>,
  reachable?: Reachable,
): Promise<readonly Leftover[]> {
  const leftovers = await restoreLeftovers(storeDirectory, reachable);
  for (const leftover of leftovers) for (const line of leftoverLines(leftover)) terminal.warn(line);
  return leftovers;
}

/** A line for each, before a run is measured among them. No server is asked: it costs the reading of a directory. */
export async function tellLeftoversBeforeRun(
  storeDirectory: string | undefined,
  terminal: Pick<Terminal, 'warn'>,
): Promise<void> {
  for (const { owner, journal } of await foundJournals(storeDirectory)) {
    const { server, writtenAt } = journal;
    // With the process of a private server its settings are gone, too.
    const isOver = server.private !== undefined && stateOf(server.private.process) === 'gone';
    if (owner !== 'gone' || isOver) continue;
    const when = `${writtenAt.slice(0, 16).replace('T', ' ')} UTC`;
    terminal.warn(
      `Note: what an experiment changed on ${server.address} is still so: it was cut off at ${when}. To put it back: sqldyno diagnose`,
    );
  }
}

export function leftoverLines({ path, address, since, sql, is, notes }: Leftover): string[] {
  const what = `An experiment of ${since.slice(0, 16).replace('T', ' ')} UTC was cut off on ${address}`;
  const statements = sql.map((statement) => `    ${statement};`);
  switch (is) {
    case 'restored':
      return [`${what}. What it had changed is put back:`, ...statements, ...notes.map((note) => `  ${note}`)];
    case 'gone':
      return [`${what}: that server has ended since, and its changed settings with it.`];
    case 'unreachable':
      return [
        `${what}, and what it had changed is still so.`,
        ...notes.map((note) => `  ${note}`),
        '  To put it back, run there:',
        ...statements,
        '  or give the target to diagnose, as in: sqldyno diagnose --mysql-host=HOST --mysql-user=USER --ask-password',
        `  It is remembered in ${path}`,
      ];
    case 'elsewhere':
      return [
        `An experiment on ${address} was begun by another host or container, and may still go on. Where it does not:`,
        ...statements,
        `  and delete ${path}`,
      ];
    default:
      return unreachable(is);
  }
}
