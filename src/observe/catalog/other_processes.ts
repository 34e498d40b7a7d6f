/** Who else takes processors on the server's host: in sum, the five that take the most, and a graphical session. */
import { HOST_NOT_READ, hostsOf, increase, nameOf, present, under } from '../host-change.ts';
import type { CpuTimes, HostSample, ProcessCounters } from '../host-sample.ts';
import { defineProbe, type Reading } from '../probe.ts';
import { quotient } from '../status-change.ts';

const SHOWN_MAX = 5;
/** Less than this of one processor explains nothing. */
const CORES_MIN = 0.01;
const SERVER = /^(?:mariadbd|mysqld)/;

export default defineProbe({
  summary: 'Processors used by everything but the server and the client, and by whom; whether a desktop is running.',
  source: 'host',
  between(earlier, later, elapsedS) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const { before, after } = hosts;
    if (after.others === undefined) return 'The host does not tell what its processes use.';
    const cores = coresOfOthers(before, after, elapsedS);
    return {
      ...present({
        cores: { value: cores, unit: 'cores' },
        cpu_ratio: { value: quotient(cores, after.cores?.length), unit: 'ratio' },
        desktop_session: {
          value: after.desktop === undefined ? undefined : Number(after.desktop.length > 0),
          unit: 'flag',
        },
      }),
      ...topOf(before, after),
    };
  },
});

/** All that ran less what is known: that way, processes too short to be seen count as well. */
function coresOfOthers(before: HostSample, after: HostSample, elapsedS: number): number | undefined {
  if (before.cpu === undefined || after.cpu === undefined) return undefined;
  const server = increase(before.server?.cpuS, after.server?.cpuS);
  // Without knowing what the server used, the rest cannot be known.
  if (server === undefined || before.server?.pid !== after.server?.pid) return undefined;
  const client = increase(before.clientCpuS, after.clientCpuS) ?? 0;
  const ran = ranS(after.cpu) - ranS(before.cpu);
  return Math.max(0, ran - server - client) / elapsedS;
}

/** Interrupts are nobody's. */
function ranS({ user, nice, system }: CpuTimes): number {
  return user + nice + system;
}

/** Processes of one name together. Over the time between the two looks, which are rarer than the moments. */
function topOf(before: HostSample, after: HostSample): Record<string, Reading> {
  const passedS = increase(before.othersAtS, after.othersAtS);
  if (passedS === undefined || passedS === 0) return {};
  const earlier = new Map((before.others ?? []).map((process) => [identityOf(process), process.cpuS]));
  const usedBy = new Map<string, number>();
  for (const process of after.others ?? []) {
    if (isServer(process, after)) continue;
    const isNew = (process.startedAtS ?? 0) >= (before.othersAtS ?? Number.POSITIVE_INFINITY);
    const usedS = increase(earlier.get(identityOf(process)) ?? (isNew ? 0 : undefined), process.cpuS);
    if (usedS === undefined) continue;
    // The kernel's threads say behind a slash what they do, or where.
    const name = nameOf(process.name.split('/')[0] ?? process.name);
    usedBy.set(name, (usedBy.get(name) ?? 0) + usedS / passedS);
  }
  const most = [...usedBy].filter(([, cores]) => cores >= CORES_MIN).sort(([, a], [, b]) => b - a);
  const top = most.slice(0, SHOWN_MAX).map(([name, value]) => under(name, { cores: { value, unit: 'cores' } }));
  return under('top', Object.assign({}, ...top));
}

/** Where it is not known which process is the server, every one that may be it is taken for it. */
function isServer({ pid, name }: ProcessCounters, { server }: HostSample): boolean {
  return server === undefined ? SERVER.test(name) : pid === server.pid;
}

function identityOf({ pid, startedAtS }: ProcessCounters): string {
  return `${pid} ${startedAtS}`;
}
