import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HOST_TEST_SAMPLES } from '../../test/fixtures/sample-host-tests.ts';
import { hostTestJsonSchema, hostTestSchema } from './host-test-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/host-test.schema.json', import.meta.url));

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(hostTestJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

describe.each(Object.entries(HOST_TEST_SAMPLES))('%s', (_, sample) => {
  test('is accepted after a journey through JSON, and nothing of it is lost', () => {
    const travelled: unknown = JSON.parse(JSON.stringify(sample));
    expect(hostTestSchema.parse(travelled)).toEqual(travelled);
  });

  test.each([
    { because: 'the format is another', change: { format: 'sqldyno.host-test/2' } },
    { because: 'there is a field too many', change: { tags: [] } },
    { because: 'the test is none of the five', change: { test: 'disk' } },
    { because: 'a failure has no cause', change: { ending: { kind: 'failed' } } },
  ])('is refused where $because', ({ change }) => {
    expect(hostTestSchema.safeParse({ ...sample, ...change }).success).toBe(false);
  });
});
