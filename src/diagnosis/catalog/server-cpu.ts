/** The server computes all the time it can get; or each session does, and there are fewer sessions than processors. */
import { serverCores } from '../budget.ts';
import { shortageOf, waitingFor } from '../processors.ts';
import { type Case, figure, percent, type Rule } from '../verdict.ts';

/** Of the sessions' time, where processors are free: then it is the computing alone. */
const COMPUTING_MIN = 0.6;

const serverCpu: Rule = (it) => {
  const { evidence, shares } = it;
  const cores = serverCores(evidence);
  if (cores === undefined) return undefined;
  const shortage = shortageOf(it);
  const computing = shares['server-cpu'] ?? 0;
  // By a schedule, that statements take their time to compute is no limit yet.
  if (shortage === undefined && (computing < COMPUTING_MIN || evidence.isPaced)) return undefined;
  const share = shortage?.share ?? computing;
  const perTransactionMs = (cores / Math.max(1e-9, evidence.transactionsPerS)) * 1000;
  return {
    // Who has most of the processors is to blame for it first.
    role: shortage?.isByOthers === true ? 'contributes' : 'bottleneck',
    is:
      shortage === undefined ? 'The server computes for each session, one processor at a time.' : sentenceOf(shortage),
    share,
    evidence: [
      ...processorLines(it, cores),
      `a transaction takes ${figure(perTransactionMs)} ms of the server's processor time`,
      `sessions spent ${percent(share)} of their time computing or waiting for a processor, ${percent(waitingFor(it))} waiting for locks, commits and reads`,
    ],
    confirmBy:
      shortage === undefined
        ? 'With twice the threads the rate nearly doubles, as long as there are processors.'
        : 'With half the threads the rate falls by less than 5 %.',
    advice:
      shortage === undefined
        ? 'Look at plans and indexes of the statements that take most time; more sessions at once would use more processors.'
        : 'Look at plans and indexes of the statements that take most time, or give the server more processors.',
  };
};

function sentenceOf({ isByOthers }: { readonly isByOthers: boolean }): string {
  return isByOthers
    ? 'The server waits for processors, most of which others have.'
    : "The server's processors are at their limit.";
}

function processorLines({ evidence }: Case, cores: number): string[] {
  const busy = evidence.measured('cpu', 'busy');
  if (busy === undefined || evidence.cores === undefined) return [`the server used ${figure(cores)} processors`];
  return [
    `the host's ${figure(evidence.cores)} processors were busy ${percent(busy)} of the time, ${figure(cores)} of them with the server`,
  ];
}

export default serverCpu;
