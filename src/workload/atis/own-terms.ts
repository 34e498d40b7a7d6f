/** The result in test-ATIS's terms: a time for each part and the total; and where that time went. */
import { formatCount, formatFixed, formatPercent } from '../../base/units.ts';
import type { PartCost, RunRecord } from '../../model/run.ts';
import type { AtisOptions } from './options.ts';
import { type Part, partsOf } from './parts.ts';

type Measured = Pick<RunRecord, 'latency' | 'serverCost'> & {
  readonly totals: Pick<RunRecord['totals'], 'elapsedS' | 'transactions'>;
  readonly load: Pick<RunRecord['load'], 'threads'>;
};

interface PartTime {
  readonly part: Part;
  readonly seconds: number;
  readonly line: string;
}

export function ownTermsOf(run: Measured, options: AtisOptions): string[] {
  const times = partsOf(options).flatMap((part) => timeOf(part, run) ?? []);
  if (times.length === 0) return [];
  return ['As test-ATIS tells it:', ...times.map(({ line }) => `    ${line}`), ...totalLines(run, times)];
}

/** Undefined where nothing of it was done. */
function timeOf(part: Part, { latency, totals }: Measured): PartTime | undefined {
  const done = totals.transactions.byName[part.name] ?? 0;
  const service = latency.transactions[part.name]?.service;
  if (done === 0 || service === undefined) return undefined;
  const seconds = service.sumUs / 1e6;
  const count = Math.round((part.count * done) / part.events);
  const isWhole = done === part.events;
  const ofAll = isWhole ? '' : `, of ${part.count} that were meant`;
  return { part, seconds, line: `Time for ${part.name} (${count}): ${formatFixed(seconds, 3)} s${ofAll}` };
}

function totalLines(run: Measured, times: readonly PartTime[]): string[] {
  const { totals, load } = run;
  const inParts = sumOf(times, ({ seconds }) => seconds);
  const total = `    Total time: ${formatFixed(totals.elapsedS, 3)} s`;
  if (load.threads > 1) {
    return [total, `      the parts are sums over ${formatCount(load.threads)} connections at work at the same time`];
  }
  const between = Math.max(0, totals.elapsedS - inParts);
  return [
    total,
    `      in the parts ${formatFixed(inParts, 3)} s, in the client between statements ${formatFixed(between, 3)} s`,
    ...splitLines(run, times),
  ];
}

/** Changes end in commits, and DDL in its like: where the server is durable they wait for the disk. */
const KINDS_OF_PARTS = [
  { title: 'changing', isOf: (name: string) => !name.startsWith('select_') },
  { title: 'reading', isOf: (name: string) => name.startsWith('select_') },
];

/** Lines are not wrapped any more. */
const WAITING_NOTE = [
  '      (waiting: neither of the two computes. Changes wait for the disk; reads, all',
  '      of them from memory, for a processor or the network)',
];
const UNSEEN_NOTE = [
  '      (the CPU time of the server is not to be seen from here, so that waiting',
  '      cannot be told from computing)',
];

function splitLines({ serverCost, totals }: Measured, times: readonly PartTime[]): string[] {
  const lines = KINDS_OF_PARTS.flatMap(({ title, isOf }) => {
    const own = times.filter(({ part }) => isOf(part.name));
    if (own.length === 0) return [];
    const seconds = sumOf(own, (time) => time.seconds);
    const share = totals.elapsedS > 0 ? seconds / totals.elapsedS : 0;
    const costs = serverCost?.parts.filter(({ part }) => isOf(part)) ?? [];
    return [`      ${title} ${formatFixed(seconds, 3)} s, ${formatPercent(share)} of the total`, ...costLines(costs)];
  });
  const isTold = serverCost?.parts.some(({ cpuS }) => cpuS !== undefined) ?? false;
  return ['    Where it went:', ...lines, ...(isTold ? WAITING_NOTE : UNSEEN_NOTE)];
}

/** On one connection the server and the client take turns. */
function costLines(costs: readonly PartCost[]): string[] {
  if (costs.length === 0) return [];
  const fsyncs = costs.every((cost) => cost.fsyncs !== undefined)
    ? sumOf(costs, (cost) => cost.fsyncs ?? 0)
    : undefined;
  const told = fsyncs === undefined ? [] : [`InnoDB's fsyncs ${formatCount(fsyncs)}`];
  const clientS = sumOf(costs, (cost) => cost.clientCpuS);
  const client = `client CPU ${formatFixed(clientS, 2)} s`;
  if (!costs.every(({ cpuS }) => cpuS !== undefined)) return [`        ${[client, ...told].join(', ')}`];
  const serverS = sumOf(costs, (cost) => cost.cpuS ?? 0);
  const waitedS = Math.max(0, sumOf(costs, (cost) => cost.elapsedS) - serverS - clientS);
  const server = `server CPU ${formatFixed(serverS, 2)} s`;
  return [`        ${[server, client, `waiting ${formatFixed(waitedS, 2)} s`, ...told].join(', ')}`];
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
