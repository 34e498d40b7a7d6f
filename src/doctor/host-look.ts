/** Looks at a host twice, with some seconds in between, and makes figures of it as a run does. */
import { entryNames, loadEntry } from '../base/catalog.ts';
import { type FlushLook, probeFlushes, writableBeside } from '../machine/fileio/flush-probe.ts';
import type { HostFacts, HostSample, HostSource } from '../observe/host-sample.ts';
import { isServerName } from '../observe/parse/process.ts';
import { numberIn } from '../observe/parse/text.ts';
import type { Probe } from '../observe/probe.ts';
import { probeFactsOf } from '../observe/probe-facts.ts';
import { softLimit } from '../observe/sources/host-facts.ts';
import { localFiles } from '../observe/sources/local-files.ts';
import { type ClientLook, type HostLook, type IdleLook, type Seen, seen, unseenBecause } from './collected.ts';
import { before } from './within.ts';

const PROBES = new URL('../observe/catalog/', import.meta.url);

export interface Timed {
  readonly sample: HostSample;
  readonly atMs: number;
}

/** What is known of a host before the time without load begins. */
export interface HostBeginning {
  readonly source: HostSource;
  readonly facts: HostFacts;
  readonly room: HostLook['room'];
}

/** Unseen where the host does not answer in time, or says no. */
export async function beginHost(source: Seen<HostSource>, endMs: number): Promise<Seen<HostBeginning>> {
  if (source.is === 'unseen') return source;
  const { value } = source;
  try {
    const facts = await before(endMs, value.facts());
    if (facts === undefined) return tooLate(value);
    const room = await before(endMs, value.room());
    const isTold = room === undefined ? unseenBecause('How much room is left on the disk is not told.') : seen(room);
    return seen({ source: value, facts, room: isTold });
  } catch (error) {
    return unseenBecause(failureOf(value, error as Error));
  }
}

function tooLate({ description }: HostSource): { readonly is: 'unseen'; readonly because: string } {
  return unseenBecause(`${description} did not answer in time.`);
}

/** A sentence that says of which host it is; some sources name it themselves. */
function failureOf({ description }: HostSource, { message }: Error): string {
  const because = (message.startsWith(description) ? message.slice(description.length) : message)
    .replace(/^[:\s]+/, '')
    .replace(/\.$/, '');
  return `The host could not be read (${description}): ${because}.`;
}

/** All processes included. */
export async function sampleHost(
  { source }: HostBeginning,
  world: { readonly endMs: number; now(): number },
): Promise<Seen<Timed>> {
  try {
    const sample = await before(world.endMs, source.sample({ isWhole: true }));
    return sample === undefined ? tooLate(source) : seen({ sample, atMs: world.now() });
  } catch (error) {
    return unseenBecause(failureOf(source, error as Error));
  }
}

export async function idleLook(facts: HostFacts, first: Seen<Timed>, second: Seen<Timed>): Promise<Seen<IdleLook>> {
  if (first.is === 'unseen') return first;
  if (second.is === 'unseen') return second;
  const [earlier, later] = [first.value, second.value];
  const elapsedS = (later.atMs - earlier.atMs) / 1000;
  if (!(elapsedS > 0)) return unseenBecause('No time has passed between two looks at the host.');
  const figures = await figuresOf(facts, earlier, later, elapsedS);
  const own = (later.sample.clientCpuS ?? 0) - (earlier.sample.clientCpuS ?? 0);
  const cores = Math.max(1, later.sample.cores?.length ?? 1);
  const processes = (later.sample.others ?? []).map(({ name }) => name);
  return seen({
    elapsedS,
    figures,
    cores,
    ownCpuRatio: Math.max(0, own) / elapsedS / cores,
    processes,
    desktop: later.sample.desktop ?? [],
    otherServers: otherServers(later.sample),
  });
}

async function figuresOf(facts: HostFacts, earlier: Timed, later: Timed, elapsedS: number) {
  const figures = new Map<string, number>();
  const probeFacts = { variables: new Map(), flavor: 'mysql', ...probeFactsOf(facts) } as const;
  for (const name of entryNames(PROBES)) {
    const probe = (await loadEntry(PROBES, name)) as Probe;
    if (probe.source !== 'host') continue;
    const moments = [earlier, later].map(({ sample, atMs }) => ({ atMs, host: sample }));
    const readings = probe.between(moments[0]!, moments[1]!, elapsedS, probeFacts);
    if (typeof readings === 'string') continue;
    for (const [key, { value }] of Object.entries(readings)) figures.set(`${name}.${key}`, value);
  }
  return figures;
}

/** Where it is not known which process is the server, one of them is taken for it. */
function otherServers({ others = [], server }: HostSample): string[] {
  const servers = others.filter(({ name }) => isServerName(name));
  const rest = server === undefined ? servers.slice(1) : servers.filter(({ pid }) => pid !== server.pid);
  return rest.map(({ name, pid }) => `${name} ${pid}`);
}

/** Enough for a median, and over before anybody waits. */
const FLUSH_LIMITS = { flushesMax: 200, timeMaxMs: 300 };

/**
 * Only where the disk of the data is certainly one of this machine's: a server in a container, or in another one than
 * this program, has other directories of the same name. Blocks this thread.
 */
export function lookAtFlushes(
  facts: HostFacts,
  { local, hasServer }: { readonly local: HostFacts | undefined; readonly hasServer: boolean },
): Seen<FlushLook> {
  const directory = facts['datadir.path'];
  if (typeof directory !== 'string') return unseenBecause('Where the data lie on that host is not known.');
  if (local === undefined || facts['bootId'] === undefined || facts['bootId'] !== local['bootId']) {
    return unseenBecause('The disk of the data is on another host, where nothing is written by this program.');
  }
  const container = facts['server.container'] ?? 'none';
  const isContained = container !== 'none' && container !== local['virtualization.container'];
  if (hasServer && (facts['server.cores'] === undefined || isContained)) {
    return unseenBecause(
      'The server runs in a container, or its process is not seen: which disk it uses is not certain.',
    );
  }
  const place = writableBeside(directory);
  if (place === undefined)
    return unseenBecause(`No directory on the disk of ${directory} may be written by this user.`);
  try {
    return seen(probeFlushes(place, FLUSH_LIMITS));
  } catch (error) {
    return unseenBecause(`A small file cannot be written to ${place} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Of this very process; empty where this is no Linux. */
export async function lookAtClient(): Promise<ClientLook> {
  const [limits, sockets] = ['/proc/self/limits', '/proc/net/sockstat'] as const;
  const texts = await localFiles.read([limits, sockets]);
  const openFilesMax = softLimit(texts.get(limits), 'Max open files');
  const timeWaitSockets = numberIn(/^TCP: .*\btw (\d+)/m.exec(texts.get(sockets) ?? '')?.[1]);
  return {
    ...(typeof openFilesMax === 'number' ? { openFilesMax } : {}),
    ...(timeWaitSockets === undefined ? {} : { timeWaitSockets }),
  };
}
