/** One client: its set-up, and its transactions, each a query or with --commit some queries and a COMMIT. */
import type { Session, SessionContext } from '../workload.ts';
import { queriesPerClient, type SLAP_OPTIONS, type SlapOptions } from './options.ts';
import { openForm, openQueries } from './queries.ts';
import { kindOf } from './sql-list.ts';

export async function openSlapSession(context: SessionContext<typeof SLAP_OPTIONS>): Promise<Session> {
  const { options, threads } = context;
  for (const sql of setUpOf(options)) {
    const statement = await openForm(context, { name: 'init_command', kind: kindOf(sql), sql });
    await statement.run();
  }
  const send = await openQueries(context);
  // The events of a client follow each other at this distance, whatever the others do.
  const turnOf = (index: number) => Math.floor(index / threads);
  if (options.commit === 0) {
    return {
      query: {
        weight: 1,
        async run(event) {
          await send(turnOf(event.index));
        },
      },
    };
  }
  const commit = await openForm(context, { name: 'commit', kind: 'other', sql: 'COMMIT' });
  const all = queriesPerClient(options, threads);
  return {
    transaction: {
      weight: 1,
      transactional: true,
      async run(event) {
        const from = turnOf(event.index) * options.commit;
        // The last transaction may have fewer; beyond it, with --time, there is no last one.
        const to = from < all ? Math.min(all, from + options.commit) : from + options.commit;
        for (let position = from; position < to; position++) await send(position);
        await commit.run();
      },
    },
  };
}

/** What is said first on each connection. */
export function setUpOf({ init_command: command, commit }: SlapOptions): string[] {
  return [...(commit > 0 ? ['SET autocommit = 0'] : []), ...(command === '' ? [] : [command])];
}
