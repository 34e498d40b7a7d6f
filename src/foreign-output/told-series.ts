/** What progress lines say of latency, and tables of the volume, as series on the run's own clock. */
import type { Series } from '../model/observed.ts';
import type { MeasuredFacts, ProgressLine } from './facts.ts';

/** Undefined where the output has none. */
export function seriesOfFacts(facts: MeasuredFacts): Readonly<Record<string, Series>> | undefined {
  const progress = latencySeries(facts);
  const disk = volumeSeries(facts);
  if (progress === undefined && disk === undefined) return undefined;
  return { ...(progress === undefined ? {} : { progress }), ...(disk === undefined ? {} : { disk }) };
}

/** No interval of a record can hold one latency without its histogram, so they are kept here. */
function latencySeries({ progress, percentiles }: MeasuredFacts): Series | undefined {
  const points = (of: (line: ProgressLine) => number | undefined) => progress.map((line) => of(line) ?? null);
  // The result names the percentile once more; where it is missing, the lines are of some percentile.
  const name = percentiles.length === 1 ? `latency_p${percentiles[0]?.percentile}_ms` : 'latency_percentile_ms';
  const values = {
    [name]: points((line) => line.latencyPercentileMs),
    latency_mean_ms: points((line) => line.latencyAvgMs),
  };
  const told = Object.entries(values).filter(([, of]) => of.some((point) => point !== null));
  if (told.length === 0) return undefined;
  return {
    atS: progress.map(({ endS }) => endS),
    values: Object.fromEntries(told.map(([key, of]) => [key, { unit: 'ms', points: of }])),
    measured: {},
  };
}

/** By the names of docs/probes.md: the volume is the one that the data are on. */
function volumeSeries({ cells }: MeasuredFacts): Series | undefined {
  const { volumeWriteLatencyMs: latency, volumeQueueLength: queue } = cells;
  if (latency === undefined && queue === undefined) return undefined;
  return {
    atS: [],
    values: {},
    measured: {
      ...(latency === undefined ? {} : { 'data_disk.write_latency_ms': latency.value }),
      ...(queue === undefined ? {} : { 'data_disk.queue_length': queue.value }),
    },
  };
}
