/** `--histogram`: latencies as bars, on the logarithmic scale and in the columns of sysbench. */
import type { LatencyRecord } from '../model/run.ts';
import { bucketLowestUs } from '../stats/bucket-layout.ts';
import { fromLatencyRecord } from '../stats/latency-record.ts';

/** sysbench's scale: 1,024 steps from a microsecond to a hundred seconds. Here it goes on beyond. */
const STEPS_PER_UNIT = 1_023 / Math.log(1e8);
const BAR_LENGTH = 40;

export function latencyHistogramText(latency: LatencyRecord): string {
  const counts = new Map<number, number>();
  fromLatencyRecord(latency).forEachBucket((bucket, count) => {
    const step = Math.round(Math.log(Math.max(1, bucketLowestUs(bucket))) * STEPS_PER_UNIT);
    counts.set(step, (counts.get(step) ?? 0) + count);
  });
  const most = Math.max(...counts.values());
  const lines = [...counts].map(([step, count]) => {
    const valueMs = Math.exp(step / STEPS_PER_UNIT) / 1_000;
    const bar = '*'.repeat(Math.round((count / most) * BAR_LENGTH));
    return `${valueMs.toFixed(3).padStart(12)} |${bar.padEnd(BAR_LENGTH)} ${count}`;
  });
  return [
    'Latency histogram (values are in milliseconds)',
    '       value  ------------- distribution ------------- count',
    ...lines,
    '',
  ].join('\n');
}
