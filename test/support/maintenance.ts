/** prepare, prewarm and cleanup on a test server, and what they left there. */
import { defaultsOf } from '../../src/base/options.ts';
import type { RandType } from '../../src/load/plan.ts';
import { connect } from '../../src/wire/connection.ts';
import type { Connection, ConnectOptions, SqlValue } from '../../src/wire/types.ts';
import { loadWorkload } from '../../src/workload/find.ts';
import type { MaintenanceContext } from '../../src/workload/workload.ts';
import { testKeys } from './sessions.ts';

export interface MaintenanceSettings {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly threads?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
  readonly randType?: RandType;
  readonly connect?: () => Promise<Connection>;
  readonly onAdvance?: (done: number, total: number) => void;
}

/** Returns the notes. */
export async function maintainTest(
  target: ConnectOptions,
  command: 'prepare' | 'prewarm' | 'cleanup',
  name: string,
  settings: MaintenanceSettings = {},
): Promise<string[]> {
  const { workload } = await loadWorkload(name);
  const notes: string[] = [];
  const context: MaintenanceContext<never> = {
    connect: settings.connect ?? (() => connect(target)),
    options: { ...defaultsOf(workload.options), ...settings.options } as never,
    threads: settings.threads ?? 2,
    seed: settings.seed ?? 1,
    keys: testKeys(settings.randType),
    signal: settings.signal ?? new AbortController().signal,
    progress: {
      note: (line) => notes.push(line),
      advance: (_activity, done, total) => settings.onAdvance?.(done, total),
    },
  };
  const work = workload[command];
  if (work === undefined) throw new Error(`${name} has no ${command}`);
  await work(context);
  return notes;
}

export async function query(target: ConnectOptions, sql: string): Promise<readonly (readonly SqlValue[])[]> {
  await using connection = await connect(target);
  return (await connection.read(sql)).rows;
}

export async function execute(target: ConnectOptions, ...statements: readonly string[]): Promise<void> {
  await using connection = await connect(target);
  for (const sql of statements) await connection.execute(sql);
}

/** All that can be compared of a table: what it holds, and how it is made. */
export async function tableState(target: ConnectOptions, table: string): Promise<Record<string, string>> {
  const [checksum] = await query(target, `CHECKSUM TABLE ${table}`);
  const [created] = await query(target, `SHOW CREATE TABLE ${table}`);
  const [rows] = await query(target, `SELECT COUNT(*), COUNT(DISTINCT id), MIN(id), MAX(id) FROM ${table}`);
  return { checksum: String(checksum?.[1]), created: String(created?.[1]), rows: rows?.join(' ') ?? '' };
}
