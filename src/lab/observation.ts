/**
 * Everything that is watched beside a load: the server's status, its host, and this client. Opened before the load,
 * finished after it; whatever cannot be watched is noted with its reason, and never ends a run.
 */
import { readFileSync } from 'node:fs';
import { entryNames, loadEntry } from '../base/catalog.ts';
import { nowMs } from '../base/clock.ts';
import type { OpenHosts } from '../doctor/hosts.ts';
import type { ClientState } from '../load/messages.ts';
import type { Environment, Observation, Phase, Series, ServerAccount, Unseen } from '../model/observed.ts';
import { isLoopback } from '../observe/host.ts';
import type { HostFacts, HostSource } from '../observe/host-sample.ts';
import type { ClientSample, Probe, ProbeFacts } from '../observe/probe.ts';
import { probeFactsOf } from '../observe/probe-facts.ts';
import { roundTrips, serverEnvironment } from '../observe/server-environment.ts';
import { ownRunDelayS } from '../observe/sources/own-run-delay.ts';
import type { ServerSource } from '../observe/sources/server.ts';
import { ServerError } from '../wire/errors.ts';
import type { Connection } from '../wire/types.ts';
import { PhaseBook, type Prepared } from './phases.ts';
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
  /** Of the target, as in its record. */
  readonly address: string;
  readonly prepared?: Prepared;
}

/** What a run's record gets of it. */
export interface Observed {
  readonly series: Readonly<Record<string, Series>>;
  readonly observation: Observation;
  readonly environment: Environment;
  readonly phases: readonly Phase[];
  readonly serverAccount?: ServerAccount;
}

const CATALOG = new URL('../observe/catalog/', import.meta.url);
/** Enough to tell a link on which one in a hundred is late, and on a long way no more than fits into a second. */
const ROUND_TRIPS = { count: 200, timeMs: 1_000 };
const PHASES = { connecting: 'connect', 'warming up': 'warm-up', measuring: 'measure', stopping: 'drain' } as const;
type LoadPhase = keyof typeof PHASES;

export class RunObservation {
  readonly #request: ObservationRequest;
  readonly #host: HostSource | undefined;
  readonly #server: ServerSource;
  readonly #sampler: Sampler;
  readonly #environment: Environment;
  readonly #unseen: Unseen[];
  readonly #clients = new Map<number, ClientState>();
  readonly #phases: PhaseBook;
  readonly #cpuStart = mainThreadCpuS();
  readonly #isLinked: boolean;
  #statementsAtStart = 0;

  private constructor(parts: {
    readonly world: SamplerWorld;
    readonly request: ObservationRequest;
    readonly host: HostSource | undefined;
    readonly server: ServerSource;
    readonly environment: Environment;
    readonly probes: ReadonlyMap<string, Probe>;
    readonly facts: ProbeFacts;
    readonly unseen: Unseen[];
    readonly isLinked: boolean;
  }) {
    this.#request = parts.request;
    this.#host = parts.host;
    this.#server = parts.server;
    this.#environment = parts.environment;
    this.#unseen = parts.unseen;
    this.#isLinked = parts.isLinked;
    this.#phases = new PhaseBook({ now: () => parts.world.now(), wallNow: nowMs }, parts.request.prepared);
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
    const unseen: Unseen[] = [];
    const { server: ofServer, client: ofClient } = request.hosts;
    if (ofServer.is === 'unseen') unseen.push({ what: 'host', because: ofServer.because });
    const host = ofServer.is === 'seen' ? ofServer.value : undefined;
    const hostFacts = await factsOf(host, unseen);
    if (host !== undefined && hostFacts['disk.name'] === undefined) {
      unseen.push({ what: 'data disk', because: 'Which disk holds the data directory is not to be seen.' });
    }
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
    const isLinked = await isBehindLink(connection, request.address, environment);
    return new RunObservation({ world, request, host, server, environment, probes, facts, unseen, isLinked });
  }

  /** All sessions are ready: from now on the server is asked once every interval. */
  async start(): Promise<void> {
    this.#statementsAtStart = this.#server.traffic.statements;
    await this.#sampler.start();
    await this.#beginAccount();
  }

  onPhase(phase: LoadPhase): void {
    const wasWarmedUp = phase === 'measuring' && this.#phases.has('warm-up');
    this.#phases.begin(PHASES[phase]);
    if (phase === 'measuring') void this.#sampler.beginMeasuring();
    // Without a warm-up what was read before the load is the exact beginning.
    if (wasWarmedUp) void this.#beginAccount();
  }

  #beginAccount(): Promise<void> {
    return this.#server.beginAccount(this.#request.variables['performance_schema']);
  }

  onClient(worker: number, state: ClientState): void {
    this.#clients.set(worker, state);
  }

  /** The last reply has arrived. Resolves when nothing is asked any more. */
  async stop(): Promise<void> {
    this.#phases.end();
    await this.#sampler.stop();
  }

  /** The server has counted all that was sent. Nothing is asked after this. */
  async finish(): Promise<void> {
    await this.#server.finishAccount();
  }

  get observed(): Observed {
    const { series, samples, missed, sources, unseen } = this.#sampler.watched;
    const hostCpuS = this.#host?.cost.hostCpuS;
    const { traffic, account } = this.#server;
    return {
      series,
      environment: this.#environment,
      phases: this.#phases.inS,
      ...(account === undefined ? {} : { serverAccount: account }),
      observation: {
        intervalS: this.#request.intervalS,
        samples,
        missed,
        sources,
        isLinked: this.#isLinked,
        ...(this.#host === undefined ? {} : { host: this.#host.description }),
        ...(this.#host === undefined ? {} : { isClientHost: this.#isClientHost }),
        cost: {
          clientCpuS: Math.max(0, mainThreadCpuS() - this.#cpuStart),
          serverStatements: traffic.statements - this.#statementsAtStart,
          serverBytes: traffic.bytes,
          ...(hostCpuS === undefined ? {} : { hostCpuS }),
        },
        unseen: this.#unseenOnce(unseen),
      },
    };
  }

  /** The reason of whoever asked comes before what a probe makes of having nothing. */
  #unseenOnce(ofProbes: readonly Unseen[]): Unseen[] {
    const asked = [...this.#unseen, ...this.#server.unseen];
    const others = ofProbes.filter(({ what }) => !asked.some((unseen) => unseen.what === what));
    const untold = this.#host?.untold ?? {};
    return [...asked, ...others.map(({ what, because }) => ({ what, because: untold[what] ?? because }))];
  }

  get #isClientHost(): boolean {
    return isOneMachine(this.#environment) === true;
  }

  #client(): ClientSample {
    const { user, system } = process.cpuUsage();
    const runDelayS = ownRunDelayS();
    const residentBytes = this.#residentBytes();
    return {
      ...(runDelayS === undefined ? {} : { runDelayS }),
      cpuS: (user + system) / 1e6,
      eventLoopUtilizations: [...this.#clients.values()].map(({ eventLoopUtilization }) => eventLoopUtilization),
      ...(residentBytes === undefined ? {} : { residentBytes }),
    };
  }

  /** Node reads it from /proc, which a container may hide. */
  #residentBytes(): number | undefined {
    try {
      return process.memoryUsage.rss();
    } catch (error) {
      const what = 'memory of the client';
      const isTold = this.#unseen.some((unseen) => unseen.what === what);
      if (!isTold) this.#unseen.push({ what, because: (error as Error).message });
      return undefined;
    }
  }
}

async function factsOf(host: HostSource | undefined, unseen: Unseen[]): Promise<HostFacts> {
  try {
    return (await host?.facts()) ?? {};
  } catch (error) {
    unseen.push({ what: 'facts of the host', because: (error as Error).message });
    return {};
  }
}

/** Undefined where either does not say which machine it is. */
function isOneMachine({ host, client }: Pick<Environment, 'host' | 'client'>): boolean | undefined {
  const [one, other] = [host['bootId'], client['bootId']];
  return one === undefined || other === undefined ? undefined : one === other;
}

/**
 * Whether statements pass anything but this machine. A port of this machine that is not the server's own leads through
 * a proxy or a tunnel, to wherever.
 */
async function isBehindLink(connection: Connection, address: string, environment: Environment): Promise<boolean> {
  if (address.startsWith('/')) return false;
  const at = address.lastIndexOf(':');
  const isHere = isOneMachine(environment) ?? isLoopback(address.slice(0, at));
  return !isHere || address.slice(at + 1) !== (await portOf(connection));
}

/** Undefined where a proxy does not tell. */
async function portOf(connection: Connection): Promise<string | undefined> {
  try {
    const { rows } = await connection.read('SELECT @@port');
    return String(rows[0]?.[0] ?? '');
  } catch (error) {
    if (error instanceof ServerError) return undefined;
    throw error;
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
