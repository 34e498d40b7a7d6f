/** The way between client and server: who takes its packets, whether it leads anywhere at all, and how even it is. */
import { formatLatency, formatPercent } from '../../base/units.ts';
import { type Case, defineChecks, info, numberOf, type Opinion, ok, unseen, warning } from '../check.ts';
import type { HostLook } from '../collected.ts';

const SOFTIRQ_MAX = 0.8;
/** As the kernel's own page on steering proposes for a busy server: Documentation/networking/scaling.rst */
const FLOW_ENTRIES = 32_768;
/** A link without loss and without others on it stays far below. */
const TAIL_FACTOR_MAX = 5;
/** Within one machine room the clock's own steps are larger than what could be told. */
const TAIL_US_MIN = 1_000;
/** Of fewer, the one of a hundred is only the slowest of all, which has whatever reason. */
const TRIPS_MIN = 100;
const RETRANSMITTED_MAX = 0.001;

export default defineChecks([
  {
    number: 13,
    id: 'packet-steering',
    title: 'who takes the packets (RPS, RFS)',
    of: 'each host',
    examine: (host, { collected }) => {
      const links = linksOf(host);
      if (host.idle.is === 'seen') {
        const softirq = host.idle.value.figures.get('cpu.busiest_core_softirq') ?? 0;
        if (softirq > SOFTIRQ_MAX) {
          return warning(`One processor spends ${formatPercent(softirq)} of its time on packets.`, {
            because: 'More packets than it can take will be late or lost.',
            remedy:
              links.length === 0
                ? { is: 'Spread them over more processors: receive packet steering (RPS) of the link that is used.' }
                : { is: 'Spread them:', shell: links.flatMap((link) => steeringCommands(link, host)) },
          });
        }
      }
      if (collected.isOneHost === true) return ok('Client and server are on one machine: no link is used.');
      if (links.length === 0) return unseen('The host tells of no link that is up, or not how it is set up.');
      const cores = numberOf(host, 'cpu.threads') ?? 1;
      const narrow = links.filter(({ queues, isSteered }) => queues < cores && !isSteered);
      const [first] = narrow;
      if (first === undefined) return ok(`Packets are spread over processors: ${links.map(linkText).join('; ')}.`);
      const takers = first.queues === 1 ? 'one processor' : `${first.queues} of ${cores} processors`;
      return info(`Packets of ${first.name} are taken by ${takers}, and steered to no others.`, {
        because: 'With many small packets that processor is full long before the others.',
        remedy: {
          is: 'Spread them (receive packet and flow steering), until the next start:',
          shell: narrow.flatMap((link) => steeringCommands(link, host)),
        },
      });
    },
  },
  {
    number: 19,
    id: 'same-host',
    title: 'client and server apart',
    of: 'server',
    examine: (_, { collected }) => {
      if (collected.isOneHost === undefined) return unseen('Whether client and server share a machine cannot be told.');
      if (!collected.isOneHost) return ok('Client and server run on different machines.');
      return warning('Client and server share one machine.', {
        because: 'They compete for its processors, so the server alone could do more than will be measured.',
        remedy: { is: 'Run the client on another machine, close by; or compare only with runs that share one, too.' },
      });
    },
  },
  {
    number: 20,
    id: 'link',
    title: 'link between them',
    of: 'client host',
    examine: (host, { collected }) => {
      if (collected.isOneHost === true) return ok('There is no link between client and server.');
      return examineLink(host, collected);
    },
  },
]);

interface Link {
  readonly name: string;
  readonly queues: number;
  readonly isSteered: boolean;
  readonly isWireless: boolean;
}

function linksOf({ facts }: HostLook): Link[] {
  const names = Object.keys(facts).flatMap((fact) => /^network\.(.+)\.receiveQueues$/.exec(fact)?.[1] ?? []);
  return names.map((name) => ({
    name,
    queues: Number(facts[`network.${name}.receiveQueues`]),
    isSteered: facts[`network.${name}.receivePacketSteering`] === true,
    isWireless: facts[`network.${name}.wireless`] === true,
  }));
}

function linkText({ name, queues, isSteered }: Link): string {
  return `${name} has ${queues} ${queues === 1 ? 'queue' : 'queues'}${isSteered ? ', steered' : ''}`;
}

function steeringCommands({ name, queues }: Link, host: HostLook): string[] {
  const cores = numberOf(host, 'cpu.threads') ?? 1;
  const folder = `/sys/class/net/${name}/queues/rx-*`;
  const flows = Math.ceil(FLOW_ENTRIES / Math.max(1, queues));
  return [
    `for q in ${folder}; do echo ${maskOf(cores)} | sudo tee $q/rps_cpus; echo ${flows} | sudo tee $q/rps_flow_cnt; done`,
    `sudo sysctl net.core.rps_sock_flow_entries=${FLOW_ENTRIES}`,
  ];
}

/** All of so many processors, as the kernel writes it: words of 32 bits, commas between. */
function maskOf(cores: number): string {
  const words: string[] = [];
  for (let left = cores; left > 0; left -= 32) words.unshift((2 ** Math.min(32, left) - 1).toString(16));
  // Only the first word may be shorter than it is long.
  return words.sort((one, other) => one.length - other.length).join(',');
}

function examineLink(host: HostLook, { server }: Case['collected']): Opinion {
  const links = linksOf(host);
  const wireless = Object.keys(host.facts).filter((fact) => /^network\..+\.wireless$/.test(fact));
  const isAllWireless = wireless.length > 0 && wireless.every((fact) => host.facts[fact] === true);
  if (isAllWireless) {
    return warning('This machine is connected by radio only.', {
      because: 'Radio adds milliseconds to every statement, now fewer, now more, and loses packets.',
      remedy: { is: 'Take a cable.' },
    });
  }
  const retransmitted =
    host.idle.is === 'seen' ? (host.idle.value.figures.get('network.tcp_retransmitted_ratio') ?? 0) : 0;
  if (server.is === 'unseen') return unseen(server.because);
  if (server.value.roundTripUs.is === 'unseen') return unseen(server.value.roundTripUs.because);
  const { p50, p99, count } = server.value.roundTripUs.value;
  const slow = count < TRIPS_MIN ? `the slowest of ${count}` : 'one of a hundred';
  const measured = `A round trip takes ${formatLatency(p50)}, and ${slow} ${formatLatency(p99)}`;
  if (count >= TRIPS_MIN && p99 > TAIL_US_MIN && p99 > TAIL_FACTOR_MAX * p50) {
    return warning(`${measured}: the way is uneven.`, {
      because: 'Packets are lost or held up, and every latency that is measured has that in it.',
      remedy: { is: 'Look at the cable, at the switch, and at who else uses the link.' },
    });
  }
  if (retransmitted > RETRANSMITTED_MAX) {
    return warning(`${formatPercent(retransmitted)} of what this machine sent had to be sent again.`, {
      because: 'A lost packet holds its connection up for 200 ms and more.',
      remedy: { is: 'Look at the cable, at the switch, and at who else uses the link.' },
    });
  }
  const radio = links.find(({ isWireless }) => isWireless);
  if (radio !== undefined) {
    return info(`${measured}. Beside a cable there is a radio link that is up (${radio.name}).`, {
      because: 'Which of them is used depends on the routes: see `ip route get` with the server.',
    });
  }
  return ok(`${measured}.`);
}
