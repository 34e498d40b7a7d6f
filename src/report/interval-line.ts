/** One interval as sysbench prints it: one line, and in the open loop a second one about the queue. */
import type { Interval } from '../model/run.ts';
import { percentilesMs } from './percentiles.ts';

/** Lengths within this of a whole second are meant as whole seconds. */
const WHOLE_WITHIN = 0.05;

export function intervalLines(interval: Interval, percentiles: readonly number[]): string[] {
  const { read, write, other } = interval.statements;
  const lengthS = interval.endS - interval.startS;
  const perS = (count: number): string => (lengthS > 0 ? count / lengthS : 0).toFixed(2);
  const [label, valueMs] = latencyFields(interval, percentiles);
  const stamp = `[ ${secondsText(interval.endS, lengthS)}s ]`;
  const figures = [
    `${stamp} thds: ${interval.sessionsActive}`,
    `tps: ${perS(interval.transactions)}`,
    `qps: ${perS(read + write + other)} (r/w/o: ${perS(read)}/${perS(write)}/${perS(other)})`,
    `lat (ms,${label}): ${valueMs}`,
    `err/s: ${perS(interval.errors)}`,
    `reconn/s: ${perS(interval.reconnects)}`,
  ].join(' ');
  const line = interval.isWarmup ? `${figures} (warm-up)` : figures;
  const queue = queueFields(interval);
  return queue === '' ? [line] : [line, `${stamp} ${queue}`];
}

/** One percentile as sysbench writes it: `95%`, `4.33`; several as `95%/99.9%`, `4.33/8.10`. */
export function latencyFields(
  { latency }: Pick<Interval, 'latency'>,
  percentiles: readonly number[],
): [string, string] {
  const shown = percentiles.filter((percentile) => percentile > 0);
  if (shown.length === 0) return ['0%', '0.00'];
  const valuesMs = percentilesMs(latency, shown);
  return [shown.map((percentile) => `${percentile}%`).join('/'), valuesMs.map((ms) => ms.toFixed(2)).join('/')];
}

function queueFields({ queueLength, concurrency, dropped = 0 }: Interval): string {
  const fields = [
    queueLength === undefined ? '' : `queue length: ${queueLength}`,
    concurrency === undefined ? '' : `concurrency: ${concurrency}`,
    dropped === 0 ? '' : `dropped: ${dropped}`,
  ];
  return fields.filter((field) => field !== '').join(', ');
}

/** Whole seconds for intervals of whole seconds, else as many decimals as tell intervals apart. */
export function secondsText(endS: number, lengthS: number): string {
  const decimals = [0, 1].find((count) => {
    const scaled = lengthS * 10 ** count;
    return scaled > WHOLE_WITHIN && Math.abs(scaled - Math.round(scaled)) < WHOLE_WITHIN;
  });
  // A last interval cut short ends between two stamps; adding zero makes -0 a plain 0.
  return (Number(endS.toFixed(decimals ?? 2)) + 0).toFixed(decimals ?? 2);
}
