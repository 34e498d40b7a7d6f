import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SAMPLE_SWEEPS } from '../../test/fixtures/sample-sweeps.ts';
import { sweepJsonSchema, sweepSchema } from './sweep-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/sweep.schema.json', import.meta.url));

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(sweepJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

describe.each(Object.entries(SAMPLE_SWEEPS))('%s', (_, result) => {
  test('is accepted after a journey through JSON, and nothing of it is lost', () => {
    const travelled: unknown = JSON.parse(JSON.stringify(result));
    expect(sweepSchema.parse(travelled)).toEqual(travelled);
    expect(z.fromJSONSchema(JSON.parse(readFileSync(PUBLISHED, 'utf8'))).safeParse(travelled).success).toBe(true);
  });

  test.each([
    { because: 'the format is another', change: { format: 'sqldyno.sweep/2' } },
    { because: 'there is a field too many', change: { tags: [] } },
    { because: 'a failure has no cause', change: { ending: { kind: 'failed' } } },
    { because: 'a durability is unknown', change: { values: [{ ...result.values[0], durability: 'D9' }] } },
  ])('is refused where $because', ({ change }) => {
    expect(sweepSchema.safeParse({ ...result, ...change }).success).toBe(false);
  });
});
