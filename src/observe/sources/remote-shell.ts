/**
 * A POSIX shell at the other end of a program's standard input and output, kept open: commands go in as lines, and
 * their output comes back up to a mark that the shell echoes. Nothing else is needed there.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { monotonicMs } from '../../base/clock.ts';

export interface RemoteShell {
  readonly processId: number | undefined;
  /** Rejects after `deadlineMs`, when the shell ends, or while an earlier answer is late. */
  ask(commands: string, deadlineMs: number): Promise<string>;
  /** Resolves with the reason. */
  readonly ended: Promise<string>;
  /** Ends the shell by closing its input, and the program by a signal where that is not enough. */
  close(): Promise<void>;
}

/** An answer larger than this is no list of small files. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** Of what the program says of its troubles, the end matters. */
const STDERR_CHARACTERS_MAX = 2_000;
/** For an orderly end; after it comes SIGTERM, and after as long again SIGKILL. */
const GRACE_MS = 1_000;
/** As long as the first answer is this late, the connection may be slow; after it, it counts as dead. */
export const HUNG_MS = 10_000;

interface Waiting {
  readonly mark: string;
  readonly askedMs: number;
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
  isLate: boolean;
  timer: NodeJS.Timeout | undefined;
}

export function openShell(program: string, args: readonly string[]): RemoteShell {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  // The mark cannot occur in what is read: nobody else knows it.
  const secret = randomUUID();
  const waiting: Waiting[] = [];
  let asked = 0;
  let received = '';
  let stderr = '';
  let cause: string | undefined;
  let isOver = false;

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARACTERS_MAX);
  });
  // Byte by byte, so that a character cut in two by a packet survives.
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const from = Math.max(0, received.length - text.length - next.mark.length);
      const end = received.indexOf(next.mark, from);
      if (end === -1) break;
      waiting.shift();
      settle(next, received.slice(0, end));
      received = received.slice(end + next.mark.length);
    }
    if (received.length > ANSWER_BYTES_MAX) give('it sent more than was asked for');
  });
  // What cannot be written is told by the end of the program, which follows.
  child.stdin.on('error', () => {});
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => finish(error.message, resolve));
    child.on('close', (code, signal) => finish(cause ?? reasonOf(stderr, code, signal), resolve));
  });

  function settle(next: Waiting, answer: string): void {
    clearTimeout(next.timer);
    if (!next.isLate) next.resolve(Buffer.from(answer, 'latin1').toString('utf8'));
  }

  function finish(reason: string, resolve: (reason: string) => void): void {
    isOver = true;
    for (const { timer, reject } of waiting.splice(0)) {
      clearTimeout(timer);
      reject(new Error(reason));
    }
    resolve(reason);
  }

  function give(reason: string): void {
    cause ??= reason;
    child.kill('SIGKILL');
  }

  function ask(commands: string, deadlineMs: number): Promise<string> {
    const oldest = waiting[0];
    if (isOver) return Promise.reject(new Error(cause ?? 'it has ended'));
    if (oldest?.isLate === true) {
      const lateMs = monotonicMs() - oldest.askedMs;
      if (lateMs > HUNG_MS) give(`no answer for ${Math.round(lateMs / 1000)} s`);
      return Promise.reject(new Error(`it has not answered for ${(lateMs / 1000).toFixed(1)} s`));
    }
    return new Promise((resolve, reject) => {
      const mark = `${secret} ${++asked}\n`;
      const entry: Waiting = { mark, askedMs: monotonicMs(), resolve, reject, isLate: false, timer: undefined };
      entry.timer = setTimeout(() => {
        entry.isLate = true;
        reject(new Error(`no answer within ${deadlineMs / 1000} s`));
      }, deadlineMs);
      waiting.push(entry);
      child.stdin.write(`${commands}\necho "${secret} ${asked}"\n`);
    });
  }

  const close = async () => {
    cause ??= 'it was closed';
    child.stdin.end();
    if (await within(GRACE_MS, ended)) return;
    child.kill('SIGTERM');
    if (await within(GRACE_MS, ended)) return;
    child.kill('SIGKILL');
    await ended;
  };
  return { processId: child.pid, ask, ended, close };
}

function reasonOf(stderr: string, code: number | null, signal: NodeJS.Signals | null): string {
  const words = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const last = words.at(-1);
  if (last !== undefined) return last.replace(/\.$/, '');
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}

async function within(limitMs: number, ended: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
