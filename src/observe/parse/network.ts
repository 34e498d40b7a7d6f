/** /proc/net/dev, /proc/net/snmp and /proc/net/netstat. */
import type { NetworkCounters, TcpCounters } from '../host-sample.ts';
import { known } from './text.ts';

const BITS_PER_MEGABIT = 1e6;

/** `speedsMbps` by interface, as /sys/class/net tells them: -1 and 0 where there is no link or no such thing. */
export function parseNetDev(
  text: string,
  speedsMbps: ReadonlyMap<string, number> = new Map(),
): Readonly<Record<string, NetworkCounters>> {
  const found: Record<string, NetworkCounters> = {};
  for (const line of text.split('\n')) {
    // Old kernels put no space behind the colon.
    const match = /^\s*([^\s:]+(?::\d+)?):\s*(\d.*)$/.exec(line);
    if (match === null) continue;
    const numbers = match[2]!.trim().split(/\s+/).map(Number);
    if (numbers.length < 12 || !numbers.every(Number.isFinite)) continue;
    const at = (index: number) => numbers[index] ?? 0;
    const speed = speedsMbps.get(match[1]!);
    found[match[1]!] = {
      receivedBytes: at(0),
      receivedPackets: at(1),
      sentBytes: at(8),
      sentPackets: at(9),
      dropped: at(3) + at(11),
      ...(speed === undefined || speed <= 0 ? {} : { speedBitsPerS: speed * BITS_PER_MEGABIT }),
    };
  }
  return found;
}

export function parseTcp(snmp: string | undefined, netstat: string | undefined): TcpCounters | undefined {
  const tcp = pairsOf(snmp, 'Tcp');
  const extended = pairsOf(netstat, 'TcpExt');
  const segmentsSent = tcp.get('OutSegs');
  const segmentsRetransmitted = tcp.get('RetransSegs');
  if (segmentsSent === undefined || segmentsRetransmitted === undefined) return undefined;
  return {
    segmentsSent,
    segmentsRetransmitted,
    ...known({ listenOverflows: extended.get('ListenOverflows'), listenDrops: extended.get('ListenDrops') }),
  };
}

/** Two lines begin with the same word: the names, then the values. */
function pairsOf(text: string | undefined, group: string): Map<string, number> {
  const [names = [], values = []] = (text ?? '')
    .split('\n')
    .filter((line) => line.startsWith(`${group}: `))
    .map((line) => line.trim().split(/\s+/).slice(1));
  const pairs = names.map((name, index): [string, number] => [name, Number(values[index])]);
  return new Map(pairs.filter(([, value]) => Number.isFinite(value)));
}
