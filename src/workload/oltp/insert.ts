/** The session of oltp_insert: one row a transaction, its id from the server or from here. */
import { fillTemplate } from '../../base/random-text.ts';
import type { SqlParameter } from '../../wire/types.ts';
import { type LoadStatement, type Session, type SessionContext, ValidationError } from '../workload.ts';
import type { OLTP_OPTIONS } from './options.ts';
import { STATEMENTS } from './statements.ts';
import { C_TEMPLATE, PAD_TEMPLATE, tableNames } from './tables.ts';
import { UniqueIds } from './unique-ids.ts';

type Context = SessionContext<typeof OLTP_OPTIONS>;

/** With this id the server takes the next of AUTO_INCREMENT. */
const ID_OF_SERVER = 0;

export async function openInsertSession(context: Context): Promise<Session> {
  const { connection, options, random, keys } = context;
  const statements: LoadStatement[] = [];
  for (const table of tableNames(options.tables)) {
    // As text, as sysbench sends it: the server parses every INSERT.
    statements.push(await connection.statement('insert', 'write', STATEMENTS.insert.sql(table), { text: true }));
  }
  const ids = options.auto_inc ? undefined : await uniqueIdsOf(context);
  const parameters: SqlParameter[] = [];
  return {
    insert: {
      weight: 1,
      async run(event) {
        const statement = statements[random.integer(0, options.tables - 1)]!;
        parameters[0] = ids === undefined ? ID_OF_SERVER : ids.at(event.index);
        parameters[1] = keys.draw(random, 1, options.table_size);
        parameters[2] = fillTemplate(random, C_TEMPLATE);
        parameters[3] = fillTemplate(random, PAD_TEMPLATE);
        const { affectedRows } = await statement.run(parameters);
        if (context.validate && affectedRows !== 1) {
          throw new ValidationError(`insert: expected one row inserted, got ${affectedRows}.`);
        }
      },
    },
  };
}

/**
 * One look at the tables serves all sessions of a run, those that reconnect too: a second look would find the run's own
 * rows, and count on from other ids than its neighbours.
 */
const uniqueIdsByRun = new WeakMap<object, Promise<UniqueIds>>();

function uniqueIdsOf(context: Context): Promise<UniqueIds> {
  const known = uniqueIdsByRun.get(context.options);
  if (known !== undefined) return known;
  const found = findUniqueIds(context);
  uniqueIdsByRun.set(context.options, found);
  return found;
}

async function findUniqueIds({ connection, options, seed }: Context): Promise<UniqueIds> {
  let highest = 0;
  for (const table of tableNames(options.tables)) {
    const last = await connection.statement('last_id', 'read', `SELECT MAX(id) FROM ${table}`, { text: true });
    const [row] = await last.rows();
    highest = Math.max(highest, Number(row?.[0] ?? 0));
  }
  return new UniqueIds(seed, highest + 1);
}
