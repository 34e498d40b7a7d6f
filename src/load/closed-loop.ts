/** As fast as the sessions can: each begins its next event when the last one has ended. */
import { type EventSource, NOT_DUE, OVER, type SourceParts, type Taker } from './source.ts';

export interface ClosedLoopParts extends SourceParts {
  /** Numbers, over all workers, of this worker's sessions. */
  readonly sessions: readonly number[];
  readonly sessionsOfAll: number;
  /** Events of the measured part, of every session; 0: no limit of its own. */
  readonly eventsPerSession: number;
}

export class ClosedLoop implements EventSource {
  readonly queueLength = 0;
  readonly #parts: ClosedLoopParts;
  /** Of each session, by place: events begun, and those of the measured part. */
  readonly #begun: Float64Array;
  readonly #measured: Float64Array;

  constructor(parts: ClosedLoopParts) {
    this.#parts = parts;
    this.#begun = new Float64Array(parts.sessions.length);
    this.#measured = new Float64Array(parts.sessions.length);
  }

  /** Hot: once per event. */
  take(session: Taker): number {
    const { schedule, phases, tickets, signal, eventsPerSession } = this.#parts;
    if (signal.isStopping || session.nowMs >= schedule.endMs) return OVER;
    if (phases.isMeasuring) {
      if (eventsPerSession > 0 && this.#measured[session.place]! >= eventsPerSession) return OVER;
      if (!tickets.claim()) return OVER;
      this.#measured[session.place]!++;
      session.recorder = phases.measured;
    } else {
      session.recorder = phases.warmup;
    }
    session.dueMs = NOT_DUE;
    return eventsPerSession > 0 ? this.#ownIndex(session.place) : tickets.nextIndex();
  }

  /** Every session has numbers of its own then: which it gets does not depend on how fast the others are. */
  #ownIndex(place: number): number {
    const { sessions, sessionsOfAll } = this.#parts;
    return this.#begun[place]!++ * sessionsOfAll + sessions[place]!;
  }

  arrival(): Promise<number> {
    return Promise.resolve(OVER);
  }

  advance(): void {}

  stop(): void {}
}
