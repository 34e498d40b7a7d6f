/** What every command gets: where to write, when to stop, and how it was called. */
import type { Interrupts } from './interrupts.ts';
import type { Terminal } from './terminal.ts';

export interface Session {
  readonly terminal: Terminal;
  readonly interrupts: Interrupts;
  /** As typed, secrets removed. */
  readonly command: readonly string[];
}
