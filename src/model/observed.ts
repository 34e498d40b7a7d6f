/** What was watched beside the load: series on the run's own clock, the environment, phases and events. */

/** What one probe saw, on the run's own clock. */
export interface Series {
  /** Ends of the samples, seconds since the measured part began; negative before. */
  readonly atS: readonly number[];
  /** By the names of docs/probes.md. Null: not to be had at that moment. */
  readonly values: Readonly<Record<string, { readonly unit: string; readonly points: readonly (number | null)[] }>>;
  /** Over the whole measured part, of its first and last moment: no mean of means. */
  readonly measured: Readonly<Record<string, number>>;
}

/** What was watched, what could not be, and what watching cost. */
export interface Observation {
  readonly intervalS: number;
  readonly samples: number;
  /** Ticks at which a source had no answer. */
  readonly missed: number;
  /** How the host was read; absent where it was not. */
  readonly host?: string;
  /** The host that was read is the one on which the client runs. */
  readonly isClientHost?: boolean;
  readonly cost: {
    /** Of the client's main thread: reading, reckoning and showing. */
    readonly clientCpuS: number;
    readonly serverStatements: number;
    readonly serverBytes: number;
    readonly hostCpuS?: number;
  };
  readonly unseen: readonly { readonly what: string; readonly because: string }[];
}

/** Flat facts with telling names, such as `cpu.model`, by whom they are of: for comparing two runs. */
export interface Environment {
  readonly server: Readonly<Record<string, string | number | boolean>>;
  readonly host: Readonly<Record<string, string | number | boolean>>;
  readonly client: Readonly<Record<string, string | number | boolean>>;
  /** From the client to the server and back, on an idle connection before the run. */
  readonly roundTripUs?: { readonly p50: number; readonly p99: number; readonly mean?: number };
}

export interface Phase {
  readonly name: 'connect' | 'warm-up' | 'measure' | 'drain';
  readonly startS: number;
  readonly endS: number;
}
export interface RunEvent {
  /** Seconds since the measured part began. */
  readonly atS: number;
  /** Stable, for programs: `checkpoint-stall`, `error-burst`, `ddl`. */
  readonly id: string;
  readonly is: string;
}
