/** A hypervisor or a quota keeps processors from the host. */
import { percent, type Rule } from '../verdict.ts';

const STEAL_MIN = 0.03;
const THROTTLED_MIN = 0.01;

const stolenTime: Rule = ({ evidence }) => {
  const steal = evidence.measured('cpu', 'steal') ?? 0;
  const throttled = evidence.measured('cgroup', 'throttled_ratio') ?? 0;
  if (steal < STEAL_MIN && throttled < THROTTLED_MIN) return undefined;
  return {
    role: 'alarm',
    is: 'The host did not get the processors that it believes to have.',
    share: Math.max(steal, throttled),
    evidence: [
      ...(steal >= STEAL_MIN ? [`the hypervisor gave ${percent(steal)} of the time to others (steal)`] : []),
      ...(throttled >= THROTTLED_MIN
        ? [`the quota of its control group held it back ${percent(throttled)} of the time`]
        : []),
    ],
    confirmBy: 'On a dedicated host, or with a higher quota, the figure is zero.',
    advice: 'Take a dedicated host or raise the quota; compare only runs with little of it.',
  };
};

export default stolenTime;
