import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SAMPLE_CARDS } from '../../test/fixtures/sample-cards.ts';
import { machineCardJsonSchema, machineCardSchema } from './machine-card-schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../schema/machine.schema.json', import.meta.url));

test('the published schema is the one made from the types; after a change: npx vitest run src/model -u', async () => {
  await expect(`${JSON.stringify(machineCardJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

describe.each(Object.entries(SAMPLE_CARDS))('%s', (_, card) => {
  test('is accepted after a journey through JSON, and nothing of it is lost', () => {
    const travelled: unknown = JSON.parse(JSON.stringify(card));
    expect(machineCardSchema.parse(travelled)).toEqual(travelled);
  });

  test.each([
    { because: 'the format is another', change: { format: 'sqldyno.machine/2' } },
    { because: 'there is a field too many', change: { tags: [] } },
    { because: 'a figure has no repeat', change: { figures: [{ ...card.figures[0], repeats: [] }] } },
    { because: 'a figure is of no group', change: { figures: [{ ...card.figures[0], group: 'gpu' }] } },
  ])('is refused where $because', ({ change }) => {
    expect(machineCardSchema.safeParse({ ...card, ...change }).success).toBe(false);
  });
});
