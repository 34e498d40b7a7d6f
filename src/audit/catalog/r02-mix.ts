/** R2: a script that sends the same statements in every transaction has whole numbers of them. */
import type { MeasuredFacts } from '../../foreign-output/facts.ts';
import { figure } from '../arithmetic.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';
import { hasFixedMix, mixOf } from '../sizes.ts';

/** Off by less, and it is a transaction that was cut off at the end. */
const WHOLE_WITHIN = 0.002;

export default defineRule({
  id: 'R2',
  title: 'the statements of a transaction are whole numbers, the same in every column',
  check: ({ measurements }) =>
    measurements.filter(({ tool }) => tool === 'sysbench').map((facts) => checkOne(facts, measurements)),
});

interface PerTransaction {
  readonly name: string;
  readonly value: number;
  readonly step: Step;
}

function checkOne(facts: MeasuredFacts, all: readonly MeasuredFacts[]): Judged {
  const ratios = ratiosOf(facts);
  if (ratios.length === 0) {
    return cannotTell(facts, { is: 'Queries by kind and transactions are not both there.' });
  }
  const isWhole = ratios.every(({ step }) => step.holds);
  const siblings = all.filter(({ table }) => table !== undefined && table === facts.table);
  const isFixed = hasFixedMix(facts.command) || siblings.some((sibling) => isWholeMix(sibling));
  const lines = ratios.map(({ step }) => step.line);
  if (!isWhole && !isFixed) {
    const why =
      facts.command?.script === undefined
        ? 'which script it was is not said'
        : `${facts.command.script} sends what its dice say`;
    return cannotTell(facts, { is: `The transactions need not be alike: ${why}.`, arithmetic: lines });
  }
  const steps = ratios.map(({ step }) => step);
  return ofSteps(facts, [...steps, ...sameTotals(facts), ...sameAsSiblings(facts, siblings)], {
    passes: 'Every transaction has the same statements.',
    fails: `The statements of a transaction are not ${isWhole ? 'those of its other cells, or of the other columns' : 'whole numbers'}.`,
  });
}

function sameTotals({ cells: { queriesOfKinds, queries } }: MeasuredFacts): Step[] {
  if (queriesOfKinds === undefined || queries === undefined) return [];
  const holds = queriesOfKinds.value === queries.value;
  const line = `${queriesOfKinds.written} queries by kind, ${queries.written} with their rate${holds ? '' : ': not the same'}`;
  return [{ holds, line, cells: [queriesOfKinds, queries] }];
}

function isWholeMix(facts: MeasuredFacts): boolean {
  const ratios = ratiosOf(facts);
  return ratios.length > 0 && ratios.every(({ step }) => step.holds);
}

function ratiosOf({ cells, command }: MeasuredFacts): PerTransaction[] {
  const { transactions } = cells;
  if (transactions === undefined || transactions.value === 0) return [];
  // Statements of failed attempts are counted, those attempts as transactions are not.
  const failed = (cells.ignoredErrors?.value ?? 0) + (cells.reconnects?.value ?? 0);
  const named = [
    { name: 'reads', cell: cells.reads },
    { name: 'writes', cell: cells.writes },
    { name: 'others', cell: cells.others },
    { name: 'queries', cell: cells.queriesOfKinds },
    { name: 'queries', cell: cells.queries?.value === cells.queriesOfKinds?.value ? undefined : cells.queries },
  ];
  return named.flatMap(({ name, cell }) => {
    if (cell === undefined) return [];
    const value = cell.value / transactions.value;
    const asked = mixOf(command);
    const most = Math.max(1, asked === undefined ? Math.ceil(value) : asked.reads + asked.writes + asked.others);
    const whole = Math.round(value - (failed > 0 ? (failed * most) / transactions.value / 2 : 0));
    const slack = WHOLE_WITHIN + (failed * most) / transactions.value;
    const holds = Math.abs(value - whole) <= slack;
    const because = holds && failed > 0 ? `, with ${failed} failed attempts` : '';
    const line = `${cell.written} / ${transactions.written} = ${trimmed(value)} ${name} a transaction${because}`;
    return [{ name, value: whole, step: { holds, line, cells: [cell, transactions] } }];
  });
}

/** `14`, `1.4000`: a whole number needs no decimals. */
function trimmed(value: number): string {
  return Number.isInteger(value) ? String(value) : figure(value, 4);
}

function sameAsSiblings(facts: MeasuredFacts, siblings: readonly MeasuredFacts[]): Step[] {
  const others = siblings.filter((sibling) => sibling !== facts && isWholeMix(sibling));
  const own = ratiosOf(facts).find(({ name }) => name === 'queries');
  const theirs = others.map((sibling) => ratiosOf(sibling).find(({ name }) => name === 'queries')?.value);
  const [first] = theirs;
  if (own === undefined || first === undefined || theirs.some((value) => value !== first)) return [];
  const holds = own.value === first;
  const line = `${first} queries a transaction in the other column${others.length === 1 ? '' : 's'} of ${facts.table}`;
  return [{ holds, line, cells: own.step.cells }];
}
