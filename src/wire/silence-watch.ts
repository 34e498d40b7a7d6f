/**
 * The read time limit: fails a connection whose server has been silent for too long while a reply was awaited. One
 * coarse interval per connection looks at counters, so a statement costs no timer and no look at the clock.
 */
export interface Watched {
  readonly isAwaitingServer: boolean;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/** Looks per time limit: silence is found between one limit and one and an eighth after it began. */
const LOOKS_PER_LIMIT = 8;

export class SilenceWatch {
  readonly #watched: Watched;
  readonly #onSilence: () => void;
  readonly #timer: NodeJS.Timeout;
  #bytesSent = 0;
  #bytesReceived = 0;
  #silentLooks = 0;

  constructor(watched: Watched, limitMs: number, onSilence: () => void) {
    this.#watched = watched;
    this.#onSilence = onSilence;
    this.#timer = setInterval(() => this.look(), Math.max(1, Math.ceil(limitMs / LOOKS_PER_LIMIT)));
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The first look at a request only notes that it is there: what it has waited already is not known. */
  look(): void {
    const { isAwaitingServer, bytesSent, bytesReceived } = this.#watched;
    const isSilent = isAwaitingServer && bytesSent === this.#bytesSent && bytesReceived === this.#bytesReceived;
    this.#silentLooks = isSilent ? this.#silentLooks + 1 : 0;
    this.#bytesSent = bytesSent;
    this.#bytesReceived = bytesReceived;
    if (this.#silentLooks < LOOKS_PER_LIMIT) return;
    this.stop();
    this.#onSilence();
  }
}
