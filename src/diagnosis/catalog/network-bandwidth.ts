/** A link is full. */
import { percent, type Rule } from '../verdict.ts';

const UTILIZATION_MIN = 0.8;
const SOFTIRQ_MIN = 0.8;

const networkBandwidth: Rule = ({ evidence, shares }) => {
  const utilization = evidence.measured('network', 'total.utilisation') ?? 0;
  const softirq = evidence.measured('cpu', 'busiest_core_softirq') ?? 0;
  if (utilization < UTILIZATION_MIN && softirq < SOFTIRQ_MIN) return undefined;
  return {
    role: 'bottleneck',
    is: utilization >= UTILIZATION_MIN ? 'The network link is full.' : 'One processor is busy with the network alone.',
    share: Math.max(utilization, softirq, shares.network ?? 0),
    evidence: [
      ...(utilization >= UTILIZATION_MIN ? [`the busiest link carried ${percent(utilization)} of what it can`] : []),
      ...(softirq >= SOFTIRQ_MIN ? [`a processor spent ${percent(softirq)} of its time in soft interrupts`] : []),
    ],
    confirmBy: 'With smaller rows, or compression, the rate rises.',
    advice: 'Spread packets over processors (RPS, RFS), ask for fewer bytes, or take a faster link.',
  };
};

export default networkBandwidth;
