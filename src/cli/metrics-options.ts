/** Where the figures of a run can be read while it runs. */
import { text } from '../base/options.ts';

export const METRICS_OPTIONS = {
  metrics_port: text({
    default: '',
    placeholder: 'PORT',
    help: 'while the run runs, its figures can be read at http://127.0.0.1:PORT/metrics (OpenMetrics); 0: a free port',
  }),
  metrics_host: text({
    default: '127.0.0.1',
    placeholder: 'ADDRESS',
    help: 'of this machine, for --metrics-port; others than 127.0.0.1 let whoever reaches it read',
  }),
} as const;

/** For commands that take the options of a run, and do many. */
export function metricsNotes(given: ReadonlySet<string>): string[] {
  return given.has('metrics_port') ? ['--metrics-port is for WORKLOAD run, and has no effect here.'] : [];
}
