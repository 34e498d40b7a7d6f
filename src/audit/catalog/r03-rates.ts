/** R3: every count, divided by its rate, gives the same time, and that is the elapsed one. */
import type { Cell, CommandLine, MeasuredFacts, MeasuredPart } from '../../foreign-output/facts.ts';
import { exactly, figure, middle, over, overlap, type Range, rangeOf, widened } from '../arithmetic.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';

/** Rates are made a moment after the total time is taken. */
const CLOCKS_APART = { share: 0.001, amount: 0.02 };
/** Two rates of one line are made by one clock. */
const SAME_CLOCK = { share: 1e-6 };
const MINUTE_S = 60;

export default defineRule({
  id: 'R3',
  title: 'transactions / their rate = queries / their rate = the elapsed time',
  check: ({ measurements }) => measurements.flatMap(checkOne),
});

interface Duration {
  readonly range: Range;
  readonly line: string;
  readonly cells: readonly (Cell | undefined)[];
}

function checkOne(facts: MeasuredFacts): Judged[] {
  const steps = [...(facts.parts.length > 0 ? facts.parts.flatMap(stepsOfPart) : stepsOf(facts)), ...newOrders(facts)];
  if (steps.length > 0) {
    return [
      ofSteps(facts, steps, {
        passes: 'Counts, rates and the time agree.',
        fails: 'Counts and rates belong to different lengths of time.',
      }),
    ];
  }
  if (facts.tool === 'mysqlslap' || facts.tool === 'sql-bench' || facts.tool === 'HammerDB') return [];
  return [cannotTell(facts, { is: 'There are not two ways to the elapsed time in it.' })];
}

function stepsOf(facts: MeasuredFacts): Step[] {
  const { cells, isBetweenCheckpoints, command } = facts;
  const byRate = [
    duration(cells.transactions, cells.transactionsPerS),
    duration(cells.queries, cells.queriesPerS) ??
      (facts.tool === 'load.py' ? ofLoadPy(cells.queriesPerS, command) : undefined),
    duration(cells.events, cells.eventsPerS),
  ].filter((found) => found !== undefined);
  const [first, ...others] = byRate;
  if (first === undefined) return [];
  const steps = others.map((other) => compared(first, other, SAME_CLOCK));
  const { elapsedS } = cells;
  if (elapsedS !== undefined && !isBetweenCheckpoints) {
    const stated = { range: rangeOf(elapsedS), line: `it says ${elapsedS.written} s`, cells: [elapsedS] };
    steps.push(compared(first, stated, CLOCKS_APART));
  }
  return steps;
}

function stepsOfPart({ cells }: MeasuredPart): Step[] {
  const { transactions, transactionsPerMinute, elapsedS } = cells;
  if (transactions === undefined || transactionsPerMinute === undefined || elapsedS === undefined) return [];
  const perS = { ...rangeOf(transactionsPerMinute) };
  const range = over(exactly(transactions.value * MINUTE_S), perS);
  const counted = {
    range,
    line: `${transactions.written} / ${transactionsPerMinute.written} a minute = ${figure(middle(range), 1)} s`,
    cells: [transactions, transactionsPerMinute],
  };
  const stated = { range: rangeOf(elapsedS), line: `it says ${elapsedS.written} s`, cells: [elapsedS] };
  return [compared(counted, stated, CLOCKS_APART)];
}

/** Of go-tpc: what it calls its result is one of the lines above it. */
function newOrders({ parts, cells: { newOrdersPerMinute } }: MeasuredFacts): Step[] {
  const rate = parts.find(({ name }) => name === 'NEW_ORDER')?.cells.transactionsPerMinute;
  if (rate === undefined || newOrdersPerMinute === undefined) return [];
  const holds = overlap(rangeOf(rate), rangeOf(newOrdersPerMinute));
  const line = `${rate.written} new orders a minute, and the result says ${newOrdersPerMinute.written}`;
  return [{ holds, line, cells: [rate, newOrdersPerMinute] }];
}

function duration(counted: Cell | undefined, rate: Cell | undefined): Duration | undefined {
  if (counted === undefined || rate === undefined || counted.value === 0 || rate.value === 0) return undefined;
  const range = over(exactly(counted.value), rangeOf(rate));
  const decimals = middle(range) < 1_000 ? 3 : 2;
  const line = `${counted.written} / ${rate.written} = ${figure(counted.value / rate.value, decimals)} s`;
  return { range, line, cells: [counted, rate] };
}

/** QUERIES x THREADS of its command are all that is counted. */
function ofLoadPy(rate: Cell | undefined, command: CommandLine | undefined): Duration | undefined {
  const [, queries = '', threads = ''] = command?.words ?? [];
  const total = Number(queries) * Number(threads);
  if (rate === undefined || !(total > 0) || rate.value === 0) return undefined;
  const line = `${queries} x ${threads} / ${rate.written} = ${figure(total / rate.value, 3)} s`;
  return { range: over(exactly(total), rangeOf(rate)), line, cells: [rate] };
}

function compared(one: Duration, other: Duration, slack: { readonly share: number; readonly amount?: number }): Step {
  const holds = overlap(widened(one.range, slack), other.range);
  const line = `${one.line}; ${other.line}${holds ? '' : ': not the same time'}`;
  return { holds, line, cells: [...one.cells, ...other.cells] };
}
