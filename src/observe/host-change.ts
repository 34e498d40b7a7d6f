/** How a host's counters moved between two moments, for the probes: over wraps, restarts and parts that are missing. */
import type { HostSample } from './host-sample.ts';
import type { Moment, Reading } from './probe.ts';

/** Both samples, or undefined where the host was not read at either moment. */
export function hostsOf(earlier: Moment, later: Moment): { before: HostSample; after: HostSample } | undefined {
  const before = earlier.host;
  const after = later.host;
  return before === undefined || after === undefined ? undefined : { before, after };
}

export const HOST_NOT_READ = 'The host could not be read.';

/** Where 32 bits end: times of disks everywhere, and every counter of a 32-bit kernel. */
const WRAP = 2 ** 32;

/**
 * How far a counter rose. `unit` is what one step of the kernel's own counter stands for here. Undefined where it was
 * set to zero in between; that it wrapped is believed only where it had come past the half.
 */
export function increase(from: number | undefined, to: number | undefined, unit = 1): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  if (to >= from) return to - from;
  const wrap = WRAP * unit;
  return from < wrap && from > wrap / 2 ? to + wrap - from : undefined;
}

export interface Wanted {
  readonly value: number | undefined;
  readonly unit: string;
}

/** Leaves out what cannot be told. */
export function present(wanted: Readonly<Record<string, Wanted>>): Record<string, Reading> {
  const readings: Record<string, Reading> = {};
  for (const [name, { value, unit }] of Object.entries(wanted)) {
    if (value !== undefined && Number.isFinite(value)) readings[name] = { value, unit };
  }
  return readings;
}

/** The same readings, all under one name: `eth0.sent_bytes_per_s`. */
export function under(prefix: string, readings: Readonly<Record<string, Reading>>): Record<string, Reading> {
  return Object.fromEntries(Object.entries(readings).map(([name, reading]) => [`${prefix}.${name}`, reading]));
}

/** As a part of a name: no dots, which divide names, and nothing that needs quoting. */
export function nameOf(text: string): string {
  return text.replaceAll(/[^\w-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'unnamed';
}
