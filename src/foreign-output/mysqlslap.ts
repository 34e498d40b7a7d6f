/** What mysqlslap and mariadb-slap print: blocks of text, or lines of CSV without a heading. */
import { FactsBuilder } from './builder.ts';
import type { MeasuredFacts, Quantity } from './facts.ts';
import { cellOf, numberAtStart } from './numbers.ts';

const LINES: readonly { readonly pattern: RegExp; readonly quantity: Quantity }[] = [
  { pattern: /^\s*(Average number of seconds to run all queries):\s*(\S+)/, quantity: 'repeatAvgS' },
  { pattern: /^\s*(Minimum number of seconds to run all queries):\s*(\S+)/, quantity: 'repeatMinS' },
  { pattern: /^\s*(Maximum number of seconds to run all queries):\s*(\S+)/, quantity: 'repeatMaxS' },
  { pattern: /^\s*(Number of clients running queries):\s*(\S+)/, quantity: 'threads' },
  { pattern: /^\s*(Average number of queries per client):\s*(\S+)/, quantity: 'queriesPerThread' },
];
/** Engine, kind of load, average, minimum, maximum, clients, queries of each. */
const CSV = /^([\w:]*),(mixed|update|write|key|read|[\w-]+),(\d+\.\d{3}),(\d+\.\d{3}),(\d+\.\d{3}),(\d+),(\d+)\s*$/;
const CSV_QUANTITIES: readonly Quantity[] = ['repeatAvgS', 'repeatMinS', 'repeatMaxS', 'threads', 'queriesPerThread'];
const CSV_LABELS = ['average', 'minimum', 'maximum', 'clients', 'queries per client'];

export function readMysqlslap(lines: readonly string[]): MeasuredFacts[] {
  const found: MeasuredFacts[] = [];
  let current = new FactsBuilder();
  const close = () => {
    if (!current.isEmpty) found.push(current.facts('mysqlslap', cutOffOf(current)));
    current = new FactsBuilder();
  };
  for (const [at, text] of lines.entries()) {
    const line = at + 1;
    if (/^\s*Benchmark\s*$/.test(text)) close();
    const csv = CSV.exec(text);
    if (csv !== null) {
      close();
      for (const [column, quantity] of CSV_QUANTITIES.entries()) {
        const number = numberAtStart(csv[column + 3] ?? '');
        if (number !== undefined) current.set(quantity, cellOf(number, { label: CSV_LABELS[column] ?? '', line }));
      }
      close();
      continue;
    }
    for (const { pattern, quantity } of LINES) {
      const [, label, value = ''] = pattern.exec(text) ?? [];
      const number = label === undefined ? undefined : numberAtStart(value);
      if (label === undefined || number === undefined) continue;
      if (quantity === 'repeatAvgS') close();
      current.set(quantity, cellOf(number, { label, line }));
    }
  }
  close();
  return found;
}

function cutOffOf({ cells }: FactsBuilder): string[] {
  return LINES.filter(({ quantity }) => cells[quantity] === undefined).map(
    ({ quantity }) => `the line with ${quantity === 'threads' ? 'the clients' : quantity}`,
  );
}
