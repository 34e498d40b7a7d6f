/** R1: parts of a whole add up to it. */
import type { Cell, MeasuredFacts } from '../../foreign-output/facts.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';

export default defineRule({
  id: 'R1',
  title: 'reads + writes + others = queries; the parts of a whole add up to it',
  check: ({ measurements }) => measurements.flatMap(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged[] {
  const steps = [...kinds(facts), ...events(facts), ...histogram(facts), ...operations(facts)];
  if (steps.length === 0) {
    return facts.tool === 'sysbench'
      ? [cannotTell(facts, { is: 'The queries are not told by kind, with their total.' })]
      : [];
  }
  return [ofSteps(facts, steps, { passes: 'The parts add up.', fails: 'The parts do not add up to the whole.' })];
}

function kinds({ cells: { reads, writes, others, queriesOfKinds: queries } }: MeasuredFacts): Step[] {
  if (reads === undefined || writes === undefined || others === undefined || queries === undefined) return [];
  const sum = reads.value + writes.value + others.value;
  return [step([reads, writes, others], { sum, stated: queries })];
}

function events({ tool, cells: { transactions, events } }: MeasuredFacts): Step[] {
  if (tool !== 'sysbench' || transactions === undefined || events === undefined) return [];
  const holds = transactions.value === events.value;
  const line = `${transactions.written} transactions, ${events.written} events`;
  return [
    {
      holds,
      line: holds ? `${line}: the same` : `${line}: each event is a transaction`,
      cells: [transactions, events],
    },
  ];
}

function histogram({ histogram, cells: { events }, isBetweenCheckpoints }: MeasuredFacts): Step[] {
  if (histogram.length === 0 || events === undefined || isBetweenCheckpoints) return [];
  const sum = histogram.reduce((total, { count }) => total + count, 0);
  const line = `the ${histogram.length} lines of the histogram count ${sum} events`;
  return [{ holds: sum === events.value, line: `${line}${verdict(sum, events)}`, cells: [events] }];
}

/** Of sql-bench: whole seconds, so that each part may be off by half of one; what is between the parts adds to them. */
function operations({ tool, parts, cells: { elapsedS } }: MeasuredFacts): Step[] {
  const seconds = parts.map(({ cells }) => cells.elapsedS).filter((cell) => cell !== undefined);
  if (tool !== 'sql-bench' || elapsedS === undefined || seconds.length === 0) return [];
  const sum = seconds.reduce((total, { value }) => total + value, 0);
  const slack = (seconds.length + 1) / 2;
  const holds = sum <= elapsedS.value + slack;
  const line = `${seconds.length} parts take ${sum} s, each rounded to a second; the total is ${elapsedS.written} s`;
  return [{ holds, line, cells: [...seconds, elapsedS] }];
}

function step(parts: readonly Cell[], { sum, stated }: { readonly sum: number; readonly stated: Cell }): Step {
  const written = parts.map((part) => part.written).join(' + ');
  return { holds: sum === stated.value, line: `${written} = ${sum}${verdict(sum, stated)}`, cells: [...parts, stated] };
}

function verdict(sum: number, stated: Cell): string {
  return sum === stated.value ? ', as stated' : `, and it says ${stated.written}`;
}
