/**
 * R15: a test outlasts the credits of a volume that is fast for a while only.
 * https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html
 */
import type { ForeignDocument, MeasuredFacts } from '../../foreign-output/facts.ts';
import { count, figure } from '../arithmetic.ts';
import { cannotTell, defineRule, fails, type Judged, passes } from '../rule.ts';
import { secondsOf } from '../sizes.ts';
import { volumeGibTold } from '../surroundings.ts';

const BUCKET = 5_400_000;
const BURST_IOPS = 3_000;
const IOPS_PER_GIB = 3;
const IOPS_MIN = 100;
/** A test that ends just after the credits do has measured little else. */
const LONGER_SHARE = 1.5;

export default defineRule({
  id: 'R15',
  title: 'the test lasts longer than the burst credits of its volume',
  check: (document) => document.measurements.flatMap((facts) => checkOne(facts, document)),
});

function checkOne(facts: MeasuredFacts, document: ForeignDocument): Judged[] {
  if (!/\bgp2\b/i.test(facts.column ?? '')) return [];
  const size = volumeGibTold(document, 'gp2') ?? volumeGibTold(document, 'drive');
  const seconds = secondsOf(facts);
  if (size === undefined || seconds === undefined) {
    return [
      cannotTell(facts, {
        is: `${size === undefined ? 'The size of the volume' : 'The length of the test'} is not told.`,
      }),
    ];
  }
  const base = Math.max(IOPS_MIN, IOPS_PER_GIB * size.value);
  if (base >= BURST_IOPS) {
    return [
      passes(facts, { is: `A gp2 volume of ${size.value} GiB needs no credits: its base is ${count(base)} IOPS.` }),
    ];
  }
  const lastsS = BUCKET / (BURST_IOPS - base);
  const arithmetic = [
    `${size.value} GiB (line ${size.line}) x ${IOPS_PER_GIB} = ${count(base)} IOPS without credits, ${count(BURST_IOPS)} with them`,
    `${count(BUCKET)} credits / (${count(BURST_IOPS)} - ${count(base)}) = ${count(lastsS)} s; the test took ${figure(seconds, 0)} s`,
  ];
  return [
    seconds > lastsS * LONGER_SHARE
      ? passes(facts, { is: 'The test outlasts the credits.', arithmetic })
      : fails(facts, {
          is: `The test lasts no longer than the credits: afterwards this volume does ${count(base)} operations a second.`,
          arithmetic,
        }),
  ];
}
