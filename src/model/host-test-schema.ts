/** `HostTestRecord` as a JSON Schema, for programs that read what `--json` prints. */
import { z } from 'zod';
import { HOST_TEST_FORMAT, HOST_TEST_NAMES, type HostTestRecord } from './host-test.ts';
import { runSchema } from './run-schema.ts';

const { startedAt: moment, ending, findings, host, sqldyno, command } = runSchema.shape;
const { latency } = runSchema.shape.checkpoints.element.shape;

const count = z.int().min(0);
const amount = z.number().min(0);
const counts = z.record(z.string(), amount);

const measured = z.discriminatedUnion('test', [
  z.strictObject({ test: z.literal('cpu'), maxPrime: count, primesPerEvent: amount }),
  z.strictObject({
    test: z.literal('memory'),
    operation: z.string(),
    blockBytes: count,
    bytes: count,
    bytesPerS: amount,
  }),
  z.strictObject({ test: z.literal('threads'), yields: count, lockWaits: count }),
  z.strictObject({ test: z.literal('mutex'), locks: count, counted: count, lockWaits: count }),
  z.strictObject({
    test: z.literal('fileio'),
    engine: z.enum(['sqldyno', 'fio']),
    engineVersion: z.exactOptional(z.string()),
    mode: z.string(),
    files: count,
    fileBytes: count,
    blockBytes: count,
    reads: count,
    writes: count,
    syncs: count,
    bytesRead: count,
    bytesWritten: count,
    endSyncS: z.exactOptional(amount).describe('Synchronizing all files after the last event; in no other figure.'),
  }),
]);

const work = z.strictObject({
  elapsedS: amount,
  events: count,
  eventsPerS: amount,
  perThread: z.strictObject({ events: z.array(count), latencyS: z.array(amount) }),
  latency,
  intervals: z.array(z.strictObject({ startS: amount, endS: amount, threads: count, events: count, latency, counts })),
  measured,
});

const commits = z
  .strictObject({
    directory: z.string(),
    fileSystem: z.string(),
    recordBytes: count,
    overwrite: latency,
    append: latency,
  })
  .describe('Small writes, each followed by fdatasync.');

export const hostTestSchema: z.ZodType<HostTestRecord> = z.strictObject({
  format: z.literal(HOST_TEST_FORMAT),
  test: z.enum(HOST_TEST_NAMES),
  startedAt: moment,
  endedAt: moment,
  ending,
  seed: count,
  sqldyno,
  command,
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  load: z.strictObject({
    threads: count,
    timeS: amount.describe('0: no limit.'),
    events: count.describe('0: no limit.'),
    percentiles: z.array(z.number().min(0).max(100)),
  }),
  work: z.exactOptional(work),
  commits: z.exactOptional(commits),
  comparison: z.string(),
  client: z.strictObject({ node: z.string(), cpuS: amount }),
  host,
  findings,
});

/** The JSON Schema (draft 2020-12), as published in schema/host-test.schema.json. */
export function hostTestJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:host-test:1',
    title: 'A test of the machine by sqldyno (sqldyno.host-test/1)',
    ...z.toJSONSchema(hostTestSchema, { target: 'draft-2020-12' }),
  };
}
