/** The bars set for the generator: ratio to sysbench, point select over a Unix socket, by number of connections. */
export interface Bar {
  readonly connections: number;
  /** Client CPU per statement must not exceed this share of sysbench's. */
  readonly cpuRatioMax: number;
  /** Statements per second must reach this multiple of sysbench's. */
  readonly rateRatioMin: number;
}

export const BARS: readonly Bar[] = [
  { connections: 1, cpuRatioMax: 1.0, rateRatioMin: 1.0 },
  { connections: 8, cpuRatioMax: 0.85, rateRatioMin: 1.0 },
  { connections: 64, cpuRatioMax: 0.65, rateRatioMin: 1.0 },
  { connections: 256, cpuRatioMax: 0.4, rateRatioMin: 1.0 },
  { connections: 1024, cpuRatioMax: 0.15, rateRatioMin: 1.7 },
];
