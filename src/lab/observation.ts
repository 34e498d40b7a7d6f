/**
 * Everything that is watched beside a load: the server's status, its host, and this client. Opened before the load,
 * finished after it; whatever cannot be watched is noted with its reason, and never ends a run.
 */
import { readFileSync } from 'node:fs';
import { entryNames, loadEntry } from '../base/catalog.ts';
import type { OpenHosts } from '../doctor/hosts.ts';
import type { ClientState } from '../load/messages.ts';
import type { Environment, Observation, Phase, Series } from '../model/observed.ts';
import type { HostFacts, HostSource } from '../observe/host-sample.ts';
import type { Probe, ProbeFacts } from '../observe/probe.ts';
import { probeFactsOf } from '../observe/probe-facts.ts';
import { roundTrips, serverEnvironment } from '../observe/server-environment.ts';
import { ownRunDelayS } from '../observe/sources/own-run-delay.ts';
import type { ServerSource } from '../observe/sources/server.ts';
import type { Connection } from '../wire/types.ts';
import { Sampler, type SamplerWorld } from './sampler.ts';

/** How the server's host is to be read, as the user says. */
export interface HostRequest {
  readonly ssh?: string;
  readonly metricsUrl?: string;
}

export interface ObservationRequest {
  readonly intervalS: number;
  /** Opened and closed by the caller. */
  readonly hosts: Pick<OpenHosts, 'server' | 'client'>;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a run's record gets of it. */
export interface Observed {
  readonly series: Readonly<Record<string, Series>>;
  readonly observation: Observation;
  readonly environment: Environment;
  readonly phases: readonly Phase[];
}

const CATALOG = new URL('../observe/catalog/', import.meta.url);
/** Enough to tell a link on which one in a hundred is late, and on a long way no more than fits into a second. */
const ROUND_TRIPS = { count: 200, timeMs: 1_000 };
const PHASES = { connecting: 'connect', 'warming up': 'warm-up', measuring: 'measure', stopping: 'drain' } as const;
type LoadPhase = keyof typeof PHASES;

export class RunObservation {
  readonly #world: SamplerWorld;
  readonly #request: ObservationRequest;
  readonly #host: HostSource | undefined;
  readonly #server: ServerSource;
  readonly #sampler: Sampler;
  readonly #environment: Environment;
  readonly #unseen: { what: string; because: string }[];
  readonly #clients = new Map<number, ClientState>();
  readonly #phases: { readonly name: Phase['name']; readonly atMs: number }[] = [];
  readonly #cpuStart = mainThreadCpuS();
  #statementsAtStart = 0;
  #endMs: number | undefined;

  private constructor(parts: {
    readonly world: SamplerWorld;
    readonly request: ObservationRequest;
    readonly host: HostSource | undefined;
    readonly server: ServerSource;
    readonly environment: Environment;
    readonly probes: ReadonlyMap<string, Probe>;
    readonly facts: ProbeFacts;
    readonly unseen: { what: string; because: string }[];
  }) {
    this.#world = parts.world;
    this.#request = parts.request;
    this.#host = parts.host;
    this.#server = parts.server;
    this.#environment = parts.environment;
    this.#unseen = parts.unseen;
    this.#sampler = new Sampler({
      world: parts.world,
      probes: parts.probes,
      facts: parts.facts,
      intervalMs: parts.request.intervalS * 1000,
      sources: {
        server: parts.server,
        ...(parts.host === undefined ? {} : { host: parts.host }),
        client: () => this.#client(),
      },
    });
  }

  /** Before the counters are compared for the first time: it asks the server some questions of its own. */
  static async open(
    connection: Connection,
    server: ServerSource,
    request: ObservationRequest,
    world: SamplerWorld,
  ): Promise<RunObservation> {
    const unseen: { what: string; because: string }[] = [];
    const { server: ofServer, client: ofClient } = request.hosts;
    if (ofServer.is === 'unseen') unseen.push({ what: 'host', because: ofServer.because });
    const host = ofServer.is === 'seen' ? ofServer.value : undefined;
    const hostFacts = await factsOf(host, unseen);
    const client = ofClient.is === 'seen' ? ofClient.value : undefined;
    const clientFacts = client === host ? hostFacts : await factsOf(client, []);
    const environment: Environment = {
      server: await serverEnvironment(connection),
      host: hostFacts,
      client: clientFacts,
      roundTripUs: await roundTrips(connection, ROUND_TRIPS, () => world.now()),
    };
    const variables = new Map(Object.entries(request.variables));
    const facts: ProbeFacts = { variables, flavor: connection.server.flavor, ...probeFactsOf(hostFacts) };
    const probes = await loadProbes(host !== undefined);
    return new RunObservation({ world, request, host, server, environment, probes, facts, unseen });
  }

  /** All sessions are ready: from now on the server is asked once every interval. */
  async start(): Promise<void> {
    this.#statementsAtStart = this.#server.traffic.statements;
    await this.#sampler.start();
  }

  onPhase(phase: LoadPhase): void {
    this.#phases.push({ name: PHASES[phase], atMs: this.#world.now() });
    if (phase === 'measuring') void this.#sampler.beginMeasuring();
  }

  onClient(worker: number, state: ClientState): void {
    this.#clients.set(worker, state);
  }

  /** The last reply has arrived. Resolves when nothing is asked any more. */
  async stop(): Promise<void> {
    this.#endMs = this.#world.now();
    await this.#sampler.stop();
  }

  get observed(): Observed {
    const { series, samples, missed, unseen } = this.#sampler.watched;
    const hostCpuS = this.#host?.cost.hostCpuS;
    const traffic = this.#server.traffic;
    return {
      series,
      environment: this.#environment,
      phases: this.#phasesInS(),
      observation: {
        intervalS: this.#request.intervalS,
        samples,
        missed,
        ...(this.#host === undefined ? {} : { host: this.#host.description }),
        ...(this.#host === undefined ? {} : { isClientHost: this.#isClientHost }),
        cost: {
          clientCpuS: Math.max(0, mainThreadCpuS() - this.#cpuStart),
          serverStatements: traffic.statements - this.#statementsAtStart,
          serverBytes: traffic.bytes,
          ...(hostCpuS === undefined ? {} : { hostCpuS }),
        },
        unseen: [...this.#unseen, ...this.#server.unseen, ...unseen],
      },
    };
  }

  get #isClientHost(): boolean {
    const { host, client } = this.#environment;
    return host['bootId'] !== undefined && host['bootId'] === client['bootId'];
  }

  #client() {
    const { user, system } = process.cpuUsage();
    const runDelayS = ownRunDelayS();
    return {
      ...(runDelayS === undefined ? {} : { runDelayS }),
      cpuS: (user + system) / 1e6,
      eventLoopUtilizations: [...this.#clients.values()].map(({ eventLoopUtilization }) => eventLoopUtilization),
      residentBytes: process.memoryUsage.rss(),
    };
  }

  #phasesInS(): Phase[] {
    const zeroMs = this.#phases.find(({ name }) => name === 'measure')?.atMs ?? this.#endMs ?? 0;
    const endMs = this.#endMs ?? this.#world.now();
    return this.#phases.map(({ name, atMs }, at) => ({
      name,
      startS: (atMs - zeroMs) / 1000,
      endS: ((this.#phases[at + 1]?.atMs ?? endMs) - zeroMs) / 1000,
    }));
  }
}

async function factsOf(host: HostSource | undefined, unseen: { what: string; because: string }[]): Promise<HostFacts> {
  try {
    return (await host?.facts()) ?? {};
  } catch (error) {
    unseen.push({ what: 'facts of the host', because: (error as Error).message });
    return {};
  }
}

async function loadProbes(hasHost: boolean): Promise<ReadonlyMap<string, Probe>> {
  const probes = new Map<string, Probe>();
  for (const name of entryNames(CATALOG)) {
    const probe = (await loadEntry(CATALOG, name)) as Probe;
    if (hasHost || probe.source !== 'host') probes.set(name, probe);
  }
  return probes;
}

/** User and system time, in ticks of 10 ms: only Linux tells it of a single thread. */
function mainThreadCpuS(): number {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}
