/**
 * What was read from the output of other tools: figures, each with the cell that it stands in, so that whoever doubts
 * one can be shown it. What a text does not say is absent here, and never guessed.
 */

/** One number as it is written somewhere. */
export interface Cell {
  /** As written: 'read queries'. */
  readonly label: string;
  /** Of a table with a column for each configuration: 'gp2'. */
  readonly column?: string;
  /** Of the text, from 1. */
  readonly line: number;
  /** The digits as they stand there: '3470.37'. */
  readonly written: string;
  /** In the unit of the quantity. */
  readonly value: number;
  /** What one step of the last written digit is worth, in the same unit. Counts are exact: 0. */
  readonly step: number;
}

/** Units are in the names. Latencies are those of transactions ("events"), or of whatever the tool timed. */
export const QUANTITIES = [
  'reads',
  'writes',
  'others',
  // The total of the kinds, and the count that stands with a rate: in an honest report they are one number.
  'queriesOfKinds',
  'queries',
  'transactions',
  'events',
  'ignoredErrors',
  'reconnects',
  'transactionsPerS',
  'queriesPerS',
  'eventsPerS',
  'ignoredErrorsPerS',
  'reconnectsPerS',
  'newOrdersPerMinute',
  'transactionsPerMinute',
  'elapsedS',
  'threads',
  'queriesPerThread',
  'latencyMinMs',
  'latencyAvgMs',
  'latencyMaxMs',
  'latencySumMs',
  'latencyStddevMs',
  'eventsPerThread',
  'eventsPerThreadStddev',
  'timePerThreadS',
  'timePerThreadStddevS',
  'repeatAvgS',
  'repeatMinS',
  'repeatMaxS',
  'volumeWriteLatencyMs',
  'volumeQueueLength',
] as const;
export type Quantity = (typeof QUANTITIES)[number];
export type Cells = Readonly<Partial<Record<Quantity, Cell>>>;

export const TOOLS = [
  'sysbench',
  'mysqlslap',
  'sql-bench',
  'load.py',
  'HammerDB',
  'go-tpc',
  'BenchBase',
  'pgbench',
] as const;
export type Tool = (typeof TOOLS)[number];

export interface Percentile {
  readonly percentile: number;
  /** Milliseconds. */
  readonly cell: Cell;
}

/** A kind of transaction, or an operation of a suite, where the tool tells them apart. */
export interface MeasuredPart {
  readonly name: string;
  readonly cells: Cells;
  readonly percentiles: readonly Percentile[];
}

/** One line of the progress that a tool prints as it goes. */
export interface ProgressLine {
  readonly line: number;
  readonly endS: number;
  readonly threads?: number;
  readonly transactionsPerS: number;
  readonly readsPerS?: number;
  readonly writesPerS?: number;
  readonly othersPerS?: number;
  readonly latencyAvgMs?: number;
  readonly latencyPercentileMs?: number;
  readonly errorsPerS?: number;
  readonly reconnectsPerS?: number;
}

export interface HistogramLine {
  readonly line: number;
  readonly valueMs: number;
  readonly count: number;
}

/** Everything that one run, or one column of a table, says of itself. */
export interface MeasuredFacts {
  readonly tool: Tool;
  /** 'sysbench 1.0.20' gives '1.0.20'. Absent where the text does not say. */
  readonly toolVersion?: string;
  /** For people: 'Table 6, gp2', or 'lines 24 to 46'. */
  readonly name: string;
  readonly table?: string;
  readonly column?: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly cells: Cells;
  readonly percentiles: readonly Percentile[];
  readonly parts: readonly MeasuredPart[];
  readonly progress: readonly ProgressLine[];
  readonly histogram: readonly HistogramLine[];
  /** What it covers is only the time since the checkpoint before, or until the first one. */
  readonly isBetweenCheckpoints: boolean;
  /** Arrivals by a schedule, and not as soon as the one before is done. */
  readonly isPaced: boolean;
  /** Where the output says which. */
  readonly ratePerS?: number;
  /** The command that stands before it in the text. */
  readonly command?: CommandLine;
  /** What a whole output of this tool has beyond; empty where it is whole. */
  readonly cutOff: readonly string[];
}

/** A command line as it stands in a text, its continued lines joined. */
export interface CommandLine {
  /** 'sysbench', 'tpcc.lua', 'load.py'. */
  readonly program: string;
  /** 'oltp_read_write'; absent where the program is the test. */
  readonly script?: string;
  readonly verb?: string;
  /** By name with underscores: `table_size`. A bare option is ''. */
  readonly options: ReadonlyMap<string, string>;
  /** Words that are neither. */
  readonly words: readonly string[];
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A value of a setting of the server, or of an amount that the text tells of the machine. */
export interface Setting {
  readonly name: string;
  /** As written: '193G'. */
  readonly value: string;
  readonly column?: string;
  readonly line: number;
}

/** A row of a table that ranks things by one figure: 'Xen 4.17, PV-HVM: 51s'. */
export interface Score {
  /** The text cells of the row. */
  readonly labels: readonly string[];
  readonly cell: Cell;
  /** 's' where less is better; absent for a rate. */
  readonly unit: 's' | 'per s';
}

export interface ScoreTable {
  readonly name: string;
  readonly scores: readonly Score[];
}

/** Device or system figures over time, of iostat and vmstat. */
export interface HostLog {
  readonly tool: 'iostat' | 'vmstat';
  readonly firstLine: number;
  /** By device, or 'system'. Rows in the order of the log. */
  readonly rows: readonly HostLogRow[];
}
export interface HostLogRow {
  readonly line: number;
  readonly of: string;
  readonly values: Readonly<Record<string, number>>;
}

/** A text of any kind, with everything in it that could be read. */
export interface ForeignDocument {
  readonly lines: readonly string[];
  readonly measurements: readonly MeasuredFacts[];
  readonly commands: readonly CommandLine[];
  readonly settings: readonly Setting[];
  readonly scoreTables: readonly ScoreTable[];
  readonly hostLogs: readonly HostLog[];
  /** What was passed over, for people. */
  readonly notes: readonly string[];
}

/** All cells that have a unit of their own, by a key that is the same in every column: 'latencyAvgMs', 'p95'. */
export function cellsByKey({ cells, percentiles }: Pick<MeasuredFacts, 'cells' | 'percentiles'>): Map<string, Cell> {
  const byKey = new Map<string, Cell>(Object.entries(cells));
  for (const { percentile, cell } of percentiles) byKey.set(`p${percentile}`, cell);
  return byKey;
}
