/** What each network interface carries, and what TCP had to send twice or could not take in. */
import { HOST_NOT_READ, hostsOf, increase, nameOf, present, under } from '../host-change.ts';
import type { HostSample, NetworkCounters } from '../host-sample.ts';
import { defineProbe, type Reading } from '../probe.ts';
import { quotient } from '../status-change.ts';

const BITS_PER_BYTE = 8;
/** What passes through these passes through a link as well, and would be counted twice. */
const VIRTUAL =
  /^(?:lo|veth|docker|br-|br\d|virbr|vnet|cni|flannel|cali|cilium|tap|tun|wg|ifb|dummy|bond|team|ovs)|\.\d+$/;

export default defineProbe({
  summary: 'Bytes, packets and utilisation of each interface, and of all links; retransmissions, overflowing queues.',
  source: 'host',
  between(earlier, later, elapsedS) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const { before, after } = hosts;
    if (before.networks === undefined || after.networks === undefined) {
      return 'The host does not tell what its network interfaces carry.';
    }
    const byName = new Map<string, Record<string, Reading>>();
    for (const [name, counters] of Object.entries(after.networks)) {
      const then = before.networks[name];
      if (then === undefined || counters.receivedPackets + counters.sentPackets === 0) continue;
      byName.set(name, readingsOf(then, counters, elapsedS));
    }
    const each = [...byName].map(([name, readings]) => under(nameOf(name), readings));
    return { ...Object.assign({}, ...each), ...under('total', totalOf(byName)), ...tcpOf(before, after, elapsedS) };
  },
});

function readingsOf(before: NetworkCounters, after: NetworkCounters, elapsedS: number): Record<string, Reading> {
  const perS = (name: Exclude<keyof NetworkCounters, 'speedBitsPerS'>) =>
    quotient(increase(before[name], after[name]), elapsedS);
  const received = perS('receivedBytes');
  const sent = perS('sentBytes');
  // Links carry as much in one direction as in the other, at the same time.
  const busier = Math.max(received ?? 0, sent ?? 0) * BITS_PER_BYTE;
  return present({
    received_bytes_per_s: { value: received, unit: 'bytes/s' },
    sent_bytes_per_s: { value: sent, unit: 'bytes/s' },
    received_packets_per_s: { value: perS('receivedPackets'), unit: '1/s' },
    sent_packets_per_s: { value: perS('sentPackets'), unit: '1/s' },
    dropped_per_s: { value: perS('dropped'), unit: '1/s' },
    utilisation: { value: quotient(busier, after.speedBitsPerS), unit: 'ratio' },
  });
}

/** Of the links; in a container whose only interface is a virtual one, of that. The busiest link's utilisation. */
function totalOf(byName: ReadonlyMap<string, Record<string, Reading>>): Record<string, Reading> {
  const others = [...byName].filter(([name]) => name !== 'lo');
  const links = others.filter(([name]) => !VIRTUAL.test(name));
  const total: Record<string, Reading> = {};
  for (const [, readings] of links.length > 0 ? links : others) {
    for (const [name, { value, unit }] of Object.entries(readings)) {
      const sofar = total[name]?.value ?? 0;
      total[name] = { value: name === 'utilisation' ? Math.max(sofar, value) : sofar + value, unit };
    }
  }
  return total;
}

function tcpOf({ tcp: before }: HostSample, { tcp: after }: HostSample, elapsedS: number): Record<string, Reading> {
  if (before === undefined || after === undefined) return {};
  const retransmitted = increase(before.segmentsRetransmitted, after.segmentsRetransmitted);
  const sent = increase(before.segmentsSent, after.segmentsSent);
  const perS = (from: number | undefined, to: number | undefined) => quotient(increase(from, to), elapsedS);
  return present({
    tcp_retransmitted_ratio: { value: quotient(retransmitted, sent), unit: 'ratio' },
    tcp_retransmitted_per_s: { value: quotient(retransmitted, elapsedS), unit: '1/s' },
    listen_overflows_per_s: { value: perS(before.listenOverflows, after.listenOverflows), unit: '1/s' },
    listen_drops_per_s: { value: perS(before.listenDrops, after.listenDrops), unit: '1/s' },
  });
}
