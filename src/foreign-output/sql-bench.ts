/** sql-bench: what a single test such as test-ATIS prints, and the RUN files that sum up many. */
import { FactsBuilder } from './builder.ts';
import type { Cells, MeasuredFacts } from './facts.ts';
import { cellOf, numberAtStart } from './numbers.ts';

/** `Time for insert (9768):  4 wallclock secs ( 0.45 usr  0.21 sys + ...`; Estimated where a part was cut short. */
const PART = /^\s*(?:Estimated t|T)ime (?:for|to) ([\w-]+)\s*\((\d[\d:]*)\):?\s+(\d+(?:\.\d+)?) wallclock secs/;
const TOTAL = /^\s*(?:Estimated t|T)otal time:\s+(\d+(?:\.\d+)?) wallclock secs/;
/** `insert    4.00    0.45    0.21    0.66    9768` of a RUN file; + is estimated, ? is a wrong result. */
const OPERATION = /^([a-z][\w-]*)\s+(\d+\.\d\d)\s+(\d+\.\d\d)\s+(\d+\.\d\d)\s+(\d+\.\d\d)\s+(\d+)\s*[+?]*\s*$/;
const TOTALS = /^TOTALS\s+(\d+\.\d\d)\s+(\d+\.\d\d)\s+(\d+\.\d\d)\s+(\d+\.\d\d)\s+(\d+)\s*[+?]*\s*$/;

export function readSqlBench(lines: readonly string[]): MeasuredFacts[] {
  const found: MeasuredFacts[] = [];
  let current = new FactsBuilder();
  const close = (cutOff: readonly string[]) => {
    if (!current.isEmpty) found.push(current.facts('sql-bench', cutOff));
    current = new FactsBuilder();
  };
  for (const [at, text] of lines.entries()) {
    const line = at + 1;
    const part = PART.exec(text) ?? undefined;
    const operation = OPERATION.exec(text) ?? undefined;
    if (part !== undefined) addPart(current, { name: part[1], count: part[2], seconds: part[3], line });
    else if (operation !== undefined) {
      addPart(current, { name: operation[1], count: operation[6], seconds: operation[2], line });
    }
    const total = TOTAL.exec(text)?.[1] ?? TOTALS.exec(text)?.[1];
    const number = numberAtStart(total ?? '');
    if (number === undefined) continue;
    // Perl's clock has whole seconds here, also where two zeros are printed behind them.
    current.set('elapsedS', cellOf({ ...number, step: 1 }, { label: 'Total time', line }));
    close([]);
  }
  close(['the line with the total time']);
  return found;
}

interface Part {
  readonly name: string | undefined;
  readonly count: string | undefined;
  readonly seconds: string | undefined;
  readonly line: number;
}

function addPart(builder: FactsBuilder, { name = '', count = '', seconds = '', line }: Part): void {
  const elapsed = numberAtStart(seconds);
  // `(28:9768)` counts rows behind the colon.
  const queries = numberAtStart(count.split(':').at(-1) ?? '');
  if (elapsed === undefined) return;
  const cells: Cells = {
    elapsedS: cellOf({ ...elapsed, step: 1 }, { label: name, line }),
    ...(queries === undefined ? {} : { queries: cellOf(queries, { label: `${name}, count`, line }) }),
  };
  builder.touch(line);
  builder.parts.push({ name, cells, percentiles: [] });
}
