/** Runs a workload's sessions without the engine: event by event, each statement written down. */
import { defaultsOf } from '../../src/base/options.ts';
import { createRandom } from '../../src/base/random.ts';
import { createKeyDistribution } from '../../src/load/distribution.ts';
import type { RandType } from '../../src/load/plan.ts';
import type { Connection, Outcome, SqlParameter, SqlValue } from '../../src/wire/types.ts';
import { loadWorkload } from '../../src/workload/find.ts';
import type { SequencePart, Session, SessionConnection, StatementKind } from '../../src/workload/workload.ts';

export interface SentStatement {
  readonly name: string;
  readonly kind: StatementKind;
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

export interface RecordingConnection extends SessionConnection {
  /** In order, those of setting up included. */
  readonly sent: SentStatement[];
  /** SQL of the statements that would be prepared on the server. */
  readonly prepared: string[];
}

type Rows = readonly (readonly SqlValue[])[];

export interface Answers {
  readonly rows?: (sent: SentStatement) => Rows;
  readonly affectedRows?: number;
}

const OUTCOME: Outcome = { hasRows: false, rowCount: 0, affectedRows: 1, lastInsertId: 0, warningCount: 0, status: 2 };

/** Answers without a server. */
export function recordingConnection(answers: Answers = {}): RecordingConnection {
  const sent: SentStatement[] = [];
  const prepared: string[] = [];
  const record = (statement: SentStatement) => {
    const copy = { ...statement, parameters: [...statement.parameters] };
    sent.push(copy);
    return copy;
  };
  return {
    sent,
    prepared,
    statement: async (name, kind, sql, options = {}) => {
      if (options.text !== true) prepared.push(sql);
      return {
        name,
        kind,
        run: async (parameters = []) => {
          record({ name, kind, sql, parameters });
          return { ...OUTCOME, affectedRows: answers.affectedRows ?? 1 };
        },
        rows: async (parameters = []) => answers.rows?.(record({ name, kind, sql, parameters })) ?? [[null]],
      };
    },
  };
}

/** Sends over a real connection: prepared, or as text where the workload wants it so. */
export function wireConnection(connection: Connection): RecordingConnection {
  const double = recordingConnection();
  return {
    ...double,
    statement: async (name, kind, sql, options = {}) => {
      const recorder = await double.statement(name, kind, sql, options);
      const statement = options.text === true ? undefined : await connection.prepare(sql);
      return {
        name,
        kind,
        run: async (parameters = []) => {
          await recorder.run(parameters);
          if (statement === undefined) return connection.execute(withValues(sql, parameters));
          return statement.execute(parameters);
        },
        rows: async (parameters = []) => {
          await recorder.run(parameters);
          if (statement === undefined) return (await connection.read(withValues(sql, parameters))).rows;
          return (await statement.read(parameters)).rows;
        },
      };
    },
  };
}

/** Good for what the OLTP family sends: integers, and texts without quotes. */
function withValues(sql: string, parameters: readonly SqlParameter[]): string {
  const values = parameters.values();
  return sql.replaceAll('?', () => {
    const value = values.next().value;
    return typeof value === 'string' ? `'${value}'` : String(value);
  });
}

export interface SessionSettings {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly seed?: number;
  readonly sessionIndex?: number;
  readonly threads?: number;
  readonly validate?: boolean;
  readonly randType?: RandType;
}

export interface TestSession {
  readonly session: Session;
  /**
   * Runs event number `index`, with the random stream that belongs to it. Several transaction types come in the order
   * that the workload says, or take turns.
   */
  run(index: number): Promise<void>;
  /** Number of the first event of each part, where transactions come in a fixed order. */
  readonly parts: readonly number[];
}

export async function openTestSession(
  name: string,
  connection: SessionConnection,
  settings: SessionSettings = {},
): Promise<TestSession> {
  const { seed = 1, sessionIndex = 0, threads = 1, validate = false } = settings;
  const { workload } = await loadWorkload(name);
  const options = { ...defaultsOf(workload.options), ...settings.options } as never;
  const random = createRandom(0);
  const session = await workload.session({
    connection,
    options,
    random,
    keys: testKeys(settings.randType),
    sessionIndex,
    threads,
    terminals: 0,
    tally: () => ({ add: () => {} }),
    pause: async () => {},
    validate,
    seed,
  });
  const names = Object.keys(session);
  const parts = partsInOrder(workload.work?.(options)?.sequence ?? []);
  const nameAt = (index: number) =>
    parts.findLast(({ first }) => first <= index)?.transaction ?? names[index % names.length] ?? '';
  return {
    session,
    parts: parts.map(({ first }) => first),
    run: async (index) => {
      random.restart(seed, index);
      await session[nameAt(index)]?.run({ index, terminal: -1 });
    },
  };
}

function partsInOrder(sequence: readonly SequencePart[]) {
  let next = 0;
  return sequence.map(({ transaction, events }) => {
    const first = next;
    next += events;
    return { transaction, first };
  });
}

export function testKeys(type: RandType = 'uniform') {
  return createKeyDistribution({
    type,
    scrambled: false,
    specIter: 12,
    specPct: 1,
    specRes: 75,
    paretoH: 0.2,
    zipfianExp: 0.8,
  });
}
