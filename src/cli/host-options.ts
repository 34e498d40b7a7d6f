/** How the server's host is watched, and whether anything is watched at all beside the load. */

import { flag, number, text } from '../base/options.ts';
import type { Problem } from '../base/options-parse.ts';

/** Sampling more often costs more than it tells: counters of the kernel move in hundredths of a second. */
const OBSERVE_INTERVAL_S_MIN = 0.1;

export const HOST_OPTIONS = {
  host_ssh: text({
    default: '',
    placeholder: '[USER@]HOST[:PORT]',
    help: "the server's host, where it is not this one, over SSH: nothing is installed there, and ssh must ask for nothing",
  }),
  host_metrics: text({
    default: '',
    secret: true,
    placeholder: 'URL',
    help: "the server's host through its Prometheus node_exporter, as http://db1:9100/metrics",
  }),
  observe_interval: number({
    default: 1,
    min: OBSERVE_INTERVAL_S_MIN,
    help: 'seconds between two looks at server, host and client during a run',
  }),
  observe: flag({ default: true, help: 'look at server, host and client during a run; what it costs is reported' }),
} as const;

/** There is one host of the server, and one way to look at it: the other would be passed over in silence. */
export function hostProblems(given: ReadonlySet<string>): Problem[] {
  if (!given.has('host_ssh') || !given.has('host_metrics')) return [];
  return [{ is: '--host-ssh and --host-metrics are two ways to one host.', remedy: 'Leave one of them out.' }];
}
