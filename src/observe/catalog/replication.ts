/** A replica's delay, and a Galera cluster's flow control. */
import { defineProbe } from '../probe.ts';
import { NOT_READ, quotient, statusChange } from '../status-change.ts';

export default defineProbe({
  summary: "A replica's delay; a Galera cluster's size, flow control and queues.",
  source: 'server',
  between(earlier, later, elapsedS) {
    const status = statusChange(earlier, later);
    if (status === undefined) return NOT_READ;
    const replica = later.server?.replication;
    const isCluster = (status.now('wsrep_cluster_size') ?? 0) > 0;
    if (replica === undefined && !isCluster) return 'The server is no replica and in no Galera cluster.';
    const pausedNs = isCluster ? status.change('wsrep_flow_control_paused_ns') : undefined;
    return status.readings({
      seconds_behind: {
        value: replica?.get('Seconds_Behind_Source') ?? replica?.get('Seconds_Behind_Master'),
        unit: 's',
      },
      cluster_size: { value: isCluster ? status.now('wsrep_cluster_size') : undefined, unit: 'count' },
      flow_control_paused: {
        value: quotient(pausedNs === undefined ? undefined : pausedNs / 1e9, elapsedS),
        unit: 'ratio',
      },
      receive_queue: { value: isCluster ? status.now('wsrep_local_recv_queue') : undefined, unit: 'count' },
      certification_failures_per_s: {
        value: isCluster ? quotient(status.change('wsrep_local_cert_failures'), elapsedS) : undefined,
        unit: '1/s',
      },
    });
  },
});
