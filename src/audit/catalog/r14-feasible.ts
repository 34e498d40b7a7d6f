/** R14: memory and disk, as the text tells of them, can have carried the load. */
import { formatBytes } from '../../base/units.ts';
import type { ForeignDocument, MeasuredFacts } from '../../foreign-output/facts.ts';
import { sizeBytes } from '../../foreign-output/settings.ts';
import { count, figure } from '../arithmetic.ts';
import { cannotTell, defineRule, type Judged, ofSteps, type Step } from '../rule.ts';
import { optionNumber } from '../sizes.ts';
import { dataTold, iopsTold, ramBytesTold, rowsAsked, settingFor, tablesAsked } from '../surroundings.ts';

/** A million rows of sysbench's tables, measured on InnoDB, take 236 MiB. */
const ROW_BYTES = (236 * 2 ** 20) / 1e6;
const PAGE_BYTES = 16_384;
const CHUNK_BYTES = 128 * 2 ** 20;
/** Reckoned reads and promised ones may differ by this much before it means anything. */
const IOPS_FACTOR = 1.5;
/** A volume that does all that it may is a limit, not a rival. */
const CAP_SHARE = 0.9;
const RANGE_ROWS = 100;
const MS = 1_000;

export default defineRule({
  id: 'R14',
  title: 'memory, buffer pool and disk can have carried the load',
  check: (document) =>
    document.measurements.filter(({ tool }) => tool === 'sysbench').map((facts) => checkOne(facts, document)),
});

function checkOne(facts: MeasuredFacts, document: ForeignDocument): Judged {
  const groups = [
    { steps: memorySteps(facts, document), fails: 'The buffer pool does not fit into the memory.' },
    { steps: chunkSteps(facts, document), fails: 'The buffer pool has another size than was set.' },
    { steps: readSteps(facts, document), fails: 'The volume cannot have done the reads that this takes.' },
    { steps: volumeSteps(facts, document), fails: 'The volume was at its cap: that was measured, and not its type.' },
  ];
  const steps = groups.flatMap((group) => group.steps);
  const failing = groups.filter((group) => group.steps.some(({ holds }) => !holds));
  if (steps.length === 0) {
    return cannotTell(facts, { is: 'The text does not tell the sizes: data, pool, memory, operations of the volume.' });
  }
  return ofSteps(facts, steps, {
    passes: 'Sizes and rates fit together.',
    fails: failing.map(({ fails }) => fails).join(' '),
  });
}

function memorySteps(facts: MeasuredFacts, document: ForeignDocument): Step[] {
  const pool = settingFor(document, facts, 'innodb_buffer_pool_size');
  const bytes = pool === undefined ? undefined : sizeBytes(pool.value);
  const ram = ramBytesTold(document);
  if (pool === undefined || bytes === undefined || ram === undefined || ram.value === 0) return [];
  const line = `a pool of ${pool.value} (line ${pool.line}) in ${formatBytes(ram.value)} of memory (line ${ram.line}): ${figure((bytes / ram.value) * 100, 0)} %`;
  return [{ holds: bytes < ram.value, line, cells: [] }];
}

/** https://dev.mysql.com/doc/refman/8.4/en/innodb-buffer-pool-resize.html */
function chunkSteps(facts: MeasuredFacts, document: ForeignDocument): Step[] {
  const pool = settingFor(document, facts, 'innodb_buffer_pool_size');
  const instances = settingFor(document, facts, 'innodb_buffer_pool_instances');
  const bytes = pool === undefined ? undefined : sizeBytes(pool.value);
  const number = Number(instances?.value ?? Number.NaN);
  if (pool === undefined || instances === undefined || bytes === undefined || !(number >= 1)) return [];
  const unit = number * CHUNK_BYTES;
  const rounded = Math.ceil(bytes / unit) * unit;
  const holds = rounded === bytes;
  const line =
    `${pool.value} (line ${pool.line}) with ${number} instances (line ${instances.line}): MySQL takes multiples of ` +
    `${number} x 128 MiB = ${formatBytes(unit)}${holds ? ', and it is one' : `, so that it has ${formatBytes(rounded)}`}`;
  return [{ holds, line, cells: [] }];
}

/** Of keys drawn evenly, as many pages are missing as do not fit into the pool. */
function readSteps(facts: MeasuredFacts, document: ForeignDocument): Step[] {
  const { command, cells } = facts;
  const { transactions, transactionsPerS, reads, writes } = cells;
  const pool = settingFor(document, facts, 'innodb_buffer_pool_size');
  const poolBytes = pool === undefined ? undefined : sizeBytes(pool.value);
  const iops = iopsTold(document);
  if (command?.options.get('rand_type') !== 'uniform' || iops === undefined || poolBytes === undefined) return [];
  if (transactions === undefined || transactionsPerS === undefined || reads === undefined) return [];
  const told = dataTold(document)?.value ?? { tables: tablesAsked(command), rows: rowsAsked(command) };
  const dataBytes = told.tables * told.rows * ROW_BYTES;
  const missing = Math.max(0, 1 - poolBytes / dataBytes);
  const pages = pagesOf(reads.value / transactions.value, (writes?.value ?? 0) / transactions.value, facts);
  const needed = missing * pages * transactionsPerS.value;
  const lines = [
    `${count(told.tables * told.rows)} rows take some ${formatBytes(dataBytes)}; of these ${figure(missing * 100, 0)} % are not in a pool of ${pool?.value}`,
    `${figure(missing * pages, 1)} pages to read a transaction x ${transactionsPerS.written} = ${count(needed)} reads a second, where the text promises ${count(iops.value)} (line ${iops.line})`,
  ];
  return [
    {
      holds: needed <= iops.value * IOPS_FACTOR,
      line: lines.join('; '),
      cells: [transactionsPerS, reads, transactions],
    },
  ];
}

/** Leaf pages that a transaction touches: one a point, some a range, one a changed row. */
function pagesOf(reads: number, writes: number, { command }: MeasuredFacts): number {
  // By how many reads there were, and not by what a command asked for that did not have this result.
  const ranges = Math.min(4, Math.max(0, reads - 10));
  const rowsPerPage = PAGE_BYTES / ROW_BYTES;
  const size = command === undefined ? RANGE_ROWS : (optionNumber(command, ['range_size']) ?? RANGE_ROWS);
  // A row that is deleted and put in again is two writes to one page.
  return reads - ranges + ranges * (1 + (size - 1) / rowsPerPage) + writes * 0.75;
}

/** Little's law again: what is in the queue, by how long each waits, is how many come in a second. */
function volumeSteps(
  { cells: { volumeQueueLength, volumeWriteLatencyMs } }: MeasuredFacts,
  document: ForeignDocument,
): Step[] {
  const iops = iopsTold(document);
  if (volumeQueueLength === undefined || volumeWriteLatencyMs === undefined || iops === undefined) return [];
  const done = volumeQueueLength.value / (volumeWriteLatencyMs.value / MS);
  const line =
    `${volumeQueueLength.written} in the queue / ${volumeWriteLatencyMs.written} ms = ${count(done)} operations a second, ` +
    `where ${count(iops.value)} are allowed (line ${iops.line})`;
  const isAtCap = done >= iops.value * CAP_SHARE;
  return [
    {
      holds: !isAtCap,
      line: isAtCap ? `${line}: the cap was measured` : line,
      cells: [volumeQueueLength, volumeWriteLatencyMs],
    },
  ];
}
