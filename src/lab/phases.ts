/** The phases of a run on its own clock: seconds since the measured part began, negative before. */
import type { Phase } from '../model/observed.ts';

/** When the data of a run was made, wall clock. */
export interface Prepared {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

interface Clocks {
  /** Milliseconds of the clock that the load uses. */
  now(): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
}

export class PhaseBook {
  readonly #clocks: Clocks;
  readonly #prepared: Prepared | undefined;
  readonly #begun: { readonly name: Phase['name']; readonly atMs: number; readonly wallAtMs: number }[] = [];
  #endMs: number | undefined;

  constructor(clocks: Clocks, prepared: Prepared | undefined) {
    this.#clocks = clocks;
    this.#prepared = prepared;
  }

  /** The one before has ended. */
  begin(name: Phase['name']): void {
    this.#begun.push({ name, atMs: this.#clocks.now(), wallAtMs: this.#clocks.wallNow() });
  }

  has(name: Phase['name']): boolean {
    return this.#begun.some((phase) => phase.name === name);
  }

  end(): void {
    this.#endMs = this.#clocks.now();
  }

  get inS(): Phase[] {
    const endMs = this.#endMs ?? this.#clocks.now();
    // Of a run that was never measured the end is the only fixed point.
    const measured = this.#begun.find(({ name }) => name === 'measure');
    const zeroMs = measured?.atMs ?? endMs;
    const wallZeroMs = measured?.wallAtMs ?? this.#clocks.wallNow() - (this.#clocks.now() - endMs);
    const phases = this.#begun.map(({ name, atMs }, at) => ({
      name,
      startS: (atMs - zeroMs) / 1000,
      endS: ((this.#begun[at + 1]?.atMs ?? endMs) - zeroMs) / 1000,
    }));
    if (this.#prepared === undefined) return phases;
    const { startedAtMs, endedAtMs } = this.#prepared;
    const inS = (wallMs: number) => (wallMs - wallZeroMs) / 1000;
    return [{ name: 'prepare', startS: inS(startedAtMs), endS: inS(endedAtMs) }, ...phases];
  }
}
