/** What a replica tells of itself, in the words of either vendor; of several sources the worst. */
import { ServerError } from '../wire/errors.ts';
import type { ResultSet, ServerFlavor, SqlValue } from '../wire/types.ts';

export interface ReplicaState {
  /** From which it replicates. */
  readonly sources: number;
  /** Each one is connected and sends. */
  readonly isReceiving: boolean;
  /** What each one sent is being applied. */
  readonly isApplying: boolean;
  /** Absent where it does not know, as while it is stopped. */
  readonly secondsBehind?: number;
}

/** The second is for MySQL before 8.0.22, which does not know the first. */
const QUESTIONS: Readonly<Record<ServerFlavor, readonly string[]>> = {
  mariadb: ['SHOW ALL SLAVES STATUS'],
  mysql: ['SHOW REPLICA STATUS', 'SHOW SLAVE STATUS'],
};
/** ER_PARSE_ERROR: an older or another server has another word for it. */
const PARSE_ERROR = 1064;

/** Undefined where the server is no replica. Rejects with a `ServerError` where it refuses to tell. */
export async function readReplica(
  ask: (sql: string) => Promise<ResultSet>,
  flavor: ServerFlavor,
): Promise<ReplicaState | undefined> {
  const [question = '', otherwise] = QUESTIONS[flavor];
  try {
    return replicaStateOf(await ask(question));
  } catch (error) {
    const isOtherWord = error instanceof ServerError && error.code === PARSE_ERROR && otherwise !== undefined;
    if (!isOtherWord) throw error;
    return replicaStateOf(await ask(otherwise));
  }
}

export function replicaStateOf({ columns, rows }: Pick<ResultSet, 'columns' | 'rows'>): ReplicaState | undefined {
  if (rows.length === 0) return undefined;
  const column = (...names: readonly string[]) => columns.findIndex(({ name }) => names.includes(name));
  const receiving = column('Replica_IO_Running', 'Slave_IO_Running');
  const applying = column('Replica_SQL_Running', 'Slave_SQL_Running');
  const behind = column('Seconds_Behind_Source', 'Seconds_Behind_Master');
  const delays = rows.map((row) => textOf(row[behind])).filter((text) => /^\d+$/.test(text));
  return {
    sources: rows.length,
    isReceiving: rows.every((row) => textOf(row[receiving]) === 'Yes'),
    isApplying: rows.every((row) => textOf(row[applying]) === 'Yes'),
    ...(delays.length === 0 ? {} : { secondsBehind: Math.max(...delays.map(Number)) }),
  };
}

function textOf(value: SqlValue | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value ?? '');
}
