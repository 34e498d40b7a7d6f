/**
 * R16: what a text says of its figures follows from them. How much one thing is faster than another cannot be told from
 * one run each: that is said, with what the figures would bear.
 */
import type { Cell, ForeignDocument, MeasuredFacts, Score, ScoreTable } from '../../foreign-output/facts.ts';
import { change, figure, rangeOf } from '../arithmetic.ts';
import { type Claim, readClaims } from '../claims.ts';
import { conditionOf, namedIn } from '../named-scores.ts';
import { cannotTell, defineRule, fails, type Judged, passes } from '../rule.ts';

/** "Two times" may be 1.8 or 2.2, not 1.6. */
const RATIO_WITHIN = 0.1;
/** A sentence speaks of results at most so many lines away. */
const NEAR_LINES = 45;
const ONE_RUN_EACH = 'Each was measured once: how far two runs of the same thing lie apart is not known.';

export default defineRule({
  id: 'R16',
  title: 'what the text claims follows from its figures, and from more than one run of each',
  check: (document) => {
    const seen = new Set<string>();
    return readClaims(document.lines).flatMap((claim) => {
      const judged = judge(claim, document);
      // The same thing said again in other words is judged once.
      const key = judged === undefined ? '' : `${judged.of}${judged.arithmetic.join('')}`;
      if (judged === undefined || seen.has(key)) return [];
      seen.add(key);
      return [judged];
    });
  },
});

function judge(claim: Claim, document: ForeignDocument): Judged | undefined {
  switch (claim.is) {
    case 'ratio':
      return ratioOfScores(claim, document) ?? ratioOfColumns(claim, document);
    case 'superlative':
      return superlative(claim, document);
    case 'bound':
      return bound(claim, document);
    case 'per query':
      return perQuery(claim, document);
    case 'alike':
    case 'changed':
      return comparison(claim, document);
  }
}

function place({ line }: Claim): string {
  return `line ${line}`;
}

type Ratio = Extract<Claim, { is: 'ratio' }>;

function ratioOfScores(claim: Ratio, { scoreTables }: ForeignDocument): Judged | undefined {
  for (const table of scoreTables) {
    const [subject] = namedIn(claim.subject, table, 1);
    const [object] = namedIn(claim.object, table, 1);
    const one = subject?.scores[0]?.cell;
    const other = object?.scores[0]?.cell;
    if (one === undefined || other === undefined || one === other) continue;
    return ratio(claim, one, other);
  }
  return undefined;
}

function ratio(claim: Ratio, one: Cell, other: Cell): Judged {
  const [large, small] = one.value >= other.value ? [one, other] : [other, one];
  const low = rangeOf(large).low / rangeOf(small).high;
  const high = rangeOf(large).high / rangeOf(small).low;
  const rounding = high - low > 0.01 ? ` (${figure(low)} to ${figure(high)}, as they are rounded)` : '';
  const is = `'${claim.quote}'`;
  const reckoned = `${large.written} / ${small.written} = ${figure(large.value / small.value)}${rounding}`;
  const holds = low <= claim.factor * (1 + RATIO_WITHIN) && high >= claim.factor * (1 - RATIO_WITHIN);
  const cells = [one, other];
  return holds
    ? passes(place(claim), {
        is: `${is} is what the figures give.`,
        arithmetic: [`${reckoned}, and it says ${claim.factor}`],
        cells,
      })
    : fails(place(claim), {
        is: `${is} is not what the figures give.`,
        arithmetic: [`${reckoned}, not ${claim.factor}`],
        cells,
      });
}

function ratioOfColumns(claim: Ratio, document: ForeignDocument): Judged | undefined {
  const tables = new Map<string, MeasuredFacts[]>();
  for (const facts of document.measurements) {
    if (facts.table === undefined || !isNear(claim, facts)) continue;
    tables.set(facts.table, [...(tables.get(facts.table) ?? []), facts]);
  }
  const words = claim.sentence.toLowerCase();
  for (const columns of tables.values()) {
    const [one, other] = columns;
    if (one === undefined || other === undefined || columns.length !== 2) continue;
    if (!columns.some(({ column = '' }) => column !== '' && words.includes(column.toLowerCase()))) continue;
    const { transactionsPerS: first } = one.cells;
    const { transactionsPerS: second } = other.cells;
    if (first !== undefined && second !== undefined) return ratio(claim, first, second);
  }
  return undefined;
}

function isNear({ line }: Claim, { firstLine, lastLine }: MeasuredFacts): boolean {
  return Math.min(Math.abs(firstLine - line), Math.abs(lastLine - line)) <= NEAR_LINES;
}

type Superlative = Extract<Claim, { is: 'superlative' }>;

function superlative(claim: Superlative, { scoreTables }: ForeignDocument): Judged | undefined {
  const [table] = scoreTables;
  if (table === undefined) return undefined;
  if (claim.seconds !== undefined) return extreme(claim, claim.seconds, table);
  // A name is that of all rows of one thing; the sentence ranks what it names.
  const named = namedIn(claim.sentence, table, 3);
  const meant = named.findLast(({ at }) => at < claim.subject.length)?.scores;
  const subjects = meant === undefined ? [] : rowsLike(meant, table);
  const rivals = named.flatMap(({ scores }) => rowsLike(scores, table)).filter((score) => !subjects.includes(score));
  if (subjects.length === 0 || rivals.length === 0) return undefined;
  const lines: { readonly holds: boolean; readonly text: string; readonly cells: readonly Cell[] }[] = [];
  for (const subject of subjects) {
    const condition = conditionOf(subject);
    for (const rival of new Set(rivals)) {
      if (conditionOf(rival) !== condition) continue;
      const holds = claim.isBest ? subject.cell.value <= rival.cell.value : subject.cell.value >= rival.cell.value;
      const text = `${condition}: ${subject.cell.written} s (line ${subject.cell.line}) against ${rival.cell.written} s (line ${rival.cell.line})`;
      lines.push({ holds, text, cells: [subject.cell, rival.cell] });
    }
  }
  if (lines.length === 0) return undefined;
  const arithmetic = lines.map(({ text }) => text);
  const cells = lines.flatMap((line) => line.cells);
  if (lines.every(({ holds }) => holds)) {
    const is = `The figures are in this order ('${claim.quote}'). ${ONE_RUN_EACH}`;
    return cannotTell(place(claim), { is, arithmetic, cells });
  }
  return fails(place(claim), { is: `'${claim.quote}' does not hold in every row.`, arithmetic, cells });
}

/** All rows with the same first label as these. */
function rowsLike(scores: readonly Score[], { scores: all }: ScoreTable): Score[] {
  const names = new Set(scores.map(({ labels }) => labels[0]));
  return all.filter(({ labels }) => names.has(labels[0]));
}

function extreme(claim: Superlative, seconds: number, { scores }: ScoreTable): Judged | undefined {
  const values = scores.map(({ cell }) => cell.value);
  const most = claim.isBest ? Math.min(...values) : Math.max(...values);
  const cell = scores.find(({ cell: candidate }) => candidate.value === seconds)?.cell;
  const extremeCell = scores.find(({ cell: candidate }) => candidate.value === most)?.cell;
  if (cell === undefined) return undefined;
  const arithmetic = [`${claim.isBest ? 'the least' : 'the most'} of ${values.length} rows is ${most} s`];
  const cells = [cell, extremeCell];
  return most === seconds
    ? passes(place(claim), {
        is: `'${claim.quote}' (${seconds} s) is the row that it is said to be.`,
        arithmetic,
        cells,
      })
    : fails(place(claim), { is: `'${claim.quote}' (${seconds} s) is not.`, arithmetic, cells });
}

/** The result that a sentence after it speaks of. */
function before({ line }: Claim, { measurements }: ForeignDocument): MeasuredFacts | undefined {
  return measurements.findLast(({ lastLine }) => lastLine < line && line - lastLine <= NEAR_LINES);
}

function bound(claim: Extract<Claim, { is: 'bound' }>, document: ForeignDocument): Judged | undefined {
  const cell = before(claim, document)?.percentiles.find(({ percentile }) => percentile === claim.percentile)?.cell;
  if (cell === undefined) return undefined;
  const arithmetic = [`the ${claim.percentile}th percentile is ${cell.written} ms (line ${cell.line})`];
  return rangeOf(cell).low < claim.ms
    ? passes(place(claim), { is: `'${claim.quote}' holds.`, arithmetic, cells: [cell] })
    : fails(place(claim), { is: `'${claim.quote}' does not hold.`, arithmetic, cells: [cell] });
}

function perQuery(claim: Extract<Claim, { is: 'per query' }>, document: ForeignDocument): Judged | undefined {
  const { latencyAvgMs, queries, transactions } = before(claim, document)?.cells ?? {};
  if (latencyAvgMs === undefined || queries === undefined || transactions === undefined) return undefined;
  const each = queries.value / transactions.value;
  if (Math.abs(latencyAvgMs.value - claim.ms) > 1 || each <= 1) return undefined;
  const arithmetic = [
    `${latencyAvgMs.written} ms is the average of a transaction of ${figure(each, 0)} queries: ${figure(latencyAvgMs.value / each)} ms each`,
  ];
  return fails(place(claim), {
    is: `'${claim.quote}' is the time of a transaction, not of a query.`,
    arithmetic,
    cells: [latencyAvgMs, queries, transactions],
  });
}

function comparison(claim: Claim, document: ForeignDocument): Judged | undefined {
  const rows = claim.is === 'alike' ? columnsNear(claim, document) : [];
  if (rows.length > 2) return spread(claim, rows);
  const near = document.measurements.filter(({ lastLine, table }) => table === undefined && lastLine < claim.line);
  const [one, other] = near.slice(-2);
  if (one === undefined || other === undefined || !isNear(claim, other) || one.tool !== other.tool) return undefined;
  if (one.command?.script !== other.command?.script) return undefined;
  const key = one.cells.transactionsPerS === undefined ? 'queriesPerS' : 'transactionsPerS';
  const [from, to] = [one.cells[key], other.cells[key]];
  if (from === undefined || to === undefined) return undefined;
  const arithmetic = [
    `${from.written} (line ${from.line}) to ${to.written} (line ${to.line}): ${change(from.value, to.value)}`,
    ...byChance(one, other),
  ];
  return cannotTell(place(claim), {
    is: `'${claim.quote}' is undecided. ${ONE_RUN_EACH}`,
    arithmetic,
    cells: [from, to],
  });
}

function columnsNear(claim: Claim, { measurements }: ForeignDocument): MeasuredFacts[] {
  const next = measurements.find(
    ({ firstLine, table }) => table !== undefined && firstLine > claim.line && firstLine - claim.line <= NEAR_LINES,
  );
  return next === undefined ? [] : measurements.filter(({ table }) => table === next.table);
}

function spread(claim: Claim, columns: readonly MeasuredFacts[]): Judged | undefined {
  const rates = columns.map(({ cells }) => cells.transactionsPerS).filter((cell) => cell !== undefined);
  const [least] = [...rates].sort((one, other) => one.value - other.value);
  const most = [...rates].sort((one, other) => other.value - one.value)[0];
  if (least === undefined || most === undefined || rates.length < 2) return undefined;
  const arithmetic = [
    `${least.written} (${least.column ?? `line ${least.line}`}) to ${most.written} (${most.column ?? `line ${most.line}`}): ${change(least.value, most.value)}`,
  ];
  return cannotTell(place(claim), {
    is: `'${claim.quote}' is undecided. ${ONE_RUN_EACH}`,
    arithmetic,
    cells: [least, most],
  });
}

/** Were chance nothing but counting, which is the least that it can be: 95 % of the ratio of two counts. */
function byChance({ cells: one }: MeasuredFacts, { cells: other }: MeasuredFacts): string[] {
  if (one.transactions === undefined || other.transactions === undefined || one.transactionsPerS === undefined)
    return [];
  const [n, m] = [one.transactions.value, other.transactions.value];
  if (n === 0 || m === 0 || other.transactionsPerS === undefined) return [];
  const ratio = other.transactionsPerS.value / one.transactionsPerS.value;
  const factor = Math.exp(1.96 * Math.sqrt(1 / n + 1 / m));
  return [
    `if transactions came at random and nothing else varied: ${change(1, ratio / factor)} to ${change(1, ratio * factor)} (95 %)`,
  ];
}
