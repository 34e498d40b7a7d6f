/** Deals work over several connections. */
import type { Connection } from '../wire/types.ts';
import type { MaintenanceContext } from './workload.ts';

type ParallelContext = Pick<MaintenanceContext<Record<never, never>>, 'connect' | 'threads' | 'signal'>;

/**
 * Does `job` for every item, `threads` at a time, `first` being one of the connections. Stops dealing when the signal
 * is aborted or a job has failed; throws the first failure once all that had begun has ended.
 */
export async function eachInParallel<T>(
  context: ParallelContext,
  first: Connection,
  items: readonly T[],
  job: (connection: Connection, item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let isStopped = false;
  const work = async (connection: Connection) => {
    try {
      for (const item of waiting) {
        if (isStopped || context.signal.aborted) return;
        await job(connection, item);
      }
    } catch (error) {
      isStopped = true;
      throw error;
    }
  };
  const others = Array.from({ length: Math.min(context.threads, items.length) - 1 }, async () => {
    await using connection = await context.connect();
    await work(connection);
  });
  const results = await Promise.allSettled([work(first), ...others]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
