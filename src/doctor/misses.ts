/** How many pages a transaction must at least read from the disk, by the sizes of data and buffer pool. */
import { type PlanFacts, type Seen, type ServerLook, seen, unseenBecause } from './collected.ts';
import { dataBytesOf, poolBytesOf, staleTables } from './sizes.ts';

/**
 * A lower bound for keys that are drawn evenly: each statement touches one leaf page at least, and of the pages as many
 * are missing as do not fit. With hot keys fewer are, and how many depends on what the pool keeps.
 */
export function missesPerTransaction(plan: PlanFacts, server: ServerLook): Seen<number> {
  const pool = poolBytesOf(server);
  if (pool === undefined) return unseenBecause('The server does not tell the size of its buffer pool.');
  if (server.tables.is === 'unseen') return unseenBecause(server.tables.because);
  if (staleTables(plan, server.tables.value).length > 0) {
    return unseenBecause('The server does not know yet how large the tables are: its statistics are too old.');
  }
  const data = dataBytesOf(server.tables.value);
  if (data <= pool) return seen(0);
  if (plan.mix === undefined) {
    return unseenBecause(
      `${plan.workload} does not tell what a transaction of it sends, and the data do not fit into the pool.`,
    );
  }
  if (plan.keys !== 'uniform') {
    return unseenBecause(
      `The data do not fit into the pool; how often keys that are drawn by ${plan.keys} miss it cannot be said before.`,
    );
  }
  return seen((plan.mix.reads + plan.mix.writes) * (1 - pool / data));
}
