/** Entry of the ticker's thread: sleeps until the time that its worker has set, then wakes it. See `alarm.ts`. */
import { workerData } from 'node:worker_threads';
import { monotonicNs } from '../base/clock.ts';
import type { TickerLink } from './alarm.ts';
import { TickerDue } from './ticker-due.ts';

const { due, port } = workerData as TickerLink;
const tickerDue = new TickerDue(due);
for (;;) {
  tickerDue.sleep(monotonicNs);
  port.postMessage('due');
}
