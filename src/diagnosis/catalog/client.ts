/** The load generator itself is the limit. */
import { figure, percent, type Rule } from '../verdict.ts';

const UTILIZATION_MIN = 0.9;
const HOST_OTHERWISE_BUSY_MAX = 0.95;

const client: Rule = ({ evidence, shares }) => {
  const { eventLoopUtilization, workers, sessions } = evidence;
  if (eventLoopUtilization < UTILIZATION_MIN) return undefined;
  const busy = evidence.measured('cpu', 'busy');
  const isStarved = evidence.isClientHost && busy !== undefined && busy > HOST_OTHERWISE_BUSY_MAX;
  return {
    role: 'bottleneck',
    is: 'The client is saturated: it, and not the server, sets the pace.',
    share: Math.max(
      shares.client ?? 0,
      1 - (shares['server-cpu'] ?? 0) - (shares['row-lock'] ?? 0) - (shares.commit ?? 0),
    ),
    evidence: [
      `a worker's event loop was busy ${percent(eventLoopUtilization)} of the time, with ${figure(sessions / workers)} sessions on it`,
      ...(isStarved ? [`client and server share processors that were busy ${percent(busy)} of the time`] : []),
    ],
    confirmBy: 'With a second client process, or more --workers on free processors, the rate rises by 10 % or more.',
    advice: isStarved
      ? 'Run the client on another machine.'
      : 'Give the client more --workers, or run it on a machine with faster processors.',
  };
};

export default client;
