/** The way to a server: how long it takes to reach it, to be let in, and to hear from it. Microseconds. */
import { monotonicMs } from '../base/clock.ts';
import { connect } from '../wire/connection.ts';
import type { Connection, ConnectOptions, ServerInfo } from '../wire/types.ts';

const US_PER_MS = 1_000;

export interface WayTimes {
  readonly server: ServerInfo;
  /** Until the socket was connected; a host's name is looked up in this time. */
  readonly connectUs: number;
  /** From then until the server took statements: greeting, TLS, authentication. */
  readonly loginUs: number;
}

/** One connection, made and closed in good order: a server that is only knocked at counts that against our host. */
export async function timeConnect(target: ConnectOptions): Promise<WayTimes> {
  const startMs = monotonicMs();
  let reachedMs = startMs;
  const onReached = () => {
    reachedMs = monotonicMs();
  };
  await using connection = await connect({ ...target, onReached });
  const doneMs = monotonicMs();
  return {
    server: connection.server,
    connectUs: (reachedMs - startMs) * US_PER_MS,
    loginUs: (doneMs - reachedMs) * US_PER_MS,
  };
}

/** Statements that do nothing, one after the other, until the time is over. At least one. */
export async function timeRoundTrips(
  connection: Connection,
  timeS: number,
  { signal, onTrip }: { readonly signal: AbortSignal; onTrip(us: number): void },
): Promise<void> {
  // The first one finds caches cold, and is left out.
  await connection.execute('DO 0');
  const endMs = monotonicMs() + timeS * US_PER_MS;
  let beforeMs: number;
  do {
    beforeMs = monotonicMs();
    await connection.execute('DO 0');
    onTrip((monotonicMs() - beforeMs) * US_PER_MS);
  } while (beforeMs < endMs && !signal.aborted);
}
