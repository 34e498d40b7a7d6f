/** What a run's own figures and its command say of its size: sessions, seconds, statements of a transaction. */
import type { Cell, CommandLine, MeasuredFacts } from '../foreign-output/facts.ts';
import { exactly, middle, over, type Range, rangeOf } from './arithmetic.ts';

export interface Threads {
  readonly value: number;
  /** 'of the output', for the line of reckoning. */
  readonly from: 'the output' | 'the command' | 'the fairness lines';
  readonly cell?: Cell;
}

export function threadsOf({ cells, command }: MeasuredFacts): Threads | undefined {
  if (cells.threads !== undefined) return { value: cells.threads.value, from: 'the output', cell: cells.threads };
  const asked = threadsAsked(command);
  if (asked !== undefined) return { value: asked, from: 'the command' };
  const { events, eventsPerThread } = cells;
  if (events === undefined || eventsPerThread === undefined || eventsPerThread.value === 0) return undefined;
  return { value: Math.round(events.value / eventsPerThread.value), from: 'the fairness lines', cell: eventsPerThread };
}

export function threadsAsked(command: CommandLine | undefined): number | undefined {
  if (command === undefined) return undefined;
  if (command.program === 'load.py') return numberOf(command.words[2]);
  return optionNumber(command, ['threads', 'num_threads', 'c', 'concurrency']);
}

/** Seconds that the command asks for; 0 (no limit) is undefined. */
export function secondsAsked(command: CommandLine | undefined): number | undefined {
  const seconds = command === undefined ? undefined : optionNumber(command, ['time', 'max_time', 'T']);
  return seconds === 0 ? undefined : seconds;
}

export function isPaced({ isPaced: saysSo, command }: MeasuredFacts): boolean {
  const asked = command === undefined ? undefined : optionNumber(command, ['rate', 'tx_rate', 'R']);
  return saysSo || (asked !== undefined && asked > 0);
}

export function optionNumber(command: CommandLine, names: readonly string[]): number | undefined {
  const name = names.find((candidate) => command.options.has(candidate));
  return name === undefined ? undefined : numberOf(command.options.get(name));
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

export interface Elapsed {
  readonly range: Range;
  readonly how: string;
  readonly cells: readonly (Cell | undefined)[];
}

/** As the output says, else from a count and its rate. */
export function elapsedOf({ cells, isBetweenCheckpoints }: MeasuredFacts): Elapsed | undefined {
  const { elapsedS, transactions, transactionsPerS } = cells;
  if (elapsedS !== undefined && !isBetweenCheckpoints) {
    return { range: rangeOf(elapsedS), how: `${elapsedS.written} s`, cells: [elapsedS] };
  }
  if (transactions === undefined || transactionsPerS === undefined || transactionsPerS.value === 0) return undefined;
  const range = over(exactly(transactions.value), rangeOf(transactionsPerS));
  const seconds = (transactions.value / transactionsPerS.value).toFixed(2);
  return {
    range,
    how: `${transactions.written} / ${transactionsPerS.written} = ${seconds} s`,
    cells: [transactions, transactionsPerS],
  };
}

/** As it took, else as it was asked for. */
export function secondsOf(facts: MeasuredFacts): number | undefined {
  const elapsed = elapsedOf(facts);
  return elapsed === undefined ? secondsAsked(facts.command) : middle(elapsed.range);
}

export interface Mix {
  readonly reads: number;
  readonly writes: number;
  readonly others: number;
}

/** Statements of a transaction of sysbench's scripts, by the options; undefined for scripts without a fixed mix. */
export function mixOf(command: CommandLine | undefined): Mix | undefined {
  if (command?.script === undefined) return undefined;
  const option = (name: string, preset: number) =>
    optionNumber(command, [name, `oltp_${name}`, `oltp_${name.replace(/selects$/, 'select')}`]) ?? preset;
  const isOn = (name: string, preset: boolean) => {
    const value = command.options.get(name) ?? command.options.get(`oltp_${name}`);
    return value === undefined ? preset : value === '' || /^(?:on|true|1|yes)$/i.test(value);
  };
  const ranges = isOn('range_selects', true)
    ? option('simple_ranges', 1) + option('sum_ranges', 1) + option('order_ranges', 1) + option('distinct_ranges', 1)
    : 0;
  const reads = option('point_selects', 10) + ranges;
  const writes = option('index_updates', 1) + option('non_index_updates', 1) + 2 * option('delete_inserts', 1);
  const others = isOn('skip_trx', false) ? 0 : 2;
  const script = command.script === 'oltp' && isOn('read_only', false) ? 'oltp_read_only' : command.script;
  switch (script) {
    case 'oltp':
    case 'oltp_read_write':
      return { reads, writes, others };
    case 'oltp_read_only':
      return { reads, writes: 0, others };
    case 'oltp_write_only':
      return { reads: 0, writes, others };
    case 'oltp_point_select':
    case 'select_random_points':
    case 'select_random_ranges':
      return { reads: 1, writes: 0, others: 0 };
    default:
      return undefined;
  }
}

export function hasFixedMix(command: CommandLine | undefined): boolean {
  return mixOf(command) !== undefined;
}

/** Statements that each connection of sysbench's scripts prepares, for a number of tables. */
export function preparedPerConnection(command: CommandLine, tables: number): number | undefined {
  if (/^(?:disable|off)$/.test(command.options.get('db_ps_mode') ?? '')) return 0;
  switch (command.script) {
    case 'oltp_read_write':
      return 9 * tables + 2;
    case 'oltp_read_only':
      return 5 * tables + 2;
    case 'oltp_write_only':
      return 4 * tables + 2;
    default:
      return undefined;
  }
}
