/** What a worker has sent, by what the protocol and the server's counters see of it. Never reset. */
import type { Connection } from '../wire/types.ts';
import type { SentCounts } from './plan.ts';
import { VERBS } from './verb.ts';

export class Sent {
  connects = 0;
  prepares = 0;
  executes = 0;
  queries = 0;
  errors = 0;
  /** By the ids of `VERBS`. */
  readonly byVerb = new Float64Array(VERBS.length);
  readonly #open = new Set<Connection>();
  #closedSent = 0;
  #closedReceived = 0;

  opened(connection: Connection): void {
    this.connects++;
    this.#open.add(connection);
  }

  /** Its bytes go on counting; called once it has closed. */
  closed(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#closedSent += connection.bytesSent;
    this.#closedReceived += connection.bytesReceived;
  }

  toCounts(): SentCounts {
    let bytesSent = this.#closedSent;
    let bytesReceived = this.#closedReceived;
    for (const connection of this.#open) {
      bytesSent += connection.bytesSent;
      bytesReceived += connection.bytesReceived;
    }
    const { connects, prepares, executes, queries, errors } = this;
    const byVerb = Object.fromEntries(VERBS.map((verb, id) => [verb, this.byVerb[id]!]));
    // Sessions keep their statements until they disconnect, and the server counts only what it was told to close.
    return { connects, prepares, executes, queries, byVerb, bytesSent, bytesReceived, errors };
  }
}

export function addSent(one: SentCounts, other: SentCounts): SentCounts {
  return combine(one, other, (a, b) => a + b);
}

export function subtractSent(all: SentCounts, part: SentCounts): SentCounts {
  return combine(all, part, (a, b) => a - b);
}

export function nothingSent(): SentCounts {
  return new Sent().toCounts();
}

function combine(one: SentCounts, other: SentCounts, of: (a: number, b: number) => number): SentCounts {
  return {
    connects: of(one.connects, other.connects),
    prepares: of(one.prepares, other.prepares),
    executes: of(one.executes, other.executes),
    queries: of(one.queries, other.queries),
    byVerb: Object.fromEntries(VERBS.map((verb) => [verb, of(one.byVerb[verb] ?? 0, other.byVerb[verb] ?? 0)])),
    bytesSent: of(one.bytesSent, other.bytesSent),
    bytesReceived: of(one.bytesReceived, other.bytesReceived),
    errors: of(one.errors, other.errors),
  };
}
