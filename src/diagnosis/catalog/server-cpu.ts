/** The server computes all the time it can get; or each session does, and there are fewer sessions than processors. */
import type { Verdict } from '../../model/judgement.ts';
import { serverCores } from '../budget.ts';
import { type Shortage, shortageOf, waitingFor } from '../processors.ts';
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
    ...wordsOf(shortage),
    share,
    evidence: [
      ...processorLines(it, cores),
      `a transaction takes ${figure(perTransactionMs)} ms of the server's processor time`,
      `sessions spent ${partsOf(it).join(', ')}, and ${percent(waitingFor(it))} waiting for locks, commits and reads`,
    ],
  };
};

/** As in the budget, so that both can be compared. */
function partsOf({ evidence, shares }: Case): string[] {
  const queue = shares['cpu-queue'];
  const ofClient = evidence.isClientHost ? (shares['client-queue'] ?? 0) : 0;
  return [
    `${percent(shares['server-cpu'] ?? 0)} of their time computing`,
    ...(queue === undefined ? [] : [`${percent(queue)} waiting for a processor in the server`]),
    ...(ofClient > 0 ? [`${percent(ofClient)} in a client that waits for one`] : []),
  ];
}

function wordsOf(shortage: Shortage | undefined): Pick<Verdict, 'is' | 'confirmBy' | 'advice'> {
  if (shortage === undefined) {
    return {
      is: 'The server computes for each session, one processor at a time.',
      confirmBy: 'With twice the threads the rate nearly doubles, as long as there are processors.',
      advice:
        'Look at plans and indexes of the statements that take most time; more sessions at once would use more processors.',
    };
  }
  if (shortage.isByOthers) {
    return {
      is: 'The server waits for processors, most of which others have.',
      confirmBy: 'With the other programs stopped, the rate rises.',
      advice: 'Measure on a host that does nothing else; only then is it worth looking at statements.',
    };
  }
  if (shortage.isByClient) {
    return {
      is: 'Client and server share processors that are at their limit, and the client has most of them.',
      confirmBy: 'With half the threads the rate falls by less than 5 %; with the client on another machine it rises.',
      advice: 'Run the client on another machine, to measure what the server can do.',
    };
  }
  return {
    is: "The server's processors are at their limit.",
    confirmBy: 'With half the threads the rate falls by less than 5 %.',
    advice: 'Look at plans and indexes of the statements that take most time, or give the server more processors.',
  };
}

function processorLines({ evidence }: Case, cores: number): string[] {
  const busy = evidence.measured('cpu', 'busy');
  if (busy === undefined || evidence.cores === undefined) return [`the server used ${figure(cores)} processors`];
  return [
    `the host's ${figure(evidence.cores)} processors were busy ${percent(busy)} of the time, ${figure(cores)} of them with the server`,
  ];
}

export default serverCpu;
