/** Whether the server's host is short of processors, and who has them. */
import { serverCores } from './budget.ts';
import type { Evidence } from './evidence.ts';
import { type Case, percent } from './verdict.ts';

const HOST_BUSY_MIN = 0.85;
/** Less is enough where so much of the sessions' time goes by in waiting for one: threads do not spread evenly. */
const HOST_BUSY_QUEUING_MIN = 0.7;
const QUEUE_MIN = 0.25;
/** Of what the server may use: a control group or an affinity can be full on a host that is not. */
const SERVER_BUSY_MIN = 0.85;
const SHARE_MIN = 0.4;
/** Where the kernel does not tell who waits for a processor, it is the server that must have most of them. */
const SERVER_PART_MIN = 0.5;
const OTHER_WAITING_MAX = 0.5;

export interface Shortage {
  /** Of the sessions' time: computing or waiting for a processor. */
  readonly share: number;
  /** Most of what is busy is neither the server nor the client. */
  readonly isByOthers: boolean;
  /** Which has more of them than the server, on the same host. */
  readonly isByClient: boolean;
}

/** Undefined where there are enough. */
export function shortageOf({ evidence, shares }: Case): Shortage | undefined {
  const ofClient = evidence.isClientHost ? (shares['client-queue'] ?? 0) : 0;
  const queue = (shares['cpu-queue'] ?? 0) + ofClient;
  if (!isFull(evidence, queue >= QUEUE_MIN ? HOST_BUSY_QUEUING_MIN : HOST_BUSY_MIN)) return undefined;
  const share = (shares['server-cpu'] ?? 0) + queue;
  const isQueueKnown = shares['cpu-queue'] !== undefined;
  const isShort = isQueueKnown ? share >= SHARE_MIN : isLikelyShort({ evidence, shares });
  if (!isShort) return undefined;
  const others = evidence.measured('other_processes', 'cores') ?? 0;
  const server = serverCores(evidence) ?? 0;
  const client = evidence.isClientHost ? (evidence.measured('client', 'cpu_cores') ?? 0) : 0;
  const isByOthers = others > server + client;
  return { share, isByOthers, isByClient: !isByOthers && client > server };
}

/** A worker of the client has hardly a moment left; a link, as in its verdict. */
const LOOP_BUSY_MIN = 0.9;
const LINK_FULL_MIN = 0.8;

/** What was at its limit, each as half a sentence. */
export function fullOf(evidence: Evidence): string[] {
  const busy = evidence.measured('cpu', 'busy');
  const cores = serverCores(evidence);
  const used = cores === undefined || evidence.cores === undefined ? undefined : cores / evidence.cores;
  const link = evidence.measured('network', 'total.utilisation');
  const told = (share: number | undefined, least: number, is: (text: string) => string) =>
    share === undefined || share < least ? [] : [is(percent(share))];
  return [
    ...told(busy, HOST_BUSY_MIN, (text) => `the host's processors were busy ${text} of the time`),
    ...told(used, SERVER_BUSY_MIN, (text) => `the server used ${text} of the processors that it may use`),
    ...told(
      evidence.eventLoopUtilization,
      LOOP_BUSY_MIN,
      (text) => `a worker of the client was busy ${text} of the time`,
    ),
    ...told(link, LINK_FULL_MIN, (text) => `the busiest link carried ${text} of what it can`),
  ];
}

/** How busy the processors were, as evidence; what was not seen is no idleness. */
export function busyLine(evidence: Evidence): string {
  const busy = evidence.measured('cpu', 'busy');
  return busy === undefined
    ? 'how busy the processors were was not seen'
    : `the processors were busy ${percent(busy)} of the time`;
}

/** For something else than a processor. */
export function waitingFor({ shares }: Pick<Case, 'shares'>): number {
  return (shares['row-lock'] ?? 0) + (shares.commit ?? 0) + (shares.checkpoint ?? 0) + (shares['read-io'] ?? 0);
}

function isLikelyShort({ evidence, shares }: Case): boolean {
  const busyCores = (evidence.measured('cpu', 'busy') ?? 0) * (evidence.cores ?? 0);
  const part = (serverCores(evidence) ?? 0) / busyCores;
  return part >= SERVER_PART_MIN && waitingFor({ shares }) <= OTHER_WAITING_MAX;
}

function isFull(evidence: Evidence, busyMin: number): boolean {
  const busy = evidence.measured('cpu', 'busy') ?? 0;
  const used = (serverCores(evidence) ?? 0) / (evidence.cores ?? Number.POSITIVE_INFINITY);
  return busy >= busyMin || used >= SERVER_BUSY_MIN;
}
