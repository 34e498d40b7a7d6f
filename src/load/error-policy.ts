/** What is done about an error: decided here, carried out by the session. Pure. */
import type { Random } from '../base/random.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import { ValidationError } from '../workload/workload.ts';
import type { ErrorPolicy } from './plan.ts';

export type Reaction = 'retry' | 'reconnect' | 'note' | 'stop';

/**
 * Errors after which the server ends the connection, although it still said so: ER_SERVER_SHUTDOWN, MariaDB's
 * ER_CONNECTION_KILLED, MySQL's ER_SESSION_WAS_KILLED and ER_CLIENT_INTERACTION_TIMEOUT.
 */
const LAST_WORDS: ReadonlySet<number> = new Set([1053, 1927, 3169, 4031]);

export function reactionTo(error: unknown, policy: ErrorPolicy): Reaction {
  if (error instanceof ValidationError) return 'note';
  if (isLoss(error)) return policy.lostConnection === 'resume' ? 'reconnect' : 'stop';
  if (!(error instanceof ServerError)) return 'stop';
  return policy.ignore === 'all' || policy.ignore.includes(error.code) ? 'retry' : 'stop';
}

export function isLoss(error: unknown): boolean {
  return error instanceof WireError || (error instanceof ServerError && LAST_WORDS.has(error.code));
}

/** Which pause follows how many failures. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** A deadlock's victims must not meet again at once; after a tenth of a second the other transaction is long gone. */
export const RETRY_BACKOFF: Backoff = { firstMs: 1, longestMs: 100 };
/** A server takes seconds to come back; asking twice a second costs nothing and keeps the gap's end sharp. */
export const RECONNECT_BACKOFF: Backoff = { firstMs: 10, longestMs: 500 };

/** Doubles with every failure, of which at least half always passes: the other half is drawn, so that sessions part. */
export function pauseMs({ firstMs, longestMs }: Backoff, failures: number, random: Random): number {
  const pause = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return pause * (0.5 + 0.5 * random.next());
}
