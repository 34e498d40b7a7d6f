/** The result line of HammerDB, of versions 3 to 6. */
import { FactsBuilder } from './builder.ts';
import type { MeasuredFacts } from './facts.ts';
import { cellOf, numberAtStart } from './numbers.ts';

const RESULT = /System achieved (\d[\d,]*) NOPM from (\d[\d,]*) (?:[A-Za-z ]*?)TPM/;
/** Version 3 wrote it the other way round. */
const RESULT_3 = /System achieved (\d[\d,]*) (?:[A-Za-z ]*?)TPM at (\d[\d,]*) NOPM/;
const USERS = /(\d+) (?:Active )?Virtual Users configured/i;

export function readHammerdb(lines: readonly string[]): MeasuredFacts[] {
  const found: MeasuredFacts[] = [];
  let users: { readonly written: string; readonly line: number } | undefined;
  for (const [at, text] of lines.entries()) {
    const line = at + 1;
    const configured = USERS.exec(text)?.[1];
    if (configured !== undefined) users = { written: configured, line };
    const newer = RESULT.exec(text);
    const older = RESULT_3.exec(text);
    const newOrders = numberAtStart(newer?.[1] ?? older?.[2] ?? '');
    const transactions = numberAtStart(newer?.[2] ?? older?.[1] ?? '');
    if (newOrders === undefined || transactions === undefined) continue;
    const builder = new FactsBuilder();
    builder.set('newOrdersPerMinute', cellOf(newOrders, { label: 'NOPM', line }));
    builder.set('transactionsPerMinute', cellOf(transactions, { label: 'TPM', line }));
    const threads = numberAtStart(users?.written ?? '');
    if (threads !== undefined && users !== undefined) {
      builder.set('threads', cellOf(threads, { label: 'virtual users', line: users.line }));
    }
    found.push(builder.facts('HammerDB', []));
    users = undefined;
  }
  return found;
}
