/** `MachineCard` as a JSON Schema, and as the check of a card that comes from another machine. */
import { z } from 'zod';
import { FIGURE_GROUPS, MACHINE_FORMAT, type MachineCard } from './machine-card.ts';
import { runSchema } from './run-schema.ts';

const { startedAt: moment, ending, findings, sqldyno, command } = runSchema.shape;
const { latency } = runSchema.shape.checkpoints.element.shape;

const count = z.int().min(0);
const amount = z.number().min(0);
const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const figure = z.strictObject({
  id: z.string().describe('Stable, such as disk.read.depth16.'),
  group: z.enum(FIGURE_GROUPS),
  label: z.string(),
  unit: z.enum(['events/s', 'bytes/s', 'IOPS', 'us']),
  better: z.enum(['higher', 'lower']),
  repeats: z.array(amount).min(1).describe('In the order in which they were measured.'),
  median: amount,
  min: amount,
  max: amount,
  how: z.string(),
  settings: facts.describe('What must be alike for two cards to be compared, and what it was done with.'),
  trust: z.strictObject({
    is: z.enum(['good', 'fair', 'poor', 'unknown']),
    by: z.enum(['scatter', 'doubt']),
    because: z.string(),
  }),
});

const disk = z.strictObject({
  directory: z.string(),
  fileSystem: z.string(),
  engine: z.enum(['fio', 'sqldyno']),
  engineVersion: z.exactOptional(z.string()),
  isDirect: z.boolean().describe('Past the page cache.'),
  fileBytes: count,
  blockBytes: count,
  fitsMemory: z.boolean(),
});

const network = z.strictObject({
  address: z.string(),
  flavor: z.string(),
  version: z.string(),
  tls: z.string().nullable(),
});

export const machineCardSchema: z.ZodType<MachineCard> = z.strictObject({
  format: z.literal(MACHINE_FORMAT),
  id: z.string(),
  name: z.string(),
  startedAt: moment,
  endedAt: moment,
  ending,
  sqldyno,
  command,
  node: z.string(),
  isQuick: z.boolean(),
  facts,
  figures: z.array(figure),
  latencies: z.record(z.string(), latency).describe('Distributions over all repeats.'),
  disk: z.exactOptional(disk),
  network: z.exactOptional(network),
  missing: z.array(z.strictObject({ what: z.string(), because: z.string() })),
  findings,
});

/** The JSON Schema (draft 2020-12), as published in schema/machine.schema.json. */
export function machineCardJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:machine:1',
    title: 'The card of a machine by sqldyno (sqldyno.machine/1)',
    ...z.toJSONSchema(machineCardSchema, { target: 'draft-2020-12' }),
  };
}
