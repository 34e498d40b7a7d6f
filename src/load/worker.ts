/** Entry of a worker thread. What it does is in `load-worker.ts`, which tests run without a thread. */
import { parentPort } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import { serveLoad } from './load-worker.ts';
import { realWorld } from './real-world.ts';

assert(parentPort !== null, 'this file is run by a worker thread');
serveLoad(parentPort as unknown as Parameters<typeof serveLoad>[0], realWorld());
