/** How busy this thread's event loop is, and how late its timers: whether the client itself was the bottleneck. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { ClientState } from './messages.ts';

/** Node samples with a timer of this period, and what it records contains the period. */
const RESOLUTION_MS = 10;
const PER_MS = 1e6;

export class EventLoopWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #start = performance.eventLoopUtilization();

  /** Forgets what was before. */
  start(): void {
    this.#start = performance.eventLoopUtilization();
    this.#delay.enable();
    this.#delay.reset();
  }

  state(): ClientState {
    const delayMs = this.#delay.count === 0 ? 0 : this.#delay.percentile(99) / PER_MS - RESOLUTION_MS;
    return {
      eventLoopUtilization: performance.eventLoopUtilization(this.#start).utilization,
      eventLoopDelayP99Ms: Math.max(0, delayMs),
    };
  }

  stop(): void {
    this.#delay.disable();
  }
}
