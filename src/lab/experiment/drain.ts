/** Waits until what earlier work has left the server to do is done: a run must not pay for the one before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../base/clock.ts';
import type { Connection } from '../../wire/types.ts';
import { readNumber, readStatus } from '../../workload/sql.ts';

export interface Drained {
  readonly elapsedS: number;
  readonly notes: readonly string[];
}

export interface DrainOptions {
  readonly limitS?: number;
  /** Lets the server write all out at once, for as long as it takes. Only where nobody else uses it. */
  readonly forces: boolean;
  readonly signal: AbortSignal;
}

/** 4 MiB of pages: an idle server keeps some of its own tables' pages changed, and does not hurry with the last. */
const DIRTY_PAGES_MAX = 256;
/** Transactions to be purged; an idle server comes to nearly none. */
const HISTORY_MAX = 100;
/** Of redo that a checkpoint does not cover yet: less than a second's writing. */
const CHECKPOINT_AGE_BYTES_MAX = 1024 * 1024;

const LIMIT_S = 30;
/** A server that has not done anything about it for so long waits for a reason to. */
const IDLE_MS = 3_000;
const POLL_MS = 200;

interface Level {
  readonly dirtyPages: number;
  readonly history: number;
  readonly checkpointAgeBytes: number;
}

export async function drain(connection: Connection, options: DrainOptions): Promise<Drained> {
  const startMs = monotonicMs();
  const limitMs = (options.limitS ?? LIMIT_S) * 1000;
  const elapsedS = () => (monotonicMs() - startMs) / 1000;
  let level = await levelOf(connection);
  if (isLow(level)) return { elapsedS: elapsedS(), notes: [] };
  await using _hurry = options.forces ? await hurried(connection) : undefined;
  let changedMs = startMs;
  while (!isLow(level)) {
    const isIdle = monotonicMs() - changedMs > IDLE_MS;
    if (isIdle || monotonicMs() - startMs > limitMs)
      return { elapsedS: elapsedS(), notes: [leftAt(level, elapsedS())] };
    await sleep(POLL_MS, undefined, { signal: options.signal });
    const next = await levelOf(connection);
    if (JSON.stringify(next) !== JSON.stringify(level)) changedMs = monotonicMs();
    level = next;
  }
  return { elapsedS: elapsedS(), notes: [] };
}

function isLow({ dirtyPages, history, checkpointAgeBytes }: Level): boolean {
  return dirtyPages <= DIRTY_PAGES_MAX && history <= HISTORY_MAX && checkpointAgeBytes <= CHECKPOINT_AGE_BYTES_MAX;
}

function leftAt({ dirtyPages, history, checkpointAgeBytes }: Level, elapsedS: number): string {
  const age = `${(checkpointAgeBytes / 1024 / 1024).toFixed(1)} MiB of redo before the checkpoint`;
  return `After ${elapsedS.toFixed(0)} s the server had still ${dirtyPages} dirty pages, ${history} transactions to purge and ${age}.`;
}

/** Names differ; what a server does not tell counts as done. */
async function levelOf(connection: Connection): Promise<Level> {
  const status = await readStatus(connection, [
    'Innodb_buffer_pool_pages_dirty',
    'Innodb_history_list_length',
    'Innodb_checkpoint_age',
    'Innodb_redo_log_current_lsn',
    'Innodb_redo_log_checkpoint_lsn',
  ]);
  const of = (name: string) => status.get(name) ?? 0;
  return {
    dirtyPages: of('innodb_buffer_pool_pages_dirty'),
    history: status.get('innodb_history_list_length') ?? (await historyByMetrics(connection)),
    checkpointAgeBytes:
      status.get('innodb_checkpoint_age') ?? of('innodb_redo_log_current_lsn') - of('innodb_redo_log_checkpoint_lsn'),
  };
}

/** MySQL has no status variable for it. */
async function historyByMetrics(connection: Connection): Promise<number> {
  const sql = "SELECT COUNT FROM information_schema.INNODB_METRICS WHERE NAME = 'trx_rseg_history_len'";
  return readNumber(connection, sql).catch(() => 0);
}

/** Below this share of dirty pages a server writes at its leisure: none is the order to write now. */
async function hurried(connection: Connection): Promise<AsyncDisposable> {
  const { rows } = await connection.read('SELECT @@GLOBAL.innodb_max_dirty_pages_pct');
  const before = Number(rows[0]?.[0]);
  await connection.execute('SET GLOBAL innodb_max_dirty_pages_pct = 0');
  return {
    [Symbol.asyncDispose]: async () => {
      await connection.execute(`SET GLOBAL innodb_max_dirty_pages_pct = ${before}`);
    },
  };
}
