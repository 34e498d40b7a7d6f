/** One run of `fileio`: the commit probe, then the reading and writing, by fio or by threads of this program. */
import { fsync } from 'node:fs';
import { promisify } from 'node:util';
import { monotonicMs } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { HostTestWork } from '../../model/host-test.ts';
import type { Ending } from '../../model/run.ts';
import { toLatencyRecord } from '../../stats/latency-record.ts';
import { runCrew } from '../crew.ts';
import type { HostTestPlan, HostTestRun } from '../plan.ts';
import { hasEndedWell, type TestParts, workOf } from '../work.ts';
import { commitFindings, probeCommits } from './commit-probe.ts';
import { FIO_COMPARISON, pageCacheFindings, withoutFlushFindings } from './fileio.ts';
import { ensurePrepared, openFiles } from './files.ts';
import { fioJob } from './fio-job.ts';
import { parseFioOutput } from './fio-output.ts';
import { findFio, runFio } from './fio-process.ts';
import { type ExtraFlag, type FileioValues, fileSetOf, isWriting } from './options.ts';

type Work = Pick<TestParts, 'ending' | 'work' | 'cpuS' | 'comparison'>;

export async function runFileio(run: HostTestRun, values: FileioValues): Promise<TestParts> {
  const hasWork = values.file_test_mode !== 'none';
  if (hasWork) ensurePrepared(fileSetOf(values));
  const fio = hasWork ? await chooseFio(values) : undefined;
  const probe = await probed(run, values);
  const findings = probe === undefined ? [] : commitFindings(probe.probe);
  const commits = probe === undefined ? {} : { commits: probe.probe };
  if (probe !== undefined && (!hasWork || !hasEndedWell(probe.ending))) {
    const { ending, cpuS } = probe;
    return { ending, cpuS, ...commits, comparison: COMMITS_COMPARISON, findings };
  }
  const work = await (fio === undefined ? byThreads(run, values) : byFio(run, values, fio));
  return {
    ...work,
    ...commits,
    cpuS: work.cpuS + (probe?.cpuS ?? 0),
    findings: [...findings, ...pageCacheFindings(values), ...withoutFlushFindings(values)],
  };
}

const COMMITS_COMPARISON =
  'sysbench has no such figure; its nearest is fileio with --file-test-mode=seqwr and --file-fsync-all. fio measures the ' +
  'same wait with --rw=write --overwrite=1 --bs=512 --fdatasync=1.';

/** Its version, where fio is to do the work. */
async function chooseFio({ file_engine, file_io_mode }: FileioValues): Promise<string | undefined> {
  if (file_engine === 'sqldyno') return undefined;
  const version = await findFio();
  const isNeeded = file_engine === 'fio' || file_io_mode !== 'sync';
  if (version !== undefined || !isNeeded) return version;
  const wanted = file_engine === 'fio' ? '--file-engine=fio' : `--file-io-mode=${file_io_mode}`;
  throw new UserError(`${wanted} needs fio 3 or newer, and none is found in PATH.`, {
    hint: 'Install the package fio, or leave the option out.',
  });
}

async function probed({ hooks, stops }: HostTestRun, { file_dir, commit_probe_time }: FileioValues) {
  if (commit_probe_time === 0) return undefined;
  hooks.onPhase?.('measuring commits');
  return probeCommits({ directory: file_dir, timeS: commit_probe_time }, stops);
}

async function byThreads({ plan, hooks, stops }: HostTestRun, values: FileioValues): Promise<Work> {
  const { test } = plan;
  hooks.onPhase?.('getting ready');
  const isWritten = isWriting(values.file_test_mode);
  const flags = values.file_extra_flags as readonly ExtraFlag[];
  using files = openFiles(fileSetOf(values), { flags, isWritten });
  const needs = test.threadNeeds(values as never, plan.threads);
  const result = await runCrew(
    { ...plan, runner: 'fileio', needs, fileDescriptors: files.descriptors },
    { ...hooks, onStart: () => hooks.onPhase?.('measuring') },
    stops,
  );
  const work = workOf(plan, result);
  const { ending, cpuS } = result;
  const comparison = test.comparison(values as never);
  if (!isWritten || !values.file_fsync_end || !hasEndedWell(ending)) return { ending, cpuS, work, comparison };
  const endSyncS = await syncAll(files.descriptors);
  return { ending, cpuS, work: withEndSync(work, endSyncS), comparison };
}

const synchronize = promisify(fsync);

async function syncAll(descriptors: readonly number[]): Promise<number> {
  const startMs = monotonicMs();
  for (const descriptor of descriptors) await synchronize(descriptor);
  return (monotonicMs() - startMs) / 1_000;
}

function withEndSync(work: HostTestWork, endSyncS: number): HostTestWork {
  const { measured } = work;
  return measured.test === 'fileio' ? { ...work, measured: { ...measured, endSyncS } } : work;
}

async function byFio({ plan, hooks, stops }: HostTestRun, values: FileioValues, version: string): Promise<Work> {
  hooks.onNote?.(`fio ${version} does the reading and writing; it gives no lines while it runs.`);
  hooks.onPhase?.('measuring');
  const cpuBefore = process.cpuUsage();
  const output = await runFio(fioJob(values, plan), stops);
  const cpu = process.cpuUsage(cpuBefore);
  const cpuS = (cpu.user + cpu.system) / 1e6;
  // Cut off, it had no time to report.
  if (stops.atOnce.aborted) return { ending: interruption(stops.atOnce), cpuS, comparison: FIO_COMPARISON };
  const figures = parseFioOutput(output);
  const { reads, writes, syncs, bytesRead, bytesWritten, elapsedS, perThread, latency } = figures;
  const { files, fileBytes, blockBytes } = fileSetOf(values);
  const events = reads + writes + syncs;
  const work: HostTestWork = {
    elapsedS,
    events,
    eventsPerS: elapsedS > 0 ? events / elapsedS : 0,
    perThread,
    latency: toLatencyRecord(latency),
    intervals: [],
    measured: {
      test: 'fileio',
      engine: 'fio',
      engineVersion: figures.version,
      mode: values.file_test_mode,
      files,
      fileBytes,
      blockBytes,
      reads,
      writes,
      syncs,
      bytesRead,
      bytesWritten,
    },
  };
  const ending = stops.signal.aborted ? interruption(stops.signal) : fioEnding(plan, reads + writes);
  return { ending, cpuS, work, comparison: FIO_COMPARISON };
}

/** fio counts reads and writes towards its limit, but not the synchronizing. */
function fioEnding({ events }: HostTestPlan, requests: number): Ending {
  return { kind: events > 0 && requests >= events ? 'events' : 'time' };
}

function interruption({ reason }: AbortSignal): Ending {
  return { kind: 'interrupted', cause: reason instanceof Error ? reason.message : String(reason) };
}
