/** The five transaction types: what the rules ask of each, and how often a profile runs it. */
import type { DeviationName } from './deviations.ts';

export const TRANSACTION_NAMES = ['new_order', 'payment', 'order_status', 'delivery', 'stock_level'] as const;
export type TransactionName = (typeof TRANSACTION_NAMES)[number];

export type Switches = ReadonlySet<DeviationName>;

interface TransactionRules {
  /** Of all transactions, percent. New orders are what is left. */
  readonly shareMin: number | undefined;
  readonly keyingS: number;
  readonly thinkMeanS: number;
  /** The 90th percentile of the response time is at most this. */
  readonly responseMaxS: number;
}

/** Clauses 5.2.3 and 5.2.5. */
export const RULES: Readonly<Record<TransactionName, TransactionRules>> = {
  new_order: { shareMin: undefined, keyingS: 18, thinkMeanS: 12, responseMaxS: 5 },
  payment: { shareMin: 43, keyingS: 3, thinkMeanS: 12, responseMaxS: 5 },
  order_status: { shareMin: 4, keyingS: 2, thinkMeanS: 10, responseMaxS: 5 },
  delivery: { shareMin: 4, keyingS: 2, thinkMeanS: 5, responseMaxS: 5 },
  stock_level: { shareMin: 4, keyingS: 2, thinkMeanS: 5, responseMaxS: 20 },
};
/** Of the part of a delivery for which nobody waits. */
export const DEFERRED_RESPONSE_MAX_S = 80;

export const TERMINALS_PER_WAREHOUSE = 10;

type Weights = Readonly<Record<TransactionName, number>>;

/** A little above each minimum, so that the measured shares of a long run meet it too. */
const WITH_MARGIN: Weights = { new_order: 445, payment: 431, order_status: 41, delivery: 41, stock_level: 42 };
const WITHOUT_MARGIN: Weights = { new_order: 45, payment: 43, order_status: 4, delivery: 4, stock_level: 4 };
const OF_DECK: Weights = { new_order: 10, payment: 10, order_status: 1, delivery: 1, stock_level: 1 };

export function weightsOf(on: Switches): Weights {
  if (on.has('mix_by_deck_shares')) return OF_DECK;
  return on.has('mix_without_margin') ? WITHOUT_MARGIN : WITH_MARGIN;
}

/** A 24th beside the deck of 23. */
export const PURGE_WEIGHT = 1;

/** What a user of a terminal takes for a transaction of this type, seconds. */
export function timesOf(
  name: TransactionName,
  on: Switches,
): { readonly keyingS: number; readonly thinkMeanS: number } {
  const { keyingS, thinkMeanS } = RULES[name];
  if (!on.has('think_times_swapped')) return { keyingS, thinkMeanS };
  if (name === 'delivery') return { keyingS, thinkMeanS: RULES.order_status.thinkMeanS };
  return { keyingS, thinkMeanS: name === 'order_status' ? RULES.delivery.thinkMeanS : thinkMeanS };
}

/**
 * New orders per minute of one terminal, if the server took no time at all: nothing can be faster with the times that
 * users take for these shares.
 */
export function capPerTerminal(shares: Weights, on: Switches): number {
  const all = TRANSACTION_NAMES.reduce((sum, name) => {
    const { keyingS, thinkMeanS } = timesOf(name, on);
    return sum + shares[name] * (keyingS + thinkMeanS);
  }, 0);
  return all === 0 ? 0 : (shares.new_order / all) * 60;
}
