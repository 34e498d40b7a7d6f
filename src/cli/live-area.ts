/** The last lines of a terminal, redrawn in place; what is said meanwhile goes above them and stays. */
import { createLogUpdate } from 'log-update';
import type { Terminal } from './terminal.ts';

/** Often enough to look alive, seldom enough to cost nothing beside a load. */
const REDRAW_MS = 250;

export interface LiveArea extends Disposable {
  /** A line that stays. */
  persist(line: string): void;
  /** Redraws now, at once. */
  redraw(): void;
}

/** Undefined where there is no terminal to draw on. `draw` is asked for the lines to show. */
export function openLiveArea(terminal: Terminal, draw: () => readonly string[]): LiveArea | undefined {
  if (!terminal.isLive) return undefined;
  const update = createLogUpdate(terminal.stream);
  const redraw = () =>
    update(
      draw()
        .map((line) => clipped(line, terminal.stream.columns))
        .join('\n'),
    );
  const timer = setInterval(redraw, REDRAW_MS);
  return {
    persist: (line) => {
      update.clear();
      terminal.say(line);
      redraw();
    },
    redraw,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      update.clear();
      update.done();
    },
  };
}

/** A line that wraps would not be cleared whole. */
function clipped(line: string, columns: number): string {
  return line.length < columns ? line : line.slice(0, columns - 1);
}
