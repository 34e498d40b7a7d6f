/** What pgbench prints, and tools that print like it: progress lines, and a list of results at the end. */
import { FactsBuilder } from './builder.ts';
import type { MeasuredFacts, Quantity } from './facts.ts';
import { cellOf, numberAtStart } from './numbers.ts';

const PROGRESS = /^\s*progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+|NaN) ms/;
const BANNER = /^\s*pgbench \((?:PostgreSQL\) )?(\d+(?:\.\d+)*)/;
const RATE_LAG = /^\s*rate limit schedule lag:/;

const LINES: readonly { readonly pattern: RegExp; readonly quantity: Quantity }[] = [
  { pattern: /^\s*(number of clients): (\d+)/, quantity: 'threads' },
  { pattern: /^\s*(number of transactions actually processed): (\d+)/, quantity: 'transactions' },
  { pattern: /^\s*(number of failed transactions): (\d+)/, quantity: 'ignoredErrors' },
  { pattern: /^\s*(latency average) [=:] ([\d.]+) ms/, quantity: 'latencyAvgMs' },
  { pattern: /^\s*(latency stddev) [=:] ([\d.]+) ms/, quantity: 'latencyStddevMs' },
  { pattern: /^\s*(tps) = ([\d.]+) \((?:without initial|excluding) connection/, quantity: 'transactionsPerS' },
];

export function readPgbench(lines: readonly string[]): MeasuredFacts[] {
  const found: MeasuredFacts[] = [];
  let current = new FactsBuilder();
  const close = () => {
    if (current.cells.transactionsPerS !== undefined || current.progress.length > 0) {
      const isWhole = current.cells.transactionsPerS !== undefined;
      found.push(current.facts('pgbench', isWhole ? [] : ['the results: the rate is missing']));
    }
    current = new FactsBuilder();
  };
  for (const [at, text] of lines.entries()) {
    const line = at + 1;
    const version = BANNER.exec(text)?.[1];
    if (version !== undefined) {
      close();
      current.heading.toolVersion = version;
    }
    const progress = PROGRESS.exec(text);
    if (progress !== null) {
      const latency = Number(progress[3]);
      current.touch(line);
      current.progress.push({
        line,
        endS: Number(progress[1]),
        transactionsPerS: Number(progress[2]),
        ...(Number.isNaN(latency) ? {} : { latencyAvgMs: latency }),
      });
    }
    // Its lag is part of the latency, and the schedule's rate is what the command asked for.
    if (RATE_LAG.test(text)) current.heading.isPaced = true;
    for (const { pattern, quantity } of LINES) {
      const [, label, value = ''] = pattern.exec(text) ?? [];
      const number = numberAtStart(value);
      if (label === undefined || number === undefined) continue;
      current.set(quantity, cellOf(number, { label, line }));
      if (quantity === 'transactionsPerS') close();
    }
  }
  close();
  return found;
}
