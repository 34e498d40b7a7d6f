/** Commands of the user's own for the shell, around a load. */
import { spawn } from 'node:child_process';
import { ExitCode, UserError } from '../base/errors.ts';

/**
 * Resolves when the command has ended well; what it writes is told line by line. It has a process group of its own, so
 * that whatever it has started ends with it when `signal` is aborted.
 */
export async function runShell(command: string, onNote: (line: string) => void, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const stop = () => endGroup(child.pid);
  signal.addEventListener('abort', stop, { once: true });
  const tellers = [child.stdout, child.stderr].map((stream) => tellLines(stream.setEncoding('utf8'), onNote));
  try {
    const ended = await new Promise<string | undefined>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killedBy) => resolve(code === 0 ? undefined : `${killedBy ?? `exit code ${code}`}`));
    });
    for (const tellRest of tellers) tellRest();
    signal.throwIfAborted();
    if (ended !== undefined) throw failure(command, `it ended with ${ended}`);
  } catch (error) {
    if (error instanceof UserError || signal.aborted) throw error;
    throw failure(command, (error as Error).message);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function failure(command: string, because: string): UserError {
  return new UserError(`The shell command failed: ${command} (${because}).`, {
    hint: 'See what it says above; the load needs it to end with 0.',
    exitCode: ExitCode.runFailed,
  });
}

/** Whole lines as they come; what is returned tells the last one, which may have no end. */
function tellLines(stream: NodeJS.ReadableStream, onNote: (line: string) => void): () => void {
  let rest = '';
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onNote(line);
  });
  return () => {
    if (rest !== '') onNote(rest);
  };
}
