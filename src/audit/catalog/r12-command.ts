/** R12: a result is one that the command beside it can have. */
import type { CommandLine, ForeignDocument, MeasuredFacts } from '../../foreign-output/facts.ts';
import { figure } from '../arithmetic.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';
import { elapsedOf, isPaced, mixOf, secondsAsked, threadsAsked } from '../sizes.ts';
import { dataTold, tablesAsked } from '../surroundings.ts';

/** A fixed mix is exact, but for attempts that failed. */
const MIX_WITHIN = 0.01;
/** Less than all of the time that was asked for is another run's. */
const TIME_SHARE_MIN = 0.995;
/** In transactions, on average: threads do a little between them. */
const THREADS_SHARE = { min: 0.7, max: 1.02 };

export default defineRule({
  id: 'R12',
  title: 'the command can have this result: statements, time, threads, tables',
  check: (document) =>
    document.measurements.filter(({ tool }) => tool === 'sysbench').map((facts) => checkOne(facts, document)),
});

function checkOne(facts: MeasuredFacts, document: ForeignDocument): Judged {
  const { command } = facts;
  if (command === undefined) return cannotTell(facts, { is: 'The command is not there.' });
  const steps = [
    ...mixSteps(facts, command),
    ...timeSteps(facts, command),
    ...threadSteps(facts, command),
    ...tableSteps(document, command),
  ];
  const where = linesOf(command);
  if (steps.length === 0) return cannotTell(facts, { is: `The command ${where} says nothing that the result shows.` });
  return ofSteps(facts, steps, {
    passes: `The command ${where} fits the result.`,
    fails: `The command ${where} cannot have had this result.`,
  });
}

function linesOf({ firstLine, lastLine }: CommandLine): string {
  return firstLine === lastLine ? `in line ${firstLine}` : `in lines ${firstLine} to ${lastLine}`;
}

function mixSteps({ cells }: MeasuredFacts, command: CommandLine): Step[] {
  const asked = mixOf(command);
  const { transactions } = cells;
  if (asked === undefined || transactions === undefined || transactions.value === 0) return [];
  const failed = (cells.ignoredErrors?.value ?? 0) / transactions.value;
  const kinds = [
    { name: 'reads', wanted: asked.reads, cell: cells.reads },
    { name: 'writes', wanted: asked.writes, cell: cells.writes },
    { name: 'others', wanted: asked.others, cell: cells.others },
  ];
  return kinds.flatMap(({ name, wanted, cell }) => {
    if (cell === undefined) return [];
    const has = cell.value / transactions.value;
    // A write that finds no row counts as another one, so that only reads are sure to be all there.
    const isLoose = name !== 'reads' && cells.writes !== undefined && cells.others !== undefined && wanted > 0;
    const slack = MIX_WITHIN + failed * Math.max(1, wanted) + (isLoose ? asked.writes : 0);
    const holds = Math.abs(has - wanted) <= slack;
    const line = `the command asks for ${wanted} ${name} a transaction; ${cell.written} / ${transactions.written} = ${figure(has, Number.isInteger(has) ? 0 : 3)}`;
    return [{ holds, line, cells: [cell, transactions] }];
  });
}

function timeSteps(facts: MeasuredFacts, command: CommandLine): Step[] {
  const asked = secondsAsked(command);
  const elapsed = elapsedOf(facts);
  if (asked === undefined || elapsed === undefined || isLimitedByWork(command)) return [];
  const holds = elapsed.range.high >= asked * TIME_SHARE_MIN;
  return [{ holds, line: `the command asks for ${asked} s; it took ${elapsed.how}`, cells: elapsed.cells }];
}

function isLimitedByWork({ options }: CommandLine): boolean {
  return [options.get('events'), options.get('max_requests')].some((value) => Number(value ?? 0) > 0);
}

function threadSteps(facts: MeasuredFacts, command: CommandLine): Step[] {
  const asked = threadsAsked(command);
  if (asked === undefined) return [];
  const { threads, events, eventsPerThread, transactionsPerS, latencyAvgMs } = facts.cells;
  const line = (has: string) => `the command asks for ${asked} threads; ${has}`;
  if (threads !== undefined) {
    return [{ holds: threads.value === asked, line: line(`the output has ${threads.written}`), cells: [threads] }];
  }
  if (events !== undefined && eventsPerThread !== undefined && eventsPerThread.value > 0) {
    const has = events.value / eventsPerThread.value;
    const text = line(`${events.written} / ${eventsPerThread.written} = ${figure(has, 2)}`);
    return [{ holds: Math.round(has) === asked, line: text, cells: [events, eventsPerThread] }];
  }
  if (transactionsPerS === undefined || latencyAvgMs === undefined || isPaced(facts)) return [];
  const busy = (transactionsPerS.value * latencyAvgMs.value) / 1_000;
  const holds = busy >= asked * THREADS_SHARE.min && busy <= asked * THREADS_SHARE.max;
  const text = line(`${figure(busy, 1)} were in transactions on average`);
  return [{ holds, line: text, cells: [transactionsPerS, latencyAvgMs] }];
}

function tableSteps(document: ForeignDocument, command: CommandLine): Step[] {
  const told = dataTold(document);
  if (told === undefined || mixOf(command) === undefined) return [];
  const asked = tablesAsked(command);
  const without = command.options.has('tables') || command.options.has('oltp_tables_count') ? '' : 'without --tables ';
  const line = `${without}the command works on ${asked} table${asked === 1 ? '' : 's'}; line ${told.line} says ${told.value.tables}`;
  return [{ holds: asked === told.value.tables, line, cells: [] }];
}
