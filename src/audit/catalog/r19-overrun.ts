/** R19: the test ended when it was to end. sysbench looks at the clock between transactions only. */
import type { MeasuredFacts } from '../../foreign-output/facts.ts';
import { figure, middle } from '../arithmetic.ts';
import { cannotTell, defineRule, fails, type Judged, passes } from '../rule.ts';
import { elapsedOf, secondsAsked } from '../sizes.ts';

const OVERRUN_SHARE_MAX = 0.05;

export default defineRule({
  id: 'R19',
  title: 'the test took the time that was asked for, and not much more',
  check: ({ measurements }) => measurements.flatMap(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged[] {
  const asked = secondsAsked(facts.command);
  const elapsed = elapsedOf(facts);
  if (facts.command === undefined || asked === undefined) {
    return facts.tool === 'sysbench' ? [cannotTell(facts, { is: 'What time was asked for is not said.' })] : [];
  }
  if (elapsed === undefined) return [cannotTell(facts, { is: 'The elapsed time is not there.' })];
  const more = elapsed.range.low / asked - 1;
  const arithmetic = [
    `${elapsed.how}, where ${asked} s were asked for: ${figure((middle(elapsed.range) / asked - 1) * 100, 1)} % more`,
  ];
  const { cells } = elapsed;
  return [
    more <= OVERRUN_SHARE_MAX
      ? passes(facts, { is: 'It took the time that was asked for.', arithmetic, cells })
      : fails(facts, {
          is: 'It ran on: the last transactions were long, and at its end fewer and fewer threads had one.',
          arithmetic,
          cells,
        }),
  ];
}
