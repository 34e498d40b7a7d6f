/** Statements spend their time on the way. */
import { busyLine } from '../processors.ts';
import { figure, percent, type Rule } from '../verdict.ts';

const SHARE_MIN = 0.4;
/** Where the kernel does not tell who waits for a processor. */
const HOST_BUSY_MAX = 0.75;

const networkLatency: Rule = ({ evidence, shares }) => {
  const share = shares.network ?? 0;
  const busy = evidence.measured('cpu', 'busy') ?? 0;
  const isDoubtful = busy > HOST_BUSY_MAX && shares['cpu-queue'] === undefined;
  if (share < SHARE_MIN || isDoubtful || evidence.roundTripS === undefined) return undefined;
  const perTransaction = evidence.statements / Math.max(1, evidence.transactions);
  return {
    role: 'bottleneck',
    is: 'Statements spend their time on the way between client and server.',
    share,
    evidence: [
      `a round trip takes ${figure(evidence.roundTripS * 1000)} ms, and a transaction makes ${figure(perTransaction)} of them`,
      `sessions spent ${percent(share)} of their time on the way`,
      busyLine(evidence),
    ],
    confirmBy: "From the server's own machine, over its socket, the rate rises by 30 % or more.",
    advice: 'Put the client closer to the server, send fewer statements per transaction, or use more sessions at once.',
  };
};

export default networkLatency;
