/** `AuditReport` as the published JSON Schema, and as a check at run time. */
import { z } from 'zod';
import { AUDIT_FORMAT, AUDIT_OUTCOMES, type AuditReport } from './audit.ts';

const line = z.int().min(0);

const cell = z.strictObject({
  label: z.string(),
  column: z.exactOptional(z.string()),
  line: line.describe('Of the text, from 1.'),
  written: z.string().describe('The digits as they stand there.'),
});

const check = z.strictObject({
  rule: z.string().regex(/^R\d+$/),
  outcome: z.enum(AUDIT_OUTCOMES),
  of: z.string(),
  is: z.string().describe('A sentence; where it cannot be told, why.'),
  arithmetic: z.array(z.string()),
  cells: z.array(cell),
});

export const auditSchema: z.ZodType<AuditReport> = z.strictObject({
  format: z.literal(AUDIT_FORMAT),
  source: z.string(),
  verdict: z.string(),
  results: z.array(
    z.strictObject({
      name: z.string(),
      tool: z.string(),
      toolVersion: z.exactOptional(z.string()),
      firstLine: line,
      lastLine: line,
      figures: z.int().min(0),
    }),
  ),
  rules: z.array(z.strictObject({ id: z.string(), title: z.string() })),
  checks: z.array(check),
  notes: z.array(z.string()),
});

/** The JSON Schema (draft 2020-12), as published in schema/audit.schema.json. */
export function auditJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:audit:1',
    title: 'An audit of figures by sqldyno (sqldyno.audit/1)',
    ...z.toJSONSchema(auditSchema, { target: 'draft-2020-12' }),
  };
}
