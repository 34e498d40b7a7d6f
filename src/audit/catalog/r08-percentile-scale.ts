/**
 * R8: sysbench 1.x can print only certain percentiles. It counts latencies in 1,024 steps of a logarithmic scale from a
 * microsecond to a hundred seconds, and prints the value of the step.
 */
import type { MeasuredFacts } from '../../foreign-output/facts.ts';
import { decimalsOf } from '../../foreign-output/numbers.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';

const STEPS = 1_024;
const LOWEST_MS = 0.001;
const HIGHEST_MS = 100_000;
const LOG_STEP = Math.log(HIGHEST_MS / LOWEST_MS) / (STEPS - 1);

export default defineRule({
  id: 'R8',
  title: "a percentile is a value of the tool's own scale (sysbench: 1,024 steps of 1.8 %)",
  check: ({ measurements }) => measurements.filter(({ tool }) => tool === 'sysbench').map(checkOne),
});

function checkOne(facts: MeasuredFacts): Judged {
  const { percentiles, toolVersion } = facts;
  if (percentiles.length === 0) return cannotTell(facts, { is: 'No percentile is there.' });
  if (toolVersion?.startsWith('0.') === true || percentiles.some(({ cell }) => /^approx/i.test(cell.label))) {
    return cannotTell(facts, { is: 'The scale of sysbench 0.x is so fine that every value is on it.' });
  }
  const steps = percentiles.map(({ cell }): Step => {
    const decimals = decimalsOf(cell.written);
    const at = Math.log(Math.max(cell.value, LOWEST_MS) / LOWEST_MS) / LOG_STEP;
    const near = [Math.floor(at), Math.ceil(at)].map((step) => stepValueMs(step).toFixed(decimals));
    const holds = near.includes(cell.written.replaceAll(',', ''));
    const neighbours = near.join(' and ');
    return {
      holds,
      line: holds
        ? `${cell.written} is step ${Math.round(at)} of the scale`
        : `${cell.written} is none of its steps: the next are ${neighbours}`,
      cells: [cell],
    };
  });
  return ofSteps(facts, steps, {
    passes: 'The percentile is one that sysbench can print.',
    fails: 'sysbench cannot print this percentile.',
  });
}

function stepValueMs(step: number): number {
  return LOWEST_MS * Math.exp(Math.min(Math.max(step, 0), STEPS - 1) * LOG_STEP);
}
