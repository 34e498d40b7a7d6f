/**
 * The last resort for private servers that are not kept: when this process exits without having stopped them, after
 * an uncaught error or a second Ctrl-C, they are killed and deleted on the way out. Only kill -9 gets past this, and
 * the next start's sweep catches that.
 */
import { rmSync } from 'node:fs';
import { monotonicMs } from '../base/clock.ts';
import { stateOf } from './process-identity.ts';
import type { ServerFile } from './server-directory.ts';

const running = new Map<string, ServerFile>();

/** Nothing can be awaited in an exit handler, so the process sleeps this long between looks. */
const POLL_MS = 5;
const KILL_DEADLINE_MS = 3_000;

export function endAtExit(directory: string, file: ServerFile): void {
  if (running.size === 0) process.on('exit', endAll);
  running.set(directory, file);
}

export function forgetAtExit(directory: string): void {
  if (running.delete(directory) && running.size === 0) process.off('exit', endAll);
}

function endAll(): void {
  for (const [directory, { server, socketDirectory }] of running) {
    if (server !== null && stateOf(server) === 'running') process.kill(server.pid, 'SIGKILL');
    const startMs = monotonicMs();
    while (server !== null && stateOf(server) === 'running' && monotonicMs() - startMs < KILL_DEADLINE_MS) pause();
    for (const path of [directory, socketDirectory]) {
      if (path !== null) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
}
