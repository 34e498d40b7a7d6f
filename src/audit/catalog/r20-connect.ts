/** R20: statements that only set up a session are not counted as load. sysbench-tpcc sends some when it connects. */
import type { MeasuredFacts } from '../../foreign-output/facts.ts';
import { figure } from '../arithmetic.ts';
import { cannotTell, defineRule, fails, type Judged, passes } from '../rule.ts';
import { threadsOf } from '../sizes.ts';

/** BEGIN and COMMIT. */
const OTHERS_PER_TRANSACTION = 2;

export default defineRule({
  id: 'R20',
  title: 'statements sent at connect are not counted as load',
  check: ({ measurements }) => measurements.filter(({ tool }) => tool === 'sysbench').flatMap(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged[] {
  const { others, transactions, queriesOfKinds: queries } = facts.cells;
  const threads = threadsOf(facts);
  if (others === undefined || transactions === undefined || threads === undefined || others.value === 0) {
    return [cannotTell(facts, { is: 'Other statements, transactions and threads are not all there.' })];
  }
  const spare = others.value - OTHERS_PER_TRANSACTION * transactions.value;
  const failed = facts.cells.ignoredErrors?.value ?? 0;
  const line = `${others.written} others - ${OTHERS_PER_TRANSACTION} x ${transactions.written} = ${spare}`;
  const cells = [others, transactions, threads.cell];
  if (spare === 0) return [passes(facts, { is: 'All statements belong to transactions.', arithmetic: [line], cells })];
  const each = spare / threads.value;
  if (spare < 0 || !Number.isInteger(each) || spare <= OTHERS_PER_TRANSACTION * failed) {
    return [
      cannotTell(facts, { is: 'The other statements are not a BEGIN and a COMMIT each.', arithmetic: [line], cells }),
    ];
  }
  const share = queries === undefined ? '' : `, ${figure((spare / queries.value) * 100, 1)} % of all queries`;
  return [
    fails(facts, {
      is: 'Statements that set up the sessions are counted as load.',
      arithmetic: [`${line} = ${threads.value} threads x ${each} at connect${share}`],
      cells,
    }),
  ];
}
