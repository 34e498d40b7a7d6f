/** `Checkup` as a check at run time, and as the published JSON Schema. */
import { z } from 'zod';
import { CHECKUP_FORMAT, type Checkup, LEVELS, PLACES } from './checkup.ts';
import { runSchema } from './run-schema.ts';

const count = z.int().min(0);

const remedy = z.strictObject({
  is: z.string().describe('What to do, as a sentence.'),
  shell: z.exactOptional(z.array(z.string())).describe('Commands for a shell on that host.'),
  sql: z.exactOptional(z.array(z.string())).describe('Statements for the server, without their semicolons.'),
});

const result = z.strictObject({
  check: z.string().describe('Stable, for programs: transparent-hugepages.'),
  number: count,
  title: z.string(),
  of: z.enum(PLACES),
  at: z.exactOptional(z.string()).describe('Of a host, which one: this machine, ssh dba@db1.'),
  level: z.enum(LEVELS),
  is: z.string(),
  because: z.exactOptional(z.string()),
  remedy: z.exactOptional(remedy),
});

const fix = z.strictObject({
  where: z.string(),
  kind: z.enum(['shell', 'sql']),
  commands: z.array(z.strictObject({ command: z.string(), for: z.array(z.string()) })),
});

export const checkupSchema: z.ZodType<Checkup> = z.strictObject({
  format: z.literal(CHECKUP_FORMAT),
  sqldyno: runSchema.shape.sqldyno,
  examined: z.strictObject({ server: z.string().nullable(), workload: z.string().nullable() }),
  tookS: z.number().min(0),
  counts: z.record(z.enum(LEVELS), count),
  checks: z.array(result),
  fixes: z.array(fix),
});

/** The JSON Schema (draft 2020-12), as published in schema/checkup.schema.json. */
export function checkupJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:checkup:1',
    title: 'An examination by sqldyno doctor (sqldyno.checkup/1)',
    ...z.toJSONSchema(checkupSchema, { target: 'draft-2020-12' }),
  };
}
