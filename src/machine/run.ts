/** Runs one test of the machine, and makes a record of it. */
import { availableParallelism } from 'node:os';
import { nowMs } from '../base/clock.ts';
import { HOST_TEST_FORMAT, type HostTestOption, type HostTestRecord } from '../model/host-test.ts';
import type { Ending, Finding } from '../model/run.ts';
import { runCrew } from './crew.ts';
import type { FileioValues } from './fileio/options.ts';
import { runFileio } from './fileio/run-fileio.ts';
import type { HostTestPlan, HostTestRun } from './plan.ts';
import { hasEndedWell, type TestParts, workOf } from './work.ts';

/** What this folder cannot know. */
export interface AboutRun {
  readonly version: string;
  readonly command: readonly string[];
  readonly host: HostTestRecord['host'];
}

/** Throws a `UserError` for what keeps the test from beginning. What ends it later is in the record. */
export async function runHostTest(run: HostTestRun, about: AboutRun): Promise<HostTestRecord> {
  const startedAt = new Date(nowMs()).toISOString();
  const { test, values, threads, timeS, events, percentiles, seed } = run.plan;
  const parts = await (test.name === 'fileio' ? runFileio(run, values as FileioValues) : runOnThreads(run));
  const { cpuS, ending, comparison, findings, work, commits } = parts;
  return {
    format: HOST_TEST_FORMAT,
    test: test.name,
    startedAt,
    endedAt: new Date(nowMs()).toISOString(),
    ending,
    seed,
    sqldyno: { version: about.version },
    command: about.command,
    options: values as Readonly<Record<string, HostTestOption>>,
    load: { threads, timeS, events, percentiles },
    ...(work === undefined ? {} : { work }),
    ...(commits === undefined ? {} : { commits }),
    comparison,
    client: { node: process.versions.node, cpuS },
    host: about.host,
    findings,
  };
}

async function runOnThreads({ plan, hooks, stops }: HostTestRun): Promise<TestParts> {
  const { test, values } = plan;
  hooks.onPhase?.('getting ready');
  const needs = test.threadNeeds(values as never, plan.threads);
  const result = await runCrew(
    { ...plan, runner: test.name, needs, fileDescriptors: [] },
    { ...hooks, onStart: () => hooks.onPhase?.('measuring') },
    stops,
  );
  const work = workOf(plan, result);
  const findings = test.findings?.({ measured: work.measured, isWhole: hasEndedWell(result.ending) }) ?? [];
  return {
    ending: result.ending,
    cpuS: result.cpuS,
    work,
    comparison: test.comparison(values as never),
    findings: [...findings, ...sharedProcessorFindings(plan, result)],
  };
}

/** Below this share of the processors that could be used, somebody else had a part in the figures. */
const SHARE_MIN = 0.9;
/** Shorter than this, starting and stopping weigh too much. */
const ELAPSED_S_MIN = 1;

interface Spent {
  readonly ending: Ending;
  readonly elapsedS: number;
  readonly cpuS: number;
}

/** For tests that never wait. */
export function sharedProcessorFindings(
  { test, threads }: Pick<HostTestPlan, 'test' | 'threads'>,
  { ending, elapsedS, cpuS }: Spent,
  cores: number = availableParallelism(),
): Finding[] {
  const isBusy = test.name === 'cpu' || test.name === 'memory';
  if (!isBusy || ending.kind !== 'time' || elapsedS < ELAPSED_S_MIN) return [];
  const usable = Math.min(threads, cores);
  const share = cpuS / (elapsedS * usable);
  if (share >= SHARE_MIN) return [];
  return [
    {
      id: 'processors-shared',
      severity: 'warning',
      is: `The threads had ${Math.round(share * 100)} % of the ${usable === 1 ? 'processor' : `${usable} processors`} they could use.`,
      because: 'Other programs ran meanwhile, or other virtual machines, or a container has a limit.',
      remedy: 'Run it again while nothing else runs; in a virtual machine, look at its steal time.',
    },
  ];
}
