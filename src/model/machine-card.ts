/**
 * What one machine can do, on one card: `sqldyno.machine/1`, a file in the store that can be copied to another machine
 * and laid beside its card. Every figure was measured several times; how far the repeats lie apart is part of it.
 */
import type { Ending, Finding, LatencyRecord } from './run.ts';

export const MACHINE_FORMAT = 'sqldyno.machine/1';

export const FIGURE_GROUPS = ['cpu', 'memory', 'commits', 'disk', 'network'] as const;
export type FigureGroup = (typeof FIGURE_GROUPS)[number];

export type FigureUnit = 'events/s' | 'bytes/s' | 'IOPS' | 'us';

/** Flat facts with telling names; docs/probes.md and docs/machine.md. */
export type MachineFacts = Readonly<Record<string, string | number | boolean>>;

/** From the lowest repeat to the highest, as a share of the median: machines that differ by a tenth are told apart. */
export const SCATTER_GOOD_MAX = 0.05;
/** A factor of one and a half still is. */
export const SCATTER_FAIR_MAX = 0.15;

export interface Trust {
  /** `unknown`: it was measured once. */
  readonly is: 'good' | 'fair' | 'poor' | 'unknown';
  /** By how far the repeats lie apart, or by what is wrong with the figure whatever they say. */
  readonly by: 'scatter' | 'doubt';
  /** A sentence. */
  readonly because: string;
}

export interface MachineFigure {
  /** Stable, for programs: `disk.read.depth16`. */
  readonly id: string;
  readonly group: FigureGroup;
  /** For people, within its group: 'read, depth 16'. */
  readonly label: string;
  readonly unit: FigureUnit;
  readonly better: 'higher' | 'lower';
  /** In the order in which they were measured. */
  readonly repeats: readonly number[];
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** A sentence. */
  readonly how: string;
  /** What must be alike for two cards to be compared, and what it was done with: engine, threads, bytes. */
  readonly settings: MachineFacts;
  readonly trust: Trust;
}

export interface MachineDisk {
  /** In which a file was made, and removed again. */
  readonly directory: string;
  /** Such as `ext4`; `unknown` where the system does not say. */
  readonly fileSystem: string;
  readonly engine: 'fio' | 'sqldyno';
  /** Of fio. */
  readonly engineVersion?: string;
  /** Past the page cache. */
  readonly isDirect: boolean;
  readonly fileBytes: number;
  readonly blockBytes: number;
  /** Whether the whole file has room in this machine's memory. */
  readonly fitsMemory: boolean;
}

export interface MachineNetwork {
  /** `host:port` or a socket's path; never a password. */
  readonly address: string;
  readonly flavor: string;
  readonly version: string;
  readonly tls: string | null;
}

export interface MachineCard {
  readonly format: typeof MACHINE_FORMAT;
  readonly id: string;
  /** What the machine is called: its host name, where nobody says otherwise. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly ending: Ending;
  readonly sqldyno: { readonly version: string };
  /** As typed, secrets removed. */
  readonly command: readonly string[];
  readonly node: string;
  readonly isQuick: boolean;
  readonly facts: MachineFacts;
  readonly figures: readonly MachineFigure[];
  /** Distributions over all repeats: `commits.overwrite`, `disk.read.depth1`, `network.round_trip`. */
  readonly latencies: Readonly<Record<string, LatencyRecord>>;
  /** Absent where no file could be made. */
  readonly disk?: MachineDisk;
  /** Absent where no server was named. */
  readonly network?: MachineNetwork;
  /** What could not be measured. */
  readonly missing: readonly { readonly what: string; readonly because: string }[];
  readonly findings: readonly Finding[];
}
