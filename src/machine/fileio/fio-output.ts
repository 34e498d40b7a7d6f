/** What fio prints with --output-format=json+: the figures of each job, and every latency bucket. */
import { z } from 'zod';
import { ExitCode, UserError } from '../../base/errors.ts';
import { Histogram } from '../../stats/histogram.ts';
import { LatencyRecorder } from '../recorder.ts';

const latency = z.looseObject({
  min: z.number(),
  max: z.number(),
  mean: z.number(),
  bins: z.record(z.string(), z.number()).default({}),
});
const direction = z.looseObject({ io_bytes: z.number(), total_ios: z.number(), lat_ns: latency });
const report = z.looseObject({
  'fio version': z.string(),
  jobs: z.array(
    z.looseObject({
      jobname: z.string(),
      error: z.number(),
      read: direction,
      write: direction,
      // fio 3.0 to 3.4 tell of no synchronizing.
      sync: z.looseObject({ total_ios: z.number(), lat_ns: latency }).optional(),
      job_runtime: z.number(),
    }),
  ),
});
type Report = z.infer<typeof report>;

export interface FioFigures {
  /** Such as `3.33`. */
  readonly version: string;
  readonly elapsedS: number;
  readonly reads: number;
  readonly writes: number;
  readonly syncs: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly latency: Histogram;
  readonly perThread: { readonly events: readonly number[]; readonly latencyS: readonly number[] };
}

const NS_PER_US = 1_000;

/** fio writes notes before, after, and between; the report is the one object among them. */
export function parseFioOutput(text: string): FioFigures {
  const { jobs, 'fio version': version } = parsed(text);
  const sum = (of: (job: Report['jobs'][number]) => number) => jobs.reduce((total, job) => total + of(job), 0);
  const perJob = jobs.map(({ read, write, sync }) => [read, write, ...(sync === undefined ? [] : [sync])]);
  const latencies = perJob.map((kinds) => merged(kinds.map(({ lat_ns }) => histogramOf(lat_ns))));
  return {
    version: version.replace(/^fio-/, ''),
    elapsedS: Math.max(0, ...jobs.map(({ job_runtime }) => job_runtime)) / 1_000,
    reads: sum(({ read }) => read.total_ios),
    writes: sum(({ write }) => write.total_ios),
    syncs: sum(({ sync }) => sync?.total_ios ?? 0),
    bytesRead: sum(({ read }) => read.io_bytes),
    bytesWritten: sum(({ write }) => write.io_bytes),
    latency: merged(latencies),
    perThread: {
      events: perJob.map((kinds) => kinds.reduce((total, { total_ios }) => total + total_ios, 0)),
      latencyS: latencies.map(({ sumUs }) => sumUs / 1e6),
    },
  };
}

function merged(histograms: readonly Histogram[]): Histogram {
  const all = new Histogram();
  for (const each of histograms) all.merge(each);
  return all;
}

function parsed(text: string): Report {
  const from = text.search(/^\{/m);
  const to = text.lastIndexOf('}');
  let content: unknown;
  try {
    content = JSON.parse(text.slice(from, to + 1));
  } catch {
    throw unreadable(text);
  }
  const read = report.safeParse(content);
  if (!read.success) throw unreadable(text);
  const failed = read.data.jobs.find(({ error }) => error !== 0);
  if (failed === undefined) return read.data;
  throw new UserError(`fio failed in ${failed.jobname} with error ${failed.error}: ${notesOf(text)}`, {
    hint: FIX,
    exitCode: ExitCode.runFailed,
  });
}

const FIX = 'With --file-engine=sqldyno it goes without fio.';

function unreadable(text: string): UserError {
  return new UserError(`fio gave no report: ${notesOf(text)}`, { hint: FIX, exitCode: ExitCode.runFailed });
}

const NOTES_LENGTH_MAX = 300;

function notesOf(text: string): string {
  const notes = text.split('\n').filter((line) => /^fio:/.test(line));
  return (notes.length === 0 ? text.trim() : notes.join(' ')).slice(0, NOTES_LENGTH_MAX) || 'it printed nothing';
}

/** Buckets are named by a nanosecond value within them, near the true ones; the ends and the mean are exact. */
function histogramOf({ min, max, mean, bins }: z.infer<typeof latency>): Histogram {
  const recorder = new LatencyRecorder();
  for (const [ns, count] of Object.entries(bins)) {
    if (count > 0) recorder.record(Math.min(Math.max(Number(ns), min), max) / NS_PER_US, count);
  }
  const snapshot = recorder.take();
  if (snapshot.count === 0) return new Histogram();
  return Histogram.fromSnapshot({
    ...snapshot,
    minUs: Math.floor(min / NS_PER_US),
    maxUs: Math.floor(max / NS_PER_US),
    sumUs: (mean * snapshot.count) / NS_PER_US,
  });
}
