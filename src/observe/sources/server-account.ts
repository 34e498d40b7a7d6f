/**
 * What performance_schema has counted so far: statements by kind, by digest and by prepared text, waits and stages. Two
 * such readings make an account (`account.ts`). The tables are those of MySQL 5.7 and newer and MariaDB 10.5 and newer.
 * https://dev.mysql.com/doc/refman/8.4/en/performance-schema-statement-summary-tables.html
 * https://mariadb.com/kb/en/performance-schema-events_statements_summary_by_digest-table/
 */

import type { ServerAccount, Unseen } from '../../model/observed.ts';
import { ServerError } from '../../wire/errors.ts';
import type { ResultSet, SqlValue } from '../../wire/types.ts';
import {
  type AccountSnapshot,
  accountBetween,
  added,
  type EventTally,
  type Tally,
  type TextTally,
  withoutLiterals,
} from '../account.ts';
import { refusalOf } from '../refusal.ts';

/** Picoseconds since the start of a busy server are beyond what a number holds exactly. */
const SUMS = (timer: string) =>
  `SUM(${timer}) DIV 1000, SUM(SUM_ERRORS), SUM(SUM_ROWS_EXAMINED), SUM(SUM_ROWS_SENT), SUM(SUM_CREATED_TMP_TABLES), SUM(SUM_CREATED_TMP_DISK_TABLES)`;
/** Enough to know a statement by, and far less than a server may keep of thousands of them. */
const TEXT_LENGTH_MAX = 400;
const EVENTS = (table: string) =>
  `SELECT EVENT_NAME, COUNT_STAR, SUM_TIMER_WAIT DIV 1000 FROM performance_schema.${table} WHERE COUNT_STAR > 0`;

const SQL = {
  kinds: `SELECT EVENT_NAME, SUM(COUNT_STAR), ${SUMS('SUM_TIMER_WAIT')} FROM performance_schema.events_statements_summary_global_by_event_name WHERE COUNT_STAR > 0 GROUP BY EVENT_NAME`,
  digests: `SELECT CONCAT_WS(' ', SCHEMA_NAME, DIGEST), SUM(COUNT_STAR), ${SUMS('SUM_TIMER_WAIT')}, LEFT(MAX(DIGEST_TEXT), ${TEXT_LENGTH_MAX}), SCHEMA_NAME FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST IS NOT NULL GROUP BY SCHEMA_NAME, DIGEST`,
  prepared: `SELECT LEFT(SQL_TEXT, ${TEXT_LENGTH_MAX}), SUM(COUNT_EXECUTE), ${SUMS('SUM_TIMER_EXECUTE')} FROM performance_schema.prepared_statements_instances GROUP BY LEFT(SQL_TEXT, ${TEXT_LENGTH_MAX})`,
  events: `${EVENTS('events_waits_summary_global_by_event_name')} UNION ALL ${EVENTS('events_stages_summary_global_by_event_name')}`,
  instruments:
    "SELECT SUBSTRING_INDEX(NAME, '/', 2), SUM(ENABLED <> 'YES' OR TIMED <> 'YES'), COUNT(*) FROM performance_schema.setup_instruments WHERE NAME LIKE 'wait/%' GROUP BY SUBSTRING_INDEX(NAME, '/', 2)",
};

const WHAT = 'performance_schema';
const ER_NO_SUCH_TABLE = 1146;
const ER_UNKNOWN_TABLE = 1109;

/** Asks the server one question, whose cost is counted; rejects with a `ServerError` where it refuses. */
export type Ask = (sql: string) => Promise<ResultSet>;

/** Of one run: what it cannot see is said once. */
export class AccountSource {
  readonly #ask: Ask;
  readonly #nowMs: () => number;
  readonly #unseen: Unseen[] = [];
  #from: AccountSnapshot | undefined;
  #account: ServerAccount | undefined;
  #hasPrepared = true;
  /** There is nothing to be had, which has been said. */
  #isOver = false;

  constructor(ask: Ask, nowMs: () => number) {
    this.#ask = ask;
    this.#nowMs = nowMs;
  }

  get unseen(): readonly Unseen[] {
    return this.#unseen;
  }

  /** Absent before `finish`, and where it could not be had. */
  get account(): ServerAccount | undefined {
    return this.#account;
  }

  /** What is counted from now on is told. May be called again, to begin later. `setting`: of the server's variable. */
  async begin(setting: string | undefined): Promise<void> {
    if (this.#isOver) return;
    if (!/^(?:ON|1)$/i.test(setting ?? '')) {
      this.#miss('It is off, so the server tells neither its statements nor what it waited for.');
      return;
    }
    const isFirst = this.#from === undefined;
    await this.#guard(async () => {
      if (isFirst) this.#tellWhatIsOff(await this.#ask(SQL.instruments));
      this.#from = await this.#read();
    });
  }

  async finish(): Promise<void> {
    const from = this.#from;
    if (this.#isOver || from === undefined) return;
    await this.#guard(async () => {
      this.#account = accountBetween(from, await this.#read());
      if (this.#account === undefined) this.#miss('It is on, and counted no statement: its consumers may be off.');
    });
  }

  /** A refusal costs the account, never the run. */
  async #guard(look: () => Promise<void>): Promise<void> {
    try {
      await look();
    } catch (error) {
      this.#miss(refusalOf(error as Error, 'SELECT ON performance_schema.*'));
    }
  }

  #miss(because: string): void {
    this.#isOver = true;
    this.#unseen.push({ what: WHAT, because });
  }

  #tellWhatIsOff({ rows }: ResultSet): void {
    const off = rows.filter(([, count]) => Number(count) > 0);
    if (off.length === 0) return;
    const classes = off.map(([name, count, all]) => `${Number(count)} of ${Number(all)} of ${textOf(name)}`);
    this.#unseen.push({ what: 'waits', because: `The server does not time ${classes.join(', ')}.` });
  }

  async #read(): Promise<AccountSnapshot> {
    const atMs = this.#nowMs();
    const kinds = await this.#ask(SQL.kinds);
    const digests = await this.#ask(SQL.digests);
    const prepared = await this.#readPrepared();
    const events = (await this.#ask(SQL.events)).rows.map(eventOf);
    return {
      atMs,
      kinds: new Map(kinds.rows.map((row) => [textOf(row[0]), tallyOf(row)])),
      digests: new Map(digests.rows.map((row) => [textOf(row[0]), digestOf(row)])),
      prepared,
      waits: new Map(events.filter(([name]) => name.startsWith('wait/'))),
      stages: new Map(events.filter(([name]) => name.startsWith('stage/'))),
    };
  }

  /** Texts that differ in their literals only are one. */
  async #readPrepared(): Promise<ReadonlyMap<string, TextTally>> {
    const found = new Map<string, TextTally>();
    if (!this.#hasPrepared) return found;
    try {
      for (const row of (await this.#ask(SQL.prepared)).rows) {
        const text = withoutLiterals(textOf(row[0]));
        const before = found.get(text);
        const tally = tallyOf(row);
        found.set(text, { ...(before === undefined ? tally : added(before, tally)), text });
      }
    } catch (error) {
      // Older servers do not have the table; whatever else is refused is told by the one that asks.
      if (!(error instanceof ServerError && [ER_NO_SUCH_TABLE, ER_UNKNOWN_TABLE].includes(error.code))) throw error;
      this.#hasPrepared = false;
    }
    return found;
  }
}

type Row = readonly SqlValue[];

function eventOf([name, count, time]: Row): [string, EventTally] {
  return [textOf(name), { count: Number(count), timeNs: Number(time) }];
}

function digestOf(row: Row): TextTally {
  const database = textOf(row[9]);
  return { ...tallyOf(row), text: textOf(row[8]), ...(database === '' ? {} : { database }) };
}

function tallyOf(row: Row): Tally {
  const at = (index: number) => Number(row[index] ?? 0);
  return {
    count: at(1),
    timeNs: at(2),
    errors: at(3),
    rowsExamined: at(4),
    rowsSent: at(5),
    temporaryTables: at(6),
    temporaryDiskTables: at(7),
  };
}

function textOf(value: SqlValue | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value ?? '');
}
