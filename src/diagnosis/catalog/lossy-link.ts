/** The network loses packets, or its round trips scatter widely. */
import { figure, percent, type Rule } from '../verdict.ts';

const RETRANSMITTED_MIN = 0.001;
/** Scatter of round trips below it is the scheduler's. */
const ROUND_TRIP_P99_MIN_S = 0.002;
const SCATTER_MIN = 5;

const lossyLink: Rule = ({ evidence }) => {
  const share = evidence.measured('network', 'tcp_retransmitted_ratio') ?? 0;
  const { roundTripS = 0, roundTripP99S = 0 } = evidence;
  const scatters = roundTripP99S > ROUND_TRIP_P99_MIN_S && roundTripP99S > SCATTER_MIN * roundTripS;
  if (share < RETRANSMITTED_MIN && !scatters) return undefined;
  return {
    role: 'alarm',
    is: 'The link between client and server loses packets or stalls.',
    evidence: [
      ...(share >= RETRANSMITTED_MIN ? [`${percent(share)} of the TCP segments were sent again`] : []),
      ...(scatters
        ? [`round trips take ${figure(roundTripS * 1000)} ms, and one in a hundred ${figure(roundTripP99S * 1000)} ms`]
        : []),
    ],
    confirmBy: 'Over a cable, or from the same machine, retransmissions go.',
    advice: 'Use a cable instead of wireless, and look for a faulty port or an overloaded link.',
  };
};

export default lossyLink;
