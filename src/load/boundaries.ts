/** Where intervals end, in seconds from the start of the measured part; the same in all workers. */

export interface BoundarySettings {
  readonly warmupS: number;
  /** 0: none but the end of the warm-up and the checkpoints. */
  readonly intervalS: number;
  /** Ascending. */
  readonly checkpointsS: readonly number[];
}

/** Multiples of 0.1 are not exact in binary; boundaries are told to the microsecond. */
const PER_SECOND = 1e6;

export class Boundaries {
  /** The next end of an interval; infinite where none is left. */
  nextS = Number.NEGATIVE_INFINITY;
  readonly #settings: BoundarySettings;
  #multiple: number;
  #checkpoint = 0;

  constructor(settings: BoundarySettings) {
    this.#settings = settings;
    this.#multiple = settings.intervalS === 0 ? 0 : Math.floor(-settings.warmupS / settings.intervalS);
    this.nextS = -settings.warmupS;
    this.advance();
  }

  advance(): void {
    const { warmupS, intervalS, checkpointsS } = this.#settings;
    const endedS = this.nextS;
    let nextS = Number.POSITIVE_INFINITY;
    if (warmupS > 0 && endedS < 0) nextS = 0;
    if (intervalS > 0) {
      while (this.#multipleS() <= endedS) this.#multiple++;
      nextS = Math.min(nextS, this.#multipleS());
    }
    while (this.#checkpoint < checkpointsS.length && checkpointsS[this.#checkpoint]! <= endedS) this.#checkpoint++;
    this.nextS = Math.min(nextS, checkpointsS[this.#checkpoint] ?? Number.POSITIVE_INFINITY);
  }

  #multipleS(): number {
    return boundaryS(this.#multiple, this.#settings.intervalS);
  }
}

/** The end of interval number `multiple`, counted from the start of the measured part. */
export function boundaryS(multiple: number, intervalS: number): number {
  return Math.round(multiple * intervalS * PER_SECOND) / PER_SECOND;
}
