/**
 * What a host says of itself at one moment: counters since boot and gauges, whatever they were read through. A part
 * that is absent was not to be had there (another kernel, a container, another operating system); a probe says so.
 */

/** Seconds since boot, summed over the processors of the host. `guest` is inside `user` already. */
export interface CpuTimes {
  readonly user: number;
  readonly nice: number;
  readonly system: number;
  readonly idle: number;
  readonly iowait: number;
  readonly irq: number;
  readonly softirq: number;
  readonly steal: number;
}

/** Counters of one block device, as in /proc/diskstats. Times are summed over requests. */
export interface DiskCounters {
  readonly reads: number;
  readonly readBytes: number;
  readonly readMs: number;
  readonly writes: number;
  readonly writtenBytes: number;
  readonly writeMs: number;
  /** Now. */
  readonly inFlight: number;
  /** Time with at least one request under way. */
  readonly busyMs: number;
  /** Sum over time of requests under way: divided by the time, the mean queue. */
  readonly weightedMs: number;
  /** Kernel 5.5 and newer. */
  readonly flushes?: number;
  readonly flushMs?: number;
}

export interface MemoryGauges {
  readonly totalBytes: number;
  readonly availableBytes: number;
  readonly dirtyBytes?: number;
  readonly swapTotalBytes: number;
  readonly swapFreeBytes: number;
}

/** Microseconds since boot during which some, or all, tasks waited for it. */
export interface PressureCounters {
  readonly cpuSomeUs?: number;
  readonly ioSomeUs?: number;
  readonly ioFullUs?: number;
  readonly memorySomeUs?: number;
  readonly memoryFullUs?: number;
}

export interface NetworkCounters {
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly receivedPackets: number;
  readonly sentPackets: number;
  readonly dropped: number;
  /** Of the link; absent for virtual ones. */
  readonly speedBitsPerS?: number;
}

export interface TcpCounters {
  readonly segmentsSent: number;
  readonly segmentsRetransmitted: number;
  readonly listenOverflows?: number;
  readonly listenDrops?: number;
}

export interface CgroupCounters {
  /** CPUs that cpu.max allows; absent: no limit. */
  readonly cpuLimit?: number;
  /** In which there was something to run; absent where only an old kernel's files were found. */
  readonly periods?: number;
  readonly throttledPeriods: number;
  readonly throttledUs: number;
  readonly memoryLimitBytes?: number;
}

export interface ProcessCounters {
  readonly pid: number;
  readonly name: string;
  readonly cpuS: number;
  /** Seconds since boot: tells a process from a later one of the same number. */
  readonly startedAtS?: number;
  /** Time ready to run and waiting for a processor, over all its threads; absent where the kernel does not tell. */
  readonly runDelayS?: number;
  /** When that was read, seconds since boot: many threads are asked at a lower pace. */
  readonly runDelayAtS?: number;
  readonly readBytes?: number;
  readonly writtenBytes?: number;
  readonly majorFaults?: number;
  readonly residentBytes?: number;
}

export interface HostSample {
  readonly cpu?: CpuTimes;
  /** By processor, in order. */
  readonly cores?: readonly CpuTimes[];
  /** By name: sda, nvme0n1. */
  readonly disks?: Readonly<Record<string, DiskCounters>>;
  readonly memory?: MemoryGauges;
  readonly swappedInPages?: number;
  readonly swappedOutPages?: number;
  readonly pressure?: PressureCounters;
  /** By interface, loopback included. */
  readonly networks?: Readonly<Record<string, NetworkCounters>>;
  readonly tcp?: TcpCounters;
  readonly contextSwitches?: number;
  readonly cgroup?: CgroupCounters;
  /** Mean over the processors, and what they could do at most. */
  readonly frequencyMhz?: number;
  readonly frequencyMaxMhz?: number;
  /** Without turbo, for as long as one likes. */
  readonly frequencyNominalMhz?: number;
  /** Of the hottest zone. */
  readonly temperatureC?: number;
  readonly thermalThrottles?: number;
  /** Bits of `vcgencmd get_throttled` on a Raspberry Pi. */
  readonly piThrottled?: number;
  /** The database server's own process. */
  readonly server?: ProcessCounters;
  /** CPU seconds of `HostTarget.clientPids`. */
  readonly clientCpuS?: number;
  /** Others that have used the most CPU, the client's own excluded; the server's and kernel threads too. */
  readonly others?: readonly ProcessCounters[];
  /** When `others` was read, seconds since boot: all processes are looked at at a lower pace than the rest. */
  readonly othersAtS?: number;
  /** Names of processes that a graphical session consists of, read with `others`. */
  readonly desktop?: readonly string[];
}

/** What is left on the file system of the data directory. */
export interface Room {
  /** For users other than root. */
  readonly freeBytes: number;
  /** Inodes; absent where the file system makes them as they are needed. */
  readonly freeFiles?: number;
}

/** Where the samples come from: the same machine, over SSH, or a Prometheus node_exporter. */
export interface HostSource extends AsyncDisposable {
  /** `this machine`, `ssh dba@db1`, `http://db1:9100/metrics`. */
  readonly description: string;
  /** Rejects with an error that says in a sentence what failed; the next call may succeed again. */
  sample(look?: SampleLook): Promise<HostSample>;
  /** What does not change during a run: kernel, processors, disks, file systems, governor, clock source … */
  facts(): Promise<HostFacts>;
  /** Undefined where the data directory is not known, or not to be seen. */
  room(): Promise<Room | undefined>;
  /** What the observation costs there so far, where it can be told: CPU seconds on the host and on the client. */
  readonly cost: { readonly samples: number; readonly clientCpuS: number; readonly hostCpuS?: number };
  /** Probes for which this way to a host has nothing, whatever the host is, each with the reason as a sentence. */
  readonly untold?: Readonly<Record<string, string>>;
  /** Connections that were lost, each as a sentence; by monotonicMs(). Absent where there is none to lose. */
  readonly troubles?: readonly { readonly atMs: number; readonly is: string }[];
}

export interface SampleLook {
  /** With what is looked at every few seconds only, such as all processes; where the source has such a thing. */
  readonly isWhole?: boolean;
}

/**
 * Plain values with flat, telling names, to compare two hosts by: `cpu.model`, `datadir.filesystem`; docs/probes.md.
 */
export type HostFacts = Readonly<Record<string, string | number | boolean>>;

/** What a source needs to know of the server to find its process and its disk. */
export interface HostTarget {
  /** Absent: unknown. */
  readonly serverPid?: number;
  readonly pidFile?: string;
  readonly dataDirectory?: string;
  /** Processes that are ours: not listed among others. */
  readonly clientPids: readonly number[];
}
