/** What experiments that were killed had left changed on servers, and what became of it. */
import { unreachable } from '../base/assert.ts';
import { type Leftover, type Reachable, restoreLeftovers } from '../lab/knob-leftovers.ts';
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
