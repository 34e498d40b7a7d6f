/** The only place that asks what time it is. */
// The global of this name is a getter that is run at each use.
import { performance } from 'node:perf_hooks';

/** Wall clock, milliseconds since 1970. For stamps, never for durations: it may jump. */
export function nowMs(): number {
  return Date.now();
}

/** Monotonic, fractional milliseconds. Hot. */
export function monotonicMs(): number {
  return performance.now();
}

/** Monotonic, nanoseconds, exact. */
export function monotonicNs(): bigint {
  return process.hrtime.bigint();
}
