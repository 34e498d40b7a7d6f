/** The figures of runs while they run, where `--metrics-port` asks for them. */
import { UserError } from '../base/errors.ts';
import type { ValuesOf } from '../base/options.ts';
import type { RunView } from '../lab/run.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { METRICS_OPTIONS } from './metrics-options.ts';
import type { Terminal } from './terminal.ts';
import { programVersion } from './version.ts';

const PORT_MAX = 65_535;

/** Of one run after another. */
export interface RunMetrics extends AsyncDisposable {
  watching<View extends RunView>(view: View, run: WatchedRun): View;
}

export interface WatchedRun {
  readonly workload: string;
  readonly plan: LoadPlan;
  readonly tags: readonly string[];
}

/** Opened before the server is touched: a port that is taken must not cost a prepared run. */
export async function openRunMetrics(
  { metrics_port: written, metrics_host: host }: ValuesOf<typeof METRICS_OPTIONS>,
  terminal: Terminal,
): Promise<RunMetrics> {
  if (written === '') return { watching: (view) => view, [Symbol.asyncDispose]: () => Promise.resolve() };
  const port = portOf(written);
  // HTTP is not loaded by those who do not ask for it.
  const [{ LiveRun }, { openMetricsEndpoint }] = await Promise.all([
    import('../web/live-run.ts'),
    import('../web/metrics-endpoint.ts'),
  ]);
  const live = new LiveRun();
  const endpoint = await openMetricsEndpoint({ host, port }, () => live.openMetrics());
  terminal.warn(`Figures of the run while it runs: ${endpoint.url}`);
  return {
    watching: (view, run) => live.watching(view, { facts: factsOf(run), percentiles: run.plan.percentiles }),
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  };
}

function portOf(written: string): number {
  const port = /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new UserError(`--metrics-port must be a number from 0 to ${PORT_MAX}, not '${written}'.`, {
    hint: 'As in --metrics-port=9187; 0 takes a free port and says which.',
  });
}

function factsOf({ workload, plan, tags }: WatchedRun): Record<string, string> {
  const mode = plan.terminals > 0 ? 'terminals' : plan.ratePerS > 0 ? 'open' : 'closed';
  return { workload, threads: String(plan.threads), mode, tags: tags.join(','), version: programVersion() };
}
