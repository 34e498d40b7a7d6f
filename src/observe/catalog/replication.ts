/** A replica and its delay, and a Galera cluster: this member's state, its queues, and who holds whom back. */
import { defineProbe } from '../probe.ts';
import { NOT_READ, quotient, statusChange } from '../status-change.ts';

/** Of wsrep_local_state: the member has all that the cluster has, and takes part in it. */
const SYNCED = 4;

export default defineProbe({
  summary: "A replica's delay; a Galera cluster's size and state, flow control, queues and conflicts.",
  source: 'server',
  between(earlier, later, elapsedS) {
    const status = statusChange(earlier, later);
    if (status === undefined) return NOT_READ;
    const replica = later.server?.replica;
    const isCluster = (status.now('wsrep_cluster_size') ?? 0) > 0;
    if (replica === undefined && !isCluster) return 'The server is no replica and in no Galera cluster.';
    const now = (name: string) => (isCluster ? status.now(name) : undefined);
    const perS = (name: string) => (isCluster ? quotient(status.change(name), elapsedS) : undefined);
    const state = now('wsrep_local_state');
    const pausedNsPerS = perS('wsrep_flow_control_paused_ns');
    return status.readings({
      seconds_behind: { value: replica?.secondsBehind, unit: 's' },
      is_receiving: { value: flag(replica?.isReceiving), unit: 'flag' },
      is_applying: { value: flag(replica?.isApplying), unit: 'flag' },
      cluster_size: { value: now('wsrep_cluster_size'), unit: 'count' },
      cluster_is_synced: { value: flag(state === undefined ? undefined : state === SYNCED), unit: 'flag' },
      flow_control_paused: { value: pausedNsPerS === undefined ? undefined : pausedNsPerS / 1e9, unit: 'ratio' },
      flow_control_sent_per_s: { value: perS('wsrep_flow_control_sent'), unit: '1/s' },
      receive_queue: { value: now('wsrep_local_recv_queue'), unit: 'count' },
      send_queue: { value: now('wsrep_local_send_queue'), unit: 'count' },
      replicated_bytes_per_s: { value: perS('wsrep_replicated_bytes'), unit: 'bytes/s' },
      certification_failures_per_s: { value: perS('wsrep_local_cert_failures'), unit: '1/s' },
      brute_force_aborts_per_s: { value: perS('wsrep_local_bf_aborts'), unit: '1/s' },
    });
  },
});

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
