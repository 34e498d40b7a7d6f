/** What is asked for does not fit into the buffer pool, and is read from the disk. */
import type { Evidence } from '../evidence.ts';
import { figure, percent, type Rule } from '../verdict.ts';

const SHARE_MIN = 0.3;
/** Fewer misses than one in this many transactions are the edge of a working set, not its size. */
const MISSES_PER_TRANSACTION_MIN = 0.1;
/** Reads that cost processor time only: the operating system has the pages. */
const DEVICE_READS_PER_MISS_MAX = 0.1;

const readIo: Rule = ({ evidence, shares }) => {
  const misses = evidence.measured('buffer_pool', 'misses_per_s');
  const total = evidence.measured('buffer_pool', 'total_bytes');
  if (misses === undefined || total === undefined || evidence.transactionsPerS === 0) return undefined;
  const perTransaction = misses / evidence.transactionsPerS;
  if (perTransaction < MISSES_PER_TRANSACTION_MIN || hasRoom(evidence, total)) return undefined;
  const share = shares['read-io'] ?? 0;
  const reads = evidence.measured('disk', 'data_disk.reads_per_s');
  const isCached = reads !== undefined && reads < misses * DEVICE_READS_PER_MISS_MAX;
  const evidenceLines = [
    `${figure(misses)} pages a second were not in the buffer pool of ${figure(total / 2 ** 20)} MiB: ${figure(perTransaction)} a transaction`,
    ...(reads === undefined ? [] : [`the disk served ${figure(reads)} reads a second`]),
  ];
  const confirmBy = 'With innodb_buffer_pool_size half as large again, misses fall by a fifth or more.';
  const advice = 'Raise innodb_buffer_pool_size to what the transactions touch, or take a disk that reads faster.';
  if (share >= SHARE_MIN) {
    return {
      role: 'bottleneck',
      is: 'Sessions wait for reads: the buffer pool is smaller than what is asked for.',
      share,
      evidence: [`sessions spent ${percent(share)} of their time waiting for reads`, ...evidenceLines],
      confirmBy,
      advice,
    };
  }
  const is = isCached
    ? "The buffer pool is too small, and the operating system's cache hides it."
    : 'The buffer pool is smaller than what is asked for.';
  return { role: 'contributes', is, share, evidence: evidenceLines, confirmBy, advice };
};

/** Of the pool: more is room that nobody uses. */
const FREE_MAX = 0.05;
/** Of the pages that were read, those by which the pool filled up: the others took the place of some that went. */
const KEPT_MIN = 0.5;

/** The pool has not been filled yet. Of a small one some pages are always kept free, for the next that is read. */
function hasRoom(evidence: Evidence, totalBytes: number): boolean {
  const free = evidence.measured('buffer_pool', 'free_bytes') ?? 0;
  if (free <= totalBytes * FREE_MAX) return false;
  const held = evidence.points('buffer_pool', 'data_bytes');
  const readBytes =
    (evidence.measured('buffer_pool', 'pages_read_per_s') ?? 0) * evidence.elapsedS * pageBytes(evidence);
  return held.length === 0 || readBytes === 0 || (held.at(-1)! - held[0]!) / readBytes >= KEPT_MIN;
}

function pageBytes({ variables }: Evidence): number {
  return Number(variables['innodb_page_size'] ?? 16_384);
}

export default readIo;
