/** Are the tables there, of the right shape, and full enough? */
import { formatCount } from '../base/units.ts';
import type { Connection } from '../wire/types.ts';
import { readMark } from './oltp/journal.ts';
import { asText, quoteName, readNumber, readRows } from './sql.ts';
import { misfitOf, readTables, type TableInfo } from './table-info.ts';
import type { TableNeed, TargetProblem } from './workload.ts';

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
  const some = missing.length < wanted ? ' Or give fewer --tables.' : '';
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
  const { name, rowsMin } = need;
  const highestId = need.columns['id'] === undefined ? undefined : await highestIdOf(connection, name);
  if (highestId !== undefined && highestId < rowsMin)
    return tooFew(name, { rows: highestId, rowsMin, what: 'ids up to' });
  const isDoubtful = isCounted || info.rowsEstimate < rowsMin * ESTIMATE_SHARE_MIN;
  // Rows above, of oltp_insert for one, do not fill gaps below.
  const inUse = highestId === undefined ? '' : ` WHERE id BETWEEN 1 AND ${rowsMin}`;
  const rows = isDoubtful
    ? await readNumber(connection, `SELECT COUNT(*) FROM ${quoteName(name)}${inUse}`)
    : Math.max(info.rowsEstimate, rowsMin);
  if (rows < rowsMin * (1 - GAPS_SHARE_MAX)) return tooFew(name, { rows, rowsMin, what: 'rows:' });
  if (rows < rowsMin) return gapsProblem(name, rows, rowsMin);
  const isLarger = Math.min(highestId ?? info.rowsEstimate, info.rowsEstimate) > rowsMin * MORE_ROWS_FACTOR;
  return isLarger && rowsMin > 1 ? moreRowsProblem(name, highestId ?? info.rowsEstimate, rowsMin) : undefined;
}

async function highestIdOf(connection: Connection, table: string): Promise<number> {
  const [row] = await readRows(connection, `SELECT MAX(id) FROM ${quoteName(table)}`);
  return Number(asText(row?.[0]) || 0);
}

function tooFew(
  table: string,
  { rows, rowsMin, what }: { readonly rows: number; readonly rowsMin: number; readonly what: string },
): TargetProblem {
  return {
    id: 'too-few-rows',
    severity: 'stop',
    is: `${table} has too few rows for these options: ${what} ${formatCount(rows)}, where ${formatCount(rowsMin)} are wanted.`,
    remedy: 'Give the --table-size with which it was prepared; or cleanup, then prepare.',
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

function moreRowsProblem(table: string, highest: number, rowsMin: number): TargetProblem {
  return {
    id: 'more-rows',
    severity: 'warning',
    is: `${table} has rows up to ${formatCount(highest)}, of which only the first ${formatCount(rowsMin)} will be used.`,
    remedy: `To use them all: --table-size=${highest}.`,
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
