/** The network loses packets, or its round trips scatter widely. */
import { scatters } from '../link.ts';
import { figure, percent, type Rule } from '../verdict.ts';

const RETRANSMITTED_MIN = 0.001;
/** A few are the whole host's, and happen when a connection is cut. */
const RETRANSMITTED_PER_S_MIN = 1;

const lossyLink: Rule = ({ evidence }) => {
  if (!evidence.isOverNetwork) return undefined;
  const share = evidence.measured('network', 'tcp_retransmitted_ratio') ?? 0;
  const perS = evidence.measured('network', 'tcp_retransmitted_per_s') ?? 0;
  const isLossy = share >= RETRANSMITTED_MIN && perS >= RETRANSMITTED_PER_S_MIN;
  const { roundTripP50S = 0, roundTripP99S = 0 } = evidence;
  if (!isLossy && !scatters(evidence)) return undefined;
  return {
    role: 'alarm',
    is: 'The link between client and server loses packets or stalls.',
    evidence: [
      ...(isLossy ? [`${percent(share)} of the TCP segments were sent again, ${figure(perS)} a second`] : []),
      ...(scatters(evidence)
        ? [
            `round trips take ${figure(roundTripP50S * 1000)} ms, and one in a hundred ${figure(roundTripP99S * 1000)} ms`,
          ]
        : []),
    ],
    confirmBy: 'Over a cable, or from the same machine, retransmissions go.',
    advice: 'Use a cable instead of wireless, and look for a faulty port or an overloaded link.',
  };
};

export default lossyLink;
