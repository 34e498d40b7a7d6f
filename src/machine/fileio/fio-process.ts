/** fio itself: whether it is there, and one run of it. The only place where a program is started. */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { ExitCode, UserError } from '../../base/errors.ts';
import type { Stops } from '../crew.ts';

const run = promisify(execFile);

/** It takes milliseconds; a small board that reads the program from a cold card takes seconds. */
const VERSION_DEADLINE_MS = 15_000;
/** Older ones count latencies in microseconds, under other names. */
const MAJOR_MIN = 3;

/** Undefined where there is none that will do. */
export async function findFio(): Promise<string | undefined> {
  const output = await run('fio', ['--version'], { timeout: VERSION_DEADLINE_MS }).then(
    ({ stdout }) => stdout,
    () => '',
  );
  const version = /^fio-(\d+)\.(\d+)/.exec(output.trim());
  return version !== null && Number(version[1]) >= MAJOR_MIN ? output.trim().replace(/^fio-/, '') : undefined;
}

/** The job goes in on stdin. Told to stop, fio reports what it has measured until then; cut off, it does not. */
export async function runFio(job: string, stops: Stops): Promise<string> {
  stops.signal.throwIfAborted();
  // A process group of its own: the terminal's Ctrl-C is for this program, which passes it on, once.
  const child = spawn('fio', ['--output-format=json+', '--eta=never', '-'], { detached: true });
  const onSignal = () => child.kill('SIGINT');
  const onAtOnce = () => child.kill('SIGKILL');
  stops.signal.addEventListener('abort', onSignal);
  stops.atOnce.addEventListener('abort', onAtOnce);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text = chunk + text;
  });
  // It may have ended before it has read all.
  child.stdin.on('error', () => {});
  child.stdin.end(job);
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve());
    });
  } catch (cause) {
    throw new UserError(`fio cannot be started: ${cause instanceof Error ? cause.message : cause}`, {
      hint: 'With --file-engine=sqldyno it goes without fio.',
      exitCode: ExitCode.runFailed,
      cause,
    });
  } finally {
    stops.signal.removeEventListener('abort', onSignal);
    stops.atOnce.removeEventListener('abort', onAtOnce);
  }
  return text;
}
