/** A run that another tool measured: from where it was taken, and what of its record holds nothing. */

export interface Imported {
  readonly tool: string;
  readonly toolVersion?: string;
  /** The file, as it was named. */
  readonly source: string;
  /** Where in it the result stands. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Of a table that has one for each result. */
  readonly column?: string;
  /** Of these lines and of the command before them, in hex: the same result is kept once. */
  readonly sha256: string;
  /** All that the output says, by names with units; percentiles as `p95` in ms, parts as `new_order.latencyAvgMs`. */
  readonly figures: Readonly<Record<string, number>>;
  /** Paths of the record's fields that hold nothing: what stands there stands for nothing. */
  readonly unknown: readonly string[];
  /** What a whole output of the tool has beyond; empty where it is whole. */
  readonly cutOff: readonly string[];
}

/** Whether the run tells what stands at this path of its record, such as `totals.errors`. Our own runs tell all. */
export function tells({ imported }: { readonly imported?: Imported }, path: string): boolean {
  return imported === undefined || !imported.unknown.some((each) => path === each || path.startsWith(`${each}.`));
}
