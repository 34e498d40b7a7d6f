/** The way to a server, as a measurement of a machine's card. */
import { monotonicMs } from '../base/clock.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import type { FigurePlan, Measured, Measurement } from '../machine/card/measurement.ts';
import { hasEndedWell } from '../machine/work.ts';
import type { MachineNetwork } from '../model/machine-card.ts';
import type { Ending } from '../model/run.ts';
import { timeConnect, timeRoundTrips } from '../observe/round-trip.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { connect } from '../wire/connection.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import type { ConnectOptions } from '../wire/types.ts';
import { explainConnectError } from './connect-errors.ts';
import type { OpenTarget } from './open-target.ts';

const CONNECT = 'network.connect';
const LOGIN = 'network.login';
const ROUND_TRIP = 'network.round_trip';
/** One after the other in each round: enough for a median, and nothing that a server would take for a flood. */
const CONNECTS = 10;
/** A server that says nothing for so long has no round trip. */
const SILENCE_MS = 10_000;

export function networkOf({ address, server }: Pick<OpenTarget, 'address' | 'server'>): MachineNetwork {
  const { flavor, version, tls } = server;
  return { address, flavor, version, tls: tls === undefined ? null : `${tls.version} ${tls.cipher}` };
}

export function networkMeasurement(target: ConnectOptions): Measurement {
  const isSocket = target.socketPath !== undefined;
  const kind = isSocket ? 'a Unix socket' : 'TCP';
  const figure = (name: string, percentile: number, how: string): FigurePlan => ({
    id: `${name}_p${percentile}`,
    group: 'network',
    label: `${LABELS[name]}, p${percentile}`,
    unit: 'us',
    better: 'lower',
    how,
    settings: { socket: isSocket },
  });
  const connecting =
    `Connect: until the socket is connected (${kind}${isSocket ? '' : ', name lookup included'}). Login: from then until ` +
    'statements are taken: greeting, encryption, authentication.';
  const trip = `Round trip: DO 0 over ${kind}, one after the other on one connection, server and client included.`;
  return {
    label: 'way to the server',
    weight: 1,
    figures: [
      figure(CONNECT, 50, connecting),
      figure(LOGIN, 50, connecting),
      figure(ROUND_TRIP, 50, trip),
      figure(ROUND_TRIP, 99, trip),
    ],
    measure: (timeS, { signal }) => measure({ readTimeoutMs: SILENCE_MS, ...target }, timeS, signal),
  };
}

const LABELS: Readonly<Record<string, string>> = { [CONNECT]: 'connect', [LOGIN]: 'login', [ROUND_TRIP]: 'round trip' };

async function measure(target: ConnectOptions, timeS: number, signal: AbortSignal): Promise<Measured> {
  const histograms = { [CONNECT]: new Histogram(), [LOGIN]: new Histogram(), [ROUND_TRIP]: new Histogram() };
  const startMs = monotonicMs();
  const { user, system } = process.cpuUsage();
  try {
    for (let count = 0; count < CONNECTS && !signal.aborted; count++) {
      const { connectUs, loginUs } = await timeConnect(target);
      histograms[CONNECT]!.record(connectUs);
      histograms[LOGIN]!.record(loginUs);
    }
    await using connection = await connect(target);
    await timeRoundTrips(connection, timeS, { signal, onTrip: (us) => histograms[ROUND_TRIP]!.record(us) });
  } catch (error) {
    throw refusalOf(explainConnectError(error, target));
  }
  const ending: Ending = signal.aborted ? { kind: 'interrupted', cause: 'Interrupted.' } : { kind: 'time' };
  const cpu = process.cpuUsage({ user, system });
  return {
    ending,
    values: hasEndedWell(ending) ? valuesOf(histograms) : {},
    latencies: Object.fromEntries(Object.entries(histograms).map(([name, each]) => [name, toLatencyRecord(each)])),
    elapsedS: (monotonicMs() - startMs) / 1_000,
    cpuS: (cpu.user + cpu.system) / 1e6,
  };
}

/** A proxy may know no DO: that costs these figures, and no others. */
function refusalOf(error: unknown): unknown {
  const isOfServer = error instanceof ServerError || error instanceof WireError;
  return isOfServer ? new UserError(error.message, { exitCode: ExitCode.targetUnavailable, cause: error }) : error;
}

function valuesOf(histograms: Readonly<Record<string, Histogram>>): Record<string, number> {
  return {
    [`${CONNECT}_p50`]: histograms[CONNECT]!.percentileUs(50),
    [`${LOGIN}_p50`]: histograms[LOGIN]!.percentileUs(50),
    [`${ROUND_TRIP}_p50`]: histograms[ROUND_TRIP]!.percentileUs(50),
    [`${ROUND_TRIP}_p99`]: histograms[ROUND_TRIP]!.percentileUs(99),
  };
}
