/** What the round trips say of the link. */

/**
 * Linux sends a lost segment again after 200 ms, and wireless links stall for tens: less may be the scheduler's doing.
 */
const P99_MIN_S = 0.01;
const SCATTER_MIN = 5;

export interface Link {
  readonly isOverNetwork: boolean;
  readonly roundTripP50S: number | undefined;
  readonly roundTripP99S: number | undefined;
}

/** One in a hundred takes much longer than the others: it was held up, or its segment lost. */
export function scatters({ isOverNetwork, roundTripP50S = 0, roundTripP99S = 0 }: Link): boolean {
  return isOverNetwork && roundTripP99S >= P99_MIN_S && roundTripP99S > SCATTER_MIN * roundTripP50S;
}
