import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SAMPLE_SEARCHES } from '../../test/fixtures/sample-searches.ts';
import { searchJsonSchema, searchSchema } from './search-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/search.schema.json', import.meta.url));

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(searchJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

describe.each(Object.entries(SAMPLE_SEARCHES))('%s', (_, result) => {
  test('is accepted after a journey through JSON, and nothing of it is lost', () => {
    const travelled: unknown = JSON.parse(JSON.stringify(result));
    expect(searchSchema.parse(travelled)).toEqual(travelled);
    expect(z.fromJSONSchema(JSON.parse(readFileSync(PUBLISHED, 'utf8'))).safeParse(travelled).success).toBe(true);
  });

  test.each([
    { because: 'the format is another', change: { format: 'sqldyno.search/2' } },
    { because: 'there is a field too many', change: { tags: [] } },
    { because: 'a failure has no cause', change: { ending: { kind: 'failed' } } },
    { because: 'an outcome is unknown', change: { levels: [{ ...result.levels[0], outcome: 'maybe' }] } },
  ])('is refused where $because', ({ change }) => {
    expect(searchSchema.safeParse({ ...result, ...change }).success).toBe(false);
  });
});
