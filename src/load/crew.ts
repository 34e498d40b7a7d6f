/** The workers of one load: threads, each with its ticker where arrivals are scheduled. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { TickerLink } from './alarm.ts';
import { serveLoad } from './load-worker.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { realWorld } from './real-world.ts';
import { TICKER_BYTES } from './ticker-due.ts';
import type { LoadWorld } from './world.ts';

export interface CrewMember {
  post(message: ToWorker): void;
  /** Tells the worker what to do for this load; `hasDueTimes` gives it a ticker. */
  assign(message: Omit<Extract<ToWorker, { is: 'connect' }>, 'ticker'>, hasDueTimes: boolean): void;
  /** Ends the thread, and with it every socket that it still has. */
  dismiss(): Promise<void>;
}

export interface CrewHooks {
  onMessage(worker: number, message: FromWorker): void;
  /** The thread ended although nobody had told it to. */
  onDeath(worker: number, because: string): void;
}

/** Compiled, this file is `crew.js` with `worker.js` beside it. Node runs no thread from TypeScript: see below. */
const CAN_RUN_THREADS = import.meta.url.endsWith('.js');

/** With a `world` given, or when run from source, all workers share this thread; otherwise each has its own. */
export function hireWorker(worker: number, hooks: CrewHooks, world?: LoadWorld): CrewMember {
  return world === undefined && CAN_RUN_THREADS
    ? hireThread(worker, hooks)
    : hireInProcess(worker, hooks, world ?? realWorld());
}

/**
 * Threads inherit the flags of this process, V8's among them, which cannot be handed over. Not where it was given its
 * program by `--input-type`: a thread runs a file, and refuses that flag.
 */
const THREAD_FLAGS = process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {};

function hireThread(worker: number, hooks: CrewHooks): CrewMember {
  const thread = new Worker(new URL('./worker.js', import.meta.url), { name: `load ${worker}`, ...THREAD_FLAGS });
  let ticker: Worker | undefined;
  let isDismissed = false;
  let because: string | undefined;
  thread.on('message', (message: FromWorker) => hooks.onMessage(worker, message));
  thread.on('error', (error) => {
    because = error instanceof Error ? (error.stack ?? error.message) : String(error);
  });
  thread.on('exit', (code) => {
    if (!isDismissed) hooks.onDeath(worker, because ?? `its thread ended with code ${code}`);
  });
  return {
    post: (message) => thread.postMessage(message),
    assign: (message, hasDueTimes) => {
      if (!hasDueTimes) {
        thread.postMessage({ ...message, ticker: undefined });
        return;
      }
      const started = startTicker(worker);
      ticker = started.thread;
      thread.postMessage({ ...message, ticker: started.link }, [started.link.port]);
    },
    dismiss: async () => {
      isDismissed = true;
      await Promise.all([thread.terminate(), ticker?.terminate()]);
    },
  };
}

function startTicker(worker: number): { thread: Worker; link: TickerLink } {
  const due = new SharedArrayBuffer(TICKER_BYTES);
  const { port1, port2 } = new MessageChannel();
  const workerData: TickerLink = { due, port: port1 };
  const url = new URL('./ticker.js', import.meta.url);
  const thread = new Worker(url, { name: `ticker ${worker}`, ...THREAD_FLAGS, workerData, transferList: [port1] });
  // Without it arrivals are as late as timers are, which the schedule lag shows: no reason to lose the run.
  thread.on('error', () => {});
  return { thread, link: { due, port: port2 } };
}

/** For tests: the same messages, cloned as between threads. Arrivals are then as late as a timer is. */
function hireInProcess(worker: number, hooks: CrewHooks, world: LoadWorld): CrewMember {
  const { port1, port2 }: { port1: MessagePort; port2: MessagePort } = new MessageChannel();
  serveLoad(port2, world);
  port1.on('message', (message: FromWorker) => hooks.onMessage(worker, message));
  return {
    post: (message) => port1.postMessage(message),
    assign: (message) => port1.postMessage({ ...message, ticker: undefined }),
    dismiss: async () => {
      port1.close();
    },
  };
}
