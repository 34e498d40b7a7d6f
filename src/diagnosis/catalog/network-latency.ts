/** Statements spend their time on the way. */
import { figure, percent, type Rule } from '../verdict.ts';

const SHARE_MIN = 0.4;
const HOST_BUSY_MAX = 0.75;

const networkLatency: Rule = ({ evidence, shares }) => {
  const share = shares.network ?? 0;
  const busy = evidence.measured('cpu', 'busy') ?? 0;
  if (share < SHARE_MIN || busy > HOST_BUSY_MAX || evidence.roundTripS === undefined) return undefined;
  const perTransaction = evidence.statements / Math.max(1, evidence.transactions);
  return {
    role: 'bottleneck',
    is: 'The way between client and server sets the pace.',
    share,
    evidence: [
      `an idle round trip takes ${figure(evidence.roundTripS * 1000)} ms, and a transaction makes ${figure(perTransaction)} of them`,
      `sessions spent ${percent(share)} of their time on the way`,
      `the processors were busy ${percent(busy)} of the time`,
    ],
    confirmBy: "From the server's own machine, over its socket, the rate rises by 30 % or more.",
    advice: 'Put the client closer to the server, send fewer statements per transaction, or use more sessions at once.',
  };
};

export default networkLatency;
