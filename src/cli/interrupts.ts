/** Ctrl-C: once ends the work in good order, twice at once, and a third time the program, whatever it is doing. */
import { ExitCode } from '../base/errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What an operation rejects with that was given up because of a signal. */
export class Interrupted extends Error {
  constructor(because: string) {
    super(because);
    this.name = 'Interrupted';
  }
}

export class Interrupts implements Disposable {
  readonly #soon = new AbortController();
  readonly #atOnce = new AbortController();
  readonly #onSignal = (name: string) => this.interrupt(`Interrupted by ${name}.`);

  constructor() {
    for (const name of SIGNALS) process.on(name, this.#onSignal);
  }

  /** Stop at the next safe point. */
  get signal(): AbortSignal {
    return this.#soon.signal;
  }

  /** Do not wait for anything any more. */
  get atOnce(): AbortSignal {
    return this.#atOnce.signal;
  }

  get isInterrupted(): boolean {
    return this.#soon.signal.aborted;
  }

  interrupt(because: string): void {
    if (!this.#soon.signal.aborted) this.#soon.abort(new Interrupted(because));
    else if (!this.#atOnce.signal.aborted) this.#atOnce.abort(new Interrupted(because));
    else process.exit(ExitCode.interrupted);
  }

  [Symbol.dispose](): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
  }
}
