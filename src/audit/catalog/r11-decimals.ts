/** R11: a figure has the decimals with which its tool prints it. Others were typed, or went through a spreadsheet. */
import type { Cell, MeasuredFacts } from '../../foreign-output/facts.ts';
import { decimalsOf } from '../../foreign-output/numbers.ts';
import { defineRule, fails, type Judged, passes } from '../rule.ts';

interface Format {
  readonly label: RegExp;
  readonly decimals: number;
}

/** The first that fits a label counts. */
const SYSBENCH: readonly Format[] = [
  { label: /per second$|^events per second/i, decimals: 2 },
  { label: /stddev$/i, decimals: 2 },
  { label: /^(?:total time|time elapsed|events\/s)/i, decimals: 4 },
  { label: /\(avg\/stddev\)/i, decimals: 4 },
  { label: /^(?:min|avg|max|sum)$|percentile$/i, decimals: 2 },
  { label: /^(?:read|write|other|total)(?: queries)?$|^(?:transactions|queries|reconnects|deadlocks)$/i, decimals: 0 },
  { label: /^(?:ignored errors|total number of events)$/i, decimals: 0 },
];
const MYSQLSLAP: readonly Format[] = [
  { label: /seconds to run all queries$/, decimals: 3 },
  { label: /^(?:average|minimum|maximum)$/, decimals: 3 },
];

export default defineRule({
  id: 'R11',
  title: 'a figure has the decimals with which its tool prints it',
  check: ({ measurements }) => measurements.flatMap(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged[] {
  const formats = facts.tool === 'sysbench' ? SYSBENCH : facts.tool === 'mysqlslap' ? MYSQLSLAP : [];
  const known = [...Object.values(facts.cells), ...facts.percentiles.map(({ cell }) => cell)].flatMap((cell) => {
    const decimals = formats.find(({ label }) => label.test(cell.label))?.decimals;
    return decimals === undefined ? [] : [{ cell, decimals }];
  });
  if (known.length === 0) return [];
  const odd = known.filter(({ cell, decimals }) => decimalsOf(cell.written) !== decimals);
  if (odd.length === 0) {
    return [passes(facts, { is: `All ${known.length} figures have the decimals that ${facts.tool} prints.` })];
  }
  const arithmetic = odd.map(({ cell, decimals }) => lineOf(cell, decimals, facts.tool));
  const is = `Of ${known.length} figures, ${odd.length} cannot have been copied from the output as it was.`;
  return [fails(facts, { is, arithmetic, cells: odd.map(({ cell }) => cell) })];
}

function lineOf({ written, label }: Cell, decimals: number, tool: string): string {
  const has = decimalsOf(written);
  return `${written} (${label}) has ${has === 0 ? 'no' : has} decimal${has === 1 ? '' : 's'}; ${tool} prints ${decimals === 0 ? 'none' : decimals}`;
}
