/** How the server's status moved between two moments, by whichever of its names this server knows. */
import type { Moment, Reading } from './probe.ts';

export interface StatusChange {
  /** The first of the names that both moments have; undefined where there is none. */
  change(...names: readonly string[]): number | undefined;
  now(...names: readonly string[]): number | undefined;
  /** Adds readings, leaving out what this server does not tell. */
  readings(wanted: Readonly<Record<string, Wanted>>): Record<string, Reading>;
}

export interface Wanted {
  readonly value: number | undefined;
  readonly unit: string;
}

/** Undefined where the server was not read at both moments. */
export function statusChange(earlier: Moment, later: Moment): StatusChange | undefined {
  const before = earlier.server;
  const after = later.server;
  if (before === undefined || after === undefined) return undefined;
  const valueIn = (sample: typeof before, name: string) => sample.status.get(name) ?? sample.metrics?.get(name);
  const now = (...names: readonly string[]) =>
    names.map((name) => valueIn(after, name)).find((value) => value !== undefined);
  const change = (...names: readonly string[]) => {
    for (const name of names) {
      const from = valueIn(before, name);
      const to = valueIn(after, name);
      if (from !== undefined && to !== undefined) return to - from;
    }
    return undefined;
  };
  const readings = (wanted: Readonly<Record<string, Wanted>>) => {
    const found: Record<string, Reading> = {};
    for (const [name, { value, unit }] of Object.entries(wanted)) {
      if (value !== undefined && Number.isFinite(value)) found[name] = { value, unit };
    }
    return found;
  };
  return { change, now, readings };
}

export const NOT_READ = 'The server could not be asked for its status.';

/** Undefined where either is, or the divisor is zero. */
export function quotient(dividend: number | undefined, divisor: number | undefined): number | undefined {
  return dividend === undefined || divisor === undefined || divisor === 0 ? undefined : dividend / divisor;
}
