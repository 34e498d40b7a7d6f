/** Figures of runs that another tool measured: what it did not tell is said to be unknown, and never shown as 0. */
import { type Imported, tells } from '../model/imported.ts';

export const UNKNOWN = 'unknown';

/** `path` is that of the record's field: `totals.retries`. */
export function toldText(run: { readonly imported?: Imported }, path: string, text: () => string): string {
  return tells(run, path) ? text() : UNKNOWN;
}

/** `sysbench 1.0.20`. */
export function toolName({ tool, toolVersion }: Imported): string {
  return toolVersion === undefined ? tool : `${tool} ${toolVersion}`;
}

/** `out.txt, lines 1 to 46`. */
export function sourceName({ source, firstLine, lastLine, column }: Imported): string {
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  return [source, lines, ...(column === undefined ? [] : [`column ${column}`])].join(', ');
}
