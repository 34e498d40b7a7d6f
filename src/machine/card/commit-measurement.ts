/** How long a durable commit waits for the disk: the commit probe, with its findings as doubts. */
import { ExitCode, UserError } from '../../base/errors.ts';
import type { CommitProbe } from '../../model/host-test.ts';
import type { LatencyRecord } from '../../model/run.ts';
import { fromLatencyRecord } from '../../stats/latency-record.ts';
import { commitFindings, probeCommits } from '../fileio/commit-probe.ts';
import { COMMIT_RECORD_BYTES } from '../fileio/commit-runner.ts';
import { fileSystemOf } from '../fileio/disk.ts';
import type { FigurePlan, Measurement } from './measurement.ts';

const OVERWRITE = 'commits.overwrite';
const APPEND = 'commits.append';
const KINDS = [
  { name: OVERWRITE, label: 'over a file' },
  { name: APPEND, label: 'at its end' },
] as const;
const PERCENTILES = [50, 99] as const;
/** Two kinds of writing share the time. */
const WEIGHT = 2;

export function commitMeasurement(directory: string): Measurement {
  return {
    label: 'durable commits',
    weight: WEIGHT,
    figures: KINDS.flatMap(({ name, label }) =>
      PERCENTILES.map(
        (percentile): FigurePlan => ({
          id: `${name}_p${percentile}`,
          group: 'commits',
          label: `${label}, p${percentile}`,
          unit: 'us',
          better: 'lower',
          how:
            `${COMMIT_RECORD_BYTES} bytes and fdatasync, one after the other (sqldyno fileio run): over a file of 8 MiB as ` +
            "InnoDB's redo log, at the end of a file as the binary log.",
          settings: { recordBytes: COMMIT_RECORD_BYTES },
        }),
      ),
    ),
    measure: async (timeS, stops) => {
      const { probe, ending, cpuS } = await probeCommits({ directory, timeS }, stops).catch((error) => {
        throw refusalOf(error);
      });
      const latencies = { [OVERWRITE]: probe.overwrite, [APPEND]: probe.append };
      return { ending, values: percentilesOf(latencies), latencies, elapsedS: timeS, cpuS };
    },
    judge: ({ latencies }) => {
      const [overwrite, append] = [latencies[OVERWRITE], latencies[APPEND]];
      if (overwrite === undefined || append === undefined) return [];
      const probe: CommitProbe = {
        directory,
        fileSystem: fileSystemOf(directory),
        recordBytes: COMMIT_RECORD_BYTES,
        overwrite,
        append,
      };
      return commitFindings(probe);
    },
  };
}

/** A full disk, for one: it costs these figures, and no others. */
function refusalOf(error: unknown): unknown {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return isOfSystem ? new UserError(error.message, { exitCode: ExitCode.runFailed, cause: error }) : error;
}

function percentilesOf(latencies: Readonly<Record<string, LatencyRecord>>): Record<string, number> {
  const values = Object.entries(latencies).flatMap(([name, record]) => {
    const histogram = fromLatencyRecord(record);
    if (histogram.count === 0) return [];
    return PERCENTILES.map((percentile) => [`${name}_p${percentile}`, histogram.percentileUs(percentile)] as const);
  });
  return Object.fromEntries(values);
}
