/** What select_random_points and select_random_ranges share: one table, and each thread its own part of the keys. */
import type { SessionContext } from '../workload.ts';
import type { OltpOptions } from './options.ts';
import { type OLTP_OPTIONS, problemsOfTableOptions } from './options.ts';

/** Parameters of one statement, as the server counts them. */
export const PARAMETERS_MAX = 65_535;

export function problemsOfOneTable(options: OltpOptions): string[] {
  const problems = problemsOfTableOptions(options);
  if (options.tables !== 1) {
    problems.push(`This workload uses one table, not ${options.tables}: leave --tables out.`);
  }
  return problems;
}

type Context = Pick<SessionContext<typeof OLTP_OPTIONS>, 'options' | 'random' | 'keys' | 'threads'>;

/**
 * Hot: one key from the part of event `index`. sysbench cuts 1 … table_size into as many parts as there are threads,
 * and each thread draws from its own. Here the part goes by the event's number instead of the thread that happens to do
 * it, so that equal seeds send equal statements; every part has its turn just as often. As in sysbench, neighbouring
 * parts share their border, and the first begins at 0.
 */
export function drawFromPart({ options, random, keys, threads }: Context, index: number): number {
  const part = index % threads;
  const width = options.table_size / threads;
  const from = Math.floor(width * part);
  return keys.draw(random, from, from + Math.floor(width));
}
