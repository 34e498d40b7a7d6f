/** Entry of a thread. What it does is in `thread.ts`, which tests run without one. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import type { ThreadJob } from './messages.ts';
import { serveThread } from './thread.ts';

const port = parentPort;
assert(port !== null, 'this file is run by a worker thread');
serveThread(workerData as ThreadJob, (message) => port.postMessage(message));
