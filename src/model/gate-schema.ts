/** `GateReport` as the published JSON Schema, and as a check at run time. */
import { z } from 'zod';
import { GATE_FORMAT, GATE_OPERATORS, type GateReport } from './gate.ts';

const requirement = z.strictObject({
  is: z.string(),
  metric: z.string(),
  operator: z.enum(GATE_OPERATORS),
  limit: z.number().describe('In the unit of the metric.'),
  unit: z.string(),
});

const check = z.strictObject({
  requirement,
  run: z.string(),
  measured: z.exactOptional(z.number()).describe('Absent where the run does not tell; then it is not met.'),
  isMet: z.boolean(),
  because: z.string(),
});

const comparison = z.strictObject({
  metric: z.string(),
  of: z.string(),
  baseline: z.string(),
  runs: z.int().min(0),
  baselineRuns: z.int().min(0),
  pairing: z.enum(['blocks', 'in turn', 'none']),
  effect: z.exactOptional(z.number()).describe('Now against the baseline: 0.065 is 6.5 % more.'),
  interval: z.exactOptional(z.strictObject({ low: z.number(), high: z.number() })).describe('95 %'),
  marginShare: z.number(),
  verdict: z.enum(['FASTER', 'SLOWER', 'SAME', 'UNDECIDED']),
  isMet: z.boolean(),
  because: z.string(),
});

export const gateSchema: z.ZodType<GateReport> = z.strictObject({
  format: z.literal(GATE_FORMAT),
  isMet: z.boolean(),
  is: z.string(),
  runs: z.array(z.strictObject({ run: z.string(), isValid: z.boolean(), because: z.exactOptional(z.string()) })),
  checks: z.array(check),
  comparisons: z.array(comparison),
  isStrict: z.boolean(),
  notes: z.array(z.string()),
});

/** The JSON Schema (draft 2020-12), as published in schema/gate.schema.json. */
export function gateJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:gate:1',
    title: 'What a gate of sqldyno says (sqldyno.gate/1)',
    ...z.toJSONSchema(gateSchema, { target: 'draft-2020-12' }),
  };
}
