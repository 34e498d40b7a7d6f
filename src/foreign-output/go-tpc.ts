/** The summary lines of go-tpc, one for each kind of transaction, and the rate below them. */
import { FactsBuilder } from './builder.ts';
import type { Cell, Cells, MeasuredFacts, Percentile, Quantity } from './facts.ts';
import { cellOf, numberAtStart } from './numbers.ts';

const SUMMARY = /^\s*\[Summary\] ([A-Z_]+(?:_ERR)?) *- (Takes\(s\):.*)$/;
const RATE = /^\s*tpmC:\s*([\d.]+)/;
const FIELD = /(Takes\(s\)|Count|TPM|Sum\(ms\)|Avg\(ms\)|Max\(ms\)|[\d.]+th\(ms\)):\s*([\d.]+)/g;

const QUANTITY_OF: Readonly<Record<string, Quantity>> = {
  'Takes(s)': 'elapsedS',
  Count: 'transactions',
  TPM: 'transactionsPerMinute',
  'Sum(ms)': 'latencySumMs',
  'Avg(ms)': 'latencyAvgMs',
  'Max(ms)': 'latencyMaxMs',
};

export function readGoTpc(lines: readonly string[]): MeasuredFacts[] {
  const found: MeasuredFacts[] = [];
  let current = new FactsBuilder();
  const close = (cutOff: readonly string[]) => {
    if (!current.isEmpty) found.push(current.facts('go-tpc', cutOff));
    current = new FactsBuilder();
  };
  for (const [at, text] of lines.entries()) {
    const line = at + 1;
    const [, name = '', fields] = SUMMARY.exec(text) ?? [];
    if (fields !== undefined) {
      // The same kind again: the summary of another run has begun.
      if (current.parts.some((part) => part.name === name)) close(['the line with tpmC']);
      current.touch(line);
      current.parts.push({ name, ...fieldsOf(fields, { name, line }) });
    }
    const rate = numberAtStart(RATE.exec(text)?.[1] ?? '');
    if (rate === undefined) continue;
    current.set('newOrdersPerMinute', cellOf(rate, { label: 'tpmC', line }));
    close(current.parts.length === 0 ? ['the summary lines'] : []);
  }
  close(['the line with tpmC']);
  return found;
}

function fieldsOf(
  text: string,
  { name, line }: { readonly name: string; readonly line: number },
): { cells: Cells; percentiles: Percentile[] } {
  const cells: Partial<Record<Quantity, Cell>> = {};
  const percentiles: Percentile[] = [];
  for (const [, field = '', value = ''] of text.matchAll(FIELD)) {
    const number = numberAtStart(value);
    if (number === undefined) continue;
    const quantity = QUANTITY_OF[field];
    // Its whole milliseconds are cut, not rounded: up to one is missing.
    const rounded =
      quantity === undefined || quantity.startsWith('latency') ? { ...number, step: number.step || 2 } : number;
    const cell = cellOf(rounded, { label: `${name} ${field}`, line });
    if (quantity === undefined) percentiles.push({ percentile: Number.parseFloat(field), cell });
    else cells[quantity] = cell;
  }
  return { cells, percentiles };
}
