/** The server's own counters, kept by session and added up when somebody asks: what SHOW STATUS tells. */

export class SessionCounters {
  questions = 0;
  readonly #byName = new Map<string, number>();

  /** Hot: once or twice a statement. */
  count(name: string): void {
    this.#byName.set(name, (this.#byName.get(name) ?? 0) + 1);
  }

  /** The names and values of SHOW SESSION STATUS. */
  snapshot(bytesReceived: number, bytesSent: number): Map<string, number> {
    const snapshot = new Map(COUNTED_ALWAYS.map((name) => [name, 0]));
    for (const [name, value] of this.#byName) snapshot.set(name, value);
    snapshot.set('Bytes_received', bytesReceived).set('Bytes_sent', bytesSent);
    return snapshot.set('Questions', this.questions).set('Queries', this.questions);
  }
}

/** Shown also where they are zero. */
const COUNTED_ALWAYS: readonly string[] = [
  'Com_alter_table',
  'Com_begin',
  'Com_change_db',
  'Com_commit',
  'Com_create_table',
  'Com_delete',
  'Com_drop_table',
  'Com_insert',
  'Com_replace',
  'Com_rollback',
  'Com_select',
  'Com_set_option',
  'Com_show_status',
  'Com_show_variables',
  'Com_stmt_close',
  'Com_stmt_execute',
  'Com_stmt_prepare',
  'Com_stmt_reset',
  'Com_update',
];

export function addCounters(total: Map<string, number>, part: ReadonlyMap<string, number>): void {
  for (const [name, value] of part) total.set(name, (total.get(name) ?? 0) + value);
}
