/** What performance_schema counted between two readings, the observer's own questions left out. Pure. */
import type { EventAccount, ServerAccount, StatementAccount } from '../model/observed.ts';

export interface AccountSnapshot {
  /** Milliseconds of one clock. */
  readonly atMs: number;
  /** By the server's name for it, such as `statement/sql/select`. */
  readonly kinds: ReadonlyMap<string, Tally>;
  /** By schema and digest. */
  readonly digests: ReadonlyMap<string, TextTally>;
  /** By text, literals taken out; empty where the server has no such table. */
  readonly prepared: ReadonlyMap<string, TextTally>;
  readonly waits: ReadonlyMap<string, EventTally>;
  readonly stages: ReadonlyMap<string, EventTally>;
}

export interface EventTally {
  readonly count: number;
  readonly timeNs: number;
}

export interface Tally extends EventTally {
  readonly errors: number;
  readonly rowsExamined: number;
  readonly rowsSent: number;
  readonly temporaryTables: number;
  readonly temporaryDiskTables: number;
}

export interface TextTally extends Tally {
  readonly text: string;
  readonly database?: string;
}

const NOTHING: Tally = {
  count: 0,
  timeNs: 0,
  errors: 0,
  rowsExamined: 0,
  rowsSent: 0,
  temporaryTables: 0,
  temporaryDiskTables: 0,
};
const FIELDS = Object.keys(NOTHING) as (keyof Tally)[];
/** A report shows some of them; the rest is there for who looks closer, and a record stays small. */
const STATEMENTS_MAX = 20;
const EVENTS_MAX = 20;
const TEXT_LENGTH_MAX = 300;

const EXECUTE = 'statement/com/Execute';
/** What the observer asks while a load runs, as servers write it in a digest. Somebody else may ask the same. */
const OWN =
  /^SHOW (?:GLOBAL|ALL SLAVES|REPLICA|SLAVE) STATUS\s*$|^SELECT .*(?:`?performance_schema`? ?\.|INNODB_METRICS)/is;

/** Undefined where the server counted no statement, or was restarted meanwhile. */
export function accountBetween(from: AccountSnapshot, to: AccountSnapshot): ServerAccount | undefined {
  const kinds = changes(from.kinds, to.kinds);
  // Statements inside of stored programs are within those that called them.
  const top = kinds.filter(({ name }) => /^statement\/(?:sql|com)\//.test(name));
  const total = sumOf(top.map(({ tally }) => tally));
  if (total.count <= 0 || kinds.some(({ tally }) => tally.count < 0)) return undefined;
  const executions = sumOf(top.filter(({ name }) => name === EXECUTE).map(({ tally }) => tally));
  const digests = changes(from.digests, to.digests);
  const own = digests.filter(({ name }) => OWN.test(to.digests.get(name)?.text ?? ''));
  const texts = digests.filter((each) => !own.includes(each));
  const known = texts.map(({ name, tally }) => statementOf('text', tally, to.digests.get(name)));
  const prepared = haveExecutions(digests, top, executions) ? [] : preparedOf(from, to, executions);
  const all = [...known, ...prepared].sort((one, other) => other.timeS - one.timeS);
  const shown = all.slice(0, STATEMENTS_MAX);
  const rest = restOf(total, [...shown.map(tallyOf), ...own.map(({ tally }) => tally)]);
  return {
    elapsedS: Math.round(to.atMs - from.atMs) / 1000,
    statements: rest.count > 0 ? [...shown, statementOf('rest', rest)] : shown,
    waits: eventsOf(from.waits, to.waits),
    stages: eventsOf(from.stages, to.stages),
  };
}

/** Digests of some servers count the executions of prepared statements too. */
function haveExecutions(digests: readonly Change[], kinds: readonly Change[], executions: Tally): boolean {
  const countOf = (some: readonly Change[]) => sumOf(some.map(({ tally }) => tally)).count;
  const asText = countOf(kinds.filter(({ name }) => name.startsWith('statement/sql/')));
  return executions.count > 0 && countOf(digests) > asText + executions.count / 2;
}

/** MariaDB 10.11 has the texts and counts no execution by them; and those of sessions that are gone are nowhere. */
function preparedOf(from: AccountSnapshot, to: AccountSnapshot, executions: Tally): StatementAccount[] {
  const byText = changes(from.prepared, to.prepared).filter(({ tally }) => tally.count > 0);
  const any = restOf(
    executions,
    byText.map(({ tally }) => tally),
  );
  const known = byText.map(({ name, tally }) => statementOf('prepared', tally, to.prepared.get(name)));
  return any.count > 0 ? [...known, statementOf('prepared-any', any)] : known;
}

interface Change {
  readonly name: string;
  readonly tally: Tally;
}

/** Of everything that moved. */
function changes(from: ReadonlyMap<string, Tally>, to: ReadonlyMap<string, Tally>): Change[] {
  const all = [...to].map(([name, tally]) => ({ name, tally: added(tally, from.get(name) ?? NOTHING, -1) }));
  return all.filter(({ tally }) => tally.count !== 0);
}

export function added(one: Tally, other: Tally, factor: 1 | -1 = 1): Tally {
  return Object.fromEntries(FIELDS.map((field) => [field, one[field] + factor * other[field]])) as unknown as Tally;
}

function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, tally) => added(sum, tally), NOTHING);
}

/** The two tables are not read in the same moment: what would be below nothing is nothing. */
function restOf(total: Tally, known: readonly Tally[]): Tally {
  const rest = added(total, sumOf(known), -1);
  return Object.fromEntries(FIELDS.map((field) => [field, Math.max(0, rest[field])])) as unknown as Tally;
}

function statementOf(of: StatementAccount['of'], { timeNs, ...counts }: Tally, said?: TextTally): StatementAccount {
  const { errors, count, rowsExamined, rowsSent, temporaryTables, temporaryDiskTables } = counts;
  return {
    of,
    ...(said === undefined ? {} : { text: cut(said.text) }),
    ...(said?.database === undefined ? {} : { database: said.database }),
    count,
    timeS: secondsOf(timeNs),
    errors,
    rowsExamined,
    rowsSent,
    temporaryTables,
    temporaryDiskTables,
  };
}

function tallyOf({ timeS, ...counts }: StatementAccount): Tally {
  return { ...counts, timeNs: timeS * 1e9 };
}

function eventsOf(from: ReadonlyMap<string, EventTally>, to: ReadonlyMap<string, EventTally>): EventAccount[] {
  const all = [...to].map(([event, { count, timeNs }]) => {
    const before = from.get(event);
    return { event, count: count - (before?.count ?? 0), timeS: secondsOf(timeNs - (before?.timeNs ?? 0)) };
  });
  const moved = all.filter(({ count, timeS }) => count > 0 && timeS >= 0);
  return moved.sort((one, other) => other.timeS - one.timeS).slice(0, EVENTS_MAX);
}

/** To the microsecond. */
function secondsOf(ns: number): number {
  return Math.round(ns / 1000) / 1e6;
}

function cut(text: string): string {
  const one = text.replace(/\s+/g, ' ').trim();
  return one.length <= TEXT_LENGTH_MAX ? one : `${one.slice(0, TEXT_LENGTH_MAX)} ...`;
}

/** Strings and numbers become question marks, as in a digest: a prepared text may hold what nobody else is to read. */
export function withoutLiterals(sql: string): string {
  return sql
    .replace(/'(?:[^'\\]|\\.|'')*(?:'|$)|"(?:[^"\\]|\\.|"")*(?:"|$)/gs, '?')
    .replace(/(?<![\w`$.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)/gi, '?')
    .replace(/(?<![\w`$])0x[0-9a-f]+/gi, '?');
}
