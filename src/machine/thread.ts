/** One thread of a test, from its job to its last message. */
import { monotonicMs } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { Control } from './control.ts';
import { type EventRunner, runEvents } from './event-loop.ts';
import { createCommitRunner } from './fileio/commit-runner.ts';
import { hostTest } from './host-tests.ts';
import type { FromThread, ThreadJob } from './messages.ts';
import { answerForever } from './partner.ts';

/** Blocks the thread until the test is over; a partner's is never over. */
export function serveThread(job: ThreadJob, post: (message: FromThread) => void): void {
  if (job.is === 'partner') answerForever(new Int32Array(job.shared), job.atByte / 4);
  try {
    const runner = createRunner(job);
    const control = new Control(job.control, job.eventsMax);
    post({ is: 'ready' });
    control.waitForGo();
    const onInterval = (tally: Extract<FromThread, { is: 'interval' }>['tally']) => post({ is: 'interval', tally });
    post({ is: 'ended', end: runEvents(runner, job.limits, control, { now: monotonicMs, onInterval }) });
  } catch (error) {
    post({ is: 'failed', ...described(error) });
  }
}

function createRunner({ runner, values, place }: Extract<ThreadJob, { is: 'runner' }>): EventRunner {
  if (runner === 'commits') return createCommitRunner(values as never, place);
  return hostTest(runner).createRunner(values as never, place);
}

function described(error: unknown): { because: string; remedy?: string } {
  if (error instanceof UserError) {
    return { because: error.message, ...(error.hint === undefined ? {} : { remedy: error.hint }) };
  }
  // The system's own errors say what was tried and why it failed; others are mistakes of ours, whose place matters.
  const isOfSystem = error instanceof Error && 'syscall' in error;
  if (isOfSystem) return { because: error.message };
  return { because: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
