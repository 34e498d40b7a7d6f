/** Are the tables there, of the right shape, and full enough? */
import { formatCount } from '../base/units.ts';
import type { Connection } from '../wire/types.ts';
import { asText, quoteName, readNumber, readRows } from './sql.ts';
import { misfitOf, readTables, type TableInfo } from './table-info.ts';
import { readMark } from './tables/journal.ts';
import type { TableNeed, TableSize, TargetProblem } from './workload.ts';

/** Tables of so many rows are counted, as long as all together stay below the second figure. */
const COUNTED_ROWS_MAX = 200_000;
const COUNTED_ROWS_TOTAL_MAX = 5_000_000;
/** InnoDB's estimate may be off by half; below that it is worth counting before anything is said. */
const ESTIMATE_SHARE_MIN = 0.5;
/** A few gaps change little; more, and the load hits nothing where it should hit rows. */
const GAPS_SHARE_MAX = 0.1;
/** From so many times the rows in use on, the rest of the table is probably there by mistake. */
const MORE_ROWS_FACTOR = 1.5;
const NAMES_SHOWN_MAX = 3;
const TABLE_SIZE: TableSize = { option: '--table-size', rowsPerUnit: 1 };

export async function tableProblems(connection: Connection, needs: readonly TableNeed[]): Promise<TargetProblem[]> {
  const found = await readTables(
    connection,
    needs.map((need) => need.name),
  );
  const missing = needs.filter((need) => !found.has(need.name)).map((need) => need.name);
  if (missing.length > 0) return [missingProblem(missing, needs.length)];
  const problems: TargetProblem[] = [];
  let countedTotal = 0;
  for (const need of needs) {
    const info = found.get(need.name) as TableInfo;
    const shape = shapeProblem(info, need);
    if (shape !== undefined) {
      problems.push(shape);
      continue;
    }
    if (need.rowsMin === 0) continue;
    const isCounted = need.rowsMin <= COUNTED_ROWS_MAX && countedTotal < COUNTED_ROWS_TOTAL_MAX;
    if (isCounted) countedTotal += need.rowsMin;
    const rows = await rowsProblem(connection, info, need, isCounted);
    if (rows !== undefined) problems.push(rows);
  }
  return merged(problems);
}

function missingProblem(missing: readonly string[], wanted: number): TargetProblem {
  const areNumbered = missing.every((name) => /\d$/.test(name));
  const some = missing.length < wanted && areNumbered ? ' Or give fewer --tables.' : '';
  return {
    id: 'tables-missing',
    severity: 'stop',
    is: `${someOf(missing)} ${missing.length === 1 ? 'is' : 'are'} not there.`,
    remedy: `Make the tables first: the same command with prepare in place of run.${some}`,
  };
}

function shapeProblem(info: TableInfo, need: TableNeed): TargetProblem | undefined {
  if (readMark(info.comment) !== undefined) {
    return {
      id: 'table-half-loaded',
      severity: 'stop',
      is: `${info.name} is half loaded: its prepare was cut off.`,
      remedy: 'Give the prepare command again, and it goes on from there.',
    };
  }
  const misfit = misfitOf(info, need.columns);
  if (misfit === undefined) return undefined;
  return {
    id: 'table-misfit',
    severity: 'stop',
    is: `${info.name} ${misfit}: it is not a table of this workload.`,
    remedy: 'Use another database (--mysql-db=NAME), or cleanup with the workload that made it, then prepare.',
  };
}

async function rowsProblem(
  connection: Connection,
  info: TableInfo,
  need: TableNeed,
  isCounted: boolean,
): Promise<TargetProblem | undefined> {
  const { name, rowsMin, size = TABLE_SIZE } = need;
  const key = need.key ?? (need.columns['id'] === undefined ? undefined : 'id');
  const highestKey = key === undefined ? undefined : await highestKeyOf(connection, name, key);
  if (highestKey !== undefined && highestKey < rowsMin)
    return tooFew(name, { rows: highestKey, rowsMin, size, what: `${key === 'id' ? 'ids' : key} up to` });
  const isDoubtful = isCounted || info.rowsEstimate < rowsMin * ESTIMATE_SHARE_MIN;
  // Rows above, of oltp_insert for one, do not fill gaps below.
  const inUse = key === undefined ? '' : ` WHERE ${quoteName(key)} BETWEEN 1 AND ${rowsMin}`;
  const rows = isDoubtful
    ? await readNumber(connection, `SELECT COUNT(*) FROM ${quoteName(name)}${inUse}`)
    : Math.max(info.rowsEstimate, rowsMin);
  if (rows < rowsMin * (1 - GAPS_SHARE_MAX)) return tooFew(name, { rows, rowsMin, size, what: 'rows:' });
  if (rows < rowsMin) return gapsProblem(name, rows, rowsMin);
  const highest = highestKey ?? info.rowsEstimate;
  const isLarger = Math.min(highest, info.rowsEstimate) > rowsMin * MORE_ROWS_FACTOR;
  return isLarger && rowsMin > 1 ? moreRowsProblem(name, { highest, rowsMin, size }) : undefined;
}

async function highestKeyOf(connection: Connection, table: string, key: string): Promise<number> {
  const [row] = await readRows(connection, `SELECT MAX(${quoteName(key)}) FROM ${quoteName(table)}`);
  return Number(asText(row?.[0]) || 0);
}

interface Shortage {
  readonly rows: number;
  readonly rowsMin: number;
  readonly size: TableSize;
  readonly what: string;
}

function tooFew(table: string, { rows, rowsMin, size, what }: Shortage): TargetProblem {
  return {
    id: 'too-few-rows',
    severity: 'stop',
    is: `${table} has too few rows for these options: ${what} ${formatCount(rows)}, where ${formatCount(rowsMin)} are wanted.`,
    remedy: `Give the ${size.option} with which it was prepared; or cleanup, then prepare.`,
  };
}

function gapsProblem(table: string, rows: number, rowsMin: number): TargetProblem {
  return {
    id: 'gaps',
    severity: 'warning',
    is: `${table} has gaps: ${formatCount(rows)} of ${formatCount(rowsMin)} rows are there, so some statements find nothing.`,
    remedy: 'For a clean start: cleanup, then prepare.',
  };
}

interface Surplus {
  readonly highest: number;
  readonly rowsMin: number;
  readonly size: TableSize;
}

function moreRowsProblem(table: string, { highest, rowsMin, size }: Surplus): TargetProblem {
  return {
    id: 'more-rows',
    severity: 'warning',
    is: `${table} has rows up to ${formatCount(highest)}, of which only the first ${formatCount(rowsMin)} will be used.`,
    remedy: `To use them all: ${size.option}=${Math.floor(highest / size.rowsPerUnit)}.`,
  };
}

/** 'sbtest1, sbtest2', or '30 tables, such as sbtest7': enough to find them by. */
function someOf(names: readonly string[]): string {
  if (names.length <= NAMES_SHOWN_MAX) return names.join(', ');
  return `${formatCount(names.length)} tables, such as ${names[0]},`;
}

/** One problem of a kind stands for all: a hundred tables have it all at once, as a rule. */
function merged(problems: readonly TargetProblem[]): TargetProblem[] {
  return [...new Set(problems.map((problem) => problem.id))].map((id) => {
    const alike = problems.filter((problem) => problem.id === id);
    const [first] = alike as [TargetProblem];
    if (alike.length === 1) return first;
    return {
      ...first,
      is: `${first.is} (So ${alike.length === 2 ? 'is one more table' : `are ${formatCount(alike.length - 1)} more tables`}.)`,
    };
  });
}
