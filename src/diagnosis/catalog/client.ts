/** The load generator itself is the limit. */
import { figure, percent, type Rule } from '../verdict.ts';

const UTILIZATION_MIN = 0.9;
/** Of the sessions' time: less, and it is the server that most of them wait for, however busy the client is. */
const SHARE_MIN = 0.4;
/** Of the time in which the client could have worked. */
const QUEUE_MIN = 0.2;

const client: Rule = ({ evidence, shares }) => {
  const { eventLoopUtilization, workers, sessions, isClosedLoop } = evidence;
  if (eventLoopUtilization < UTILIZATION_MIN) return undefined;
  // Where arrivals are due by a schedule, who waits for the client is not told from who has nothing to do.
  const share = isClosedLoop ? (shares.client ?? 0) + (shares['client-queue'] ?? 0) : eventLoopUtilization;
  if (isClosedLoop && share < SHARE_MIN) return undefined;
  const delay = evidence.measured('client', 'run_delay_ratio') ?? 0;
  return {
    role: 'bottleneck',
    is: 'The client is saturated.',
    share,
    evidence: [
      `a worker's event loop was busy ${percent(eventLoopUtilization)} of the time, with ${figure(sessions / workers)} sessions on it`,
      ...(isClosedLoop ? [`sessions spent ${percent(share)} of their time in the client`] : []),
      ...(evidence.atServer === undefined
        ? []
        : [
            `the server was at work for ${figure(evidence.atServer * sessions)} of ${figure(sessions)} sessions on average`,
          ]),
      ...(delay > QUEUE_MIN
        ? [`the client waited for a processor ${percent(delay)} of the time in which it had work`]
        : []),
    ],
    confirmBy: 'With a second client process, or more --workers on free processors, the rate rises by 10 % or more.',
    advice:
      delay > QUEUE_MIN
        ? 'Run the client on another machine.'
        : 'Give the client more --workers, or run it on a machine with faster processors.',
  };
};

export default client;
