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
  /** Each for itself; absent in records of older versions. */
  readonly sources?: readonly WatchedSource[];
  /** Statements passed a link or a proxy, not only this machine; absent in records of older versions. */
  readonly isLinked?: boolean;
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
  readonly unseen: readonly Unseen[];
}

export interface WatchedSource {
  readonly of: 'server' | 'host' | 'client';
  readonly answers: number;
  /** Ticks at which it had none. */
  readonly missed: number;
  /** Between its first and its last answer in the measured part: the time that `Series.measured` is of. */
  readonly seenS: number;
}

/** What could not be watched, and why. */
export interface Unseen {
  readonly what: string;
  readonly because: string;
}

/**
 * What the server's performance_schema counted, from the beginning of the measured part to the end of the load; what
 * the observer itself asked is left out. Waits of background threads are among them, and a wait may contain others.
 */
export interface ServerAccount {
  /** Between the two readings. */
  readonly elapsedS: number;
  /** The longest first. */
  readonly statements: readonly StatementAccount[];
  readonly waits: readonly EventAccount[];
  /** Empty where the server times none, which is its default. */
  readonly stages: readonly EventAccount[];
}

export interface StatementAccount {
  /**
   * text: by digest, sent as text. prepared: executions by the text that was prepared. prepared-any: executions of
   * servers that do not tell which. rest: everything else, preparing and closing among it.
   */
  readonly of: 'text' | 'prepared' | 'prepared-any' | 'rest';
  /** Without its literals, and cut where it is long; absent for `prepared-any` and `rest`. */
  readonly text?: string;
  readonly database?: string;
  readonly count: number;
  readonly timeS: number;
  readonly errors: number;
  readonly rowsExamined: number;
  readonly rowsSent: number;
  readonly temporaryTables: number;
  readonly temporaryDiskTables: number;
}

export interface EventAccount {
  /** As the server names it: `wait/io/file/innodb/innodb_log_file`. */
  readonly event: string;
  readonly count: number;
  readonly timeS: number;
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
  readonly name: 'prepare' | 'connect' | 'warm-up' | 'measure' | 'drain';
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
