/** Runs, shows what comes out, and says by the exit code what it is worth. */
import { ExitCode } from '../base/errors.ts';
import type { HostRequest } from '../lab/observation.ts';
import { NOT_SAVED, type RunRequest, runOnce } from '../lab/run.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { RunRecord } from '../model/run.ts';
import jsonReport from '../report/catalog/json.ts';
import textReport from '../report/catalog/text.ts';
import { latencyHistogramText } from '../report/latency-histogram.ts';
import { latencyOfAll } from '../report/percentiles.ts';
import { explainConnectError } from './connect-errors.ts';
import type { RunMetrics } from './run-metrics.ts';
import { openRunView } from './run-view.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { programVersion } from './version.ts';
import type { WorkloadLine } from './workload-line.ts';

export interface RunToDo {
  readonly line: WorkloadLine;
  readonly plan: LoadPlan;
  readonly isPrivate: boolean;
}

export async function runAndReport(
  run: RunToDo,
  { terminal, interrupts, command }: Session,
  metrics: RunMetrics,
): Promise<ExitCode> {
  const { line } = run;
  const record = await runShown(requestOf(run, command), line, { terminal, interrupts, metrics });
  sayReport(record, line, terminal);
  terminal.json(jsonReport.render({ runs: [record] }));
  for (const text of lastWords(record)) terminal.warn(text);
  return exitCodeOf(record);
}

export function requestOf({ line, plan, isPrivate }: RunToDo, command: readonly string[]): RunRequest {
  const { store, tag } = line.output;
  const { observe, observe_interval: intervalS } = line.host;
  return {
    plan,
    workload: line.found.workload,
    workloadOptions: line.workload,
    command,
    tags: tag,
    ...(store === '' ? {} : { storeDirectory: store }),
    isPrivate,
    ...(observe ? { observe: { intervalS, host: hostRequestOf(line), examines: true } } : {}),
    version: programVersion(),
  };
}

function hostRequestOf({ host: { host_ssh: ssh, host_metrics: metricsUrl } }: WorkloadLine): HostRequest {
  return { ...(ssh === '' ? {} : { ssh }), ...(metricsUrl === '' ? {} : { metricsUrl }) };
}

export function sayReport(record: RunRecord, { load }: WorkloadLine, terminal: Terminal): void {
  if (load.histogram) terminal.say(latencyHistogramText(latencyOfAll(record)));
  terminal.say(textReport.render({ runs: [record] }).trimEnd());
}

/** What must be seen also where stdout went to a file. */
export function lastWords({ ending, findings }: RunRecord): string[] {
  const words = findings
    .filter(({ id }) => id === NOT_SAVED)
    .flatMap(({ is, because, remedy }) => [is, because, remedy]);
  if (ending.kind === 'failed' || ending.kind === 'forced') words.unshift(`The run was cut short: ${ending.cause}`);
  return words.map((text, index) => (index === 0 ? `sqldyno: ${text}` : `  ${text}`));
}

async function runShown(
  request: RunRequest,
  line: WorkloadLine,
  { terminal, interrupts, metrics }: Pick<Session, 'terminal' | 'interrupts'> & { readonly metrics: RunMetrics },
): Promise<RunRecord> {
  const { plan, tags } = request;
  const shown = openRunView(terminal, {
    plan,
    reportIntervalS: line.load.report_interval,
    atOnce: interrupts.atOnce,
  });
  using view = metrics.watching(shown, { workload: line.found.name, plan, tags });
  try {
    return await runOnce(request, view, interrupts.signal);
  } catch (error) {
    const [target] = request.plan.targets;
    throw target === undefined ? error : explainConnectError(error, target);
  }
}

export function exitCodeOf({ ending, findings, totals }: RunRecord): ExitCode {
  if (ending.kind === 'interrupted') return ExitCode.interrupted;
  if (ending.kind === 'failed' || ending.kind === 'forced') return ExitCode.runFailed;
  if (totals.errors.some(({ policy }) => policy === 'validation')) return ExitCode.checkFailed;
  if (findings.some(({ severity, id }) => severity === 'invalid' || id === NOT_SAVED)) return ExitCode.runFailed;
  return ExitCode.done;
}
