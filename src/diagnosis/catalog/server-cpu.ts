/** The server computes all the time it can get. */
import { serverCores } from '../budget.ts';
import { figure, percent, type Rule } from '../verdict.ts';

const HOST_BUSY_MIN = 0.85;
/** Of what the host is busy with. */
const SERVER_PART_MIN = 0.5;
const WAITING_MAX = 0.5;

const serverCpu: Rule = ({ evidence, shares }) => {
  const busy = evidence.measured('cpu', 'busy');
  const cores = serverCores(evidence);
  if (busy === undefined || cores === undefined || evidence.cores === undefined) return undefined;
  if (busy < HOST_BUSY_MIN || cores / (busy * evidence.cores) < SERVER_PART_MIN) return undefined;
  const waiting = (shares['row-lock'] ?? 0) + (shares.commit ?? 0) + (shares['read-io'] ?? 0);
  const share = (shares['server-cpu'] ?? 0) + (shares['cpu-queue'] ?? 0);
  // Where the kernel does not tell who waits for a processor, only a majority of other waiting speaks against it.
  if (waiting > (shares['cpu-queue'] === undefined ? WAITING_MAX : share)) return undefined;
  const perTransactionMs = (cores / Math.max(1e-9, evidence.transactionsPerS)) * 1000;
  return {
    role: 'bottleneck',
    is: "The server's processors set the pace.",
    share,
    evidence: [
      `the host's ${figure(evidence.cores)} processors were busy ${percent(busy)} of the time, ${figure(cores)} of them with the server`,
      `a transaction takes ${figure(perTransactionMs)} ms of processor time`,
      `sessions spent ${percent(share)} of their time computing or waiting for a processor, ${percent(waiting)} waiting for locks, commits and reads`,
    ],
    confirmBy: 'With half the threads the rate falls by less than 5 %.',
    advice: 'Look at plans and indexes of the statements that take most time, or give the server more processors.',
  };
};

export default serverCpu;
