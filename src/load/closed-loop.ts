/** As fast as the sessions can: each begins its next event when the last one has ended. */
import { type EventSource, NOT_DUE, OVER, type SourceParts, type Taker } from './source.ts';

export class ClosedLoop implements EventSource {
  readonly queueLength = 0;
  readonly #parts: SourceParts;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  /** Hot: once per event. */
  take(session: Taker): number {
    const { schedule, phases, tickets, signal } = this.#parts;
    if (signal.isStopping || session.nowMs >= schedule.endMs) return OVER;
    if (phases.isMeasuring) {
      if (!tickets.claim()) return OVER;
      session.recorder = phases.measured;
    } else {
      session.recorder = phases.warmup;
    }
    session.dueMs = NOT_DUE;
    return tickets.nextIndex();
  }

  arrival(): Promise<number> {
    return Promise.resolve(OVER);
  }

  advance(): void {}

  stop(): void {}
}
