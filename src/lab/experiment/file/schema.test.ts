import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { listRecipes } from '../recipes.ts';
import { experimentJsonSchema } from './schema.ts';

const PUBLISHED = fileURLToPath(new URL('../../../../schema/experiment.schema.json', import.meta.url));

test('the published schema is the one in use; after a change: npx vitest run src/lab/experiment/file -u', async () => {
  await expect(`${JSON.stringify(experimentJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(PUBLISHED);
});

/** As an editor does it: YAML's own numbers, booleans and nulls, and the published schema. */
function complaintsOfEditor(text: string): unknown[] {
  const schema = z.fromJSONSchema(JSON.parse(readFileSync(PUBLISHED, 'utf8')));
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) throw new Error('the file is empty');
  return documents.flatMap((document) => schema.safeParse(document.toJS()).error?.issues ?? []);
}

describe('in an editor', () => {
  test.each(listRecipes().map(({ name, text }) => [name, text]))('the recipe %s is right', (_, text) => {
    expect(complaintsOfEditor(text)).toEqual([]);
  });

  test.each([
    { is: 'a line', text: 'workload: quiz --scale=10\nload: --threads=4\nvariants: {a: , b: }' },
    {
      is: 'mappings',
      text: 'workload: {name: quiz, scale: 10}\nload: {threads: 4, time: 10s}\nvariants: {a: {}, b: {}}',
    },
    { is: 'a switch', text: 'workload: quiz\nsettings: {skip_log_bin: , x: on}\nvariants: {a: , b: }' },
    { is: 'levels as a list', text: 'workload: quiz\nmatrix: {load.threads: [1, 8]}' },
    { is: 'shares', text: 'workload: quiz\nmargin: 2 %\ninvalid: {steal: 0.1, swap: no}\nvariants: {a: , b: }' },
    { is: 'a size', text: 'workload: quiz\nvariants: {a: , b: }\nsizes: {small: {pairs: 6, load: {time: 1}}}' },
  ])('$is is right', ({ text }) => {
    expect(complaintsOfEditor(text)).toEqual([]);
  });

  test.each([
    { is: 'a misspelt key', text: 'workload: quiz\nparis: 8' },
    { is: 'a misspelt key of a variant', text: 'workload: quiz\nvariants: {a: {setings: {}}}' },
    { is: 'a misspelt key of a size', text: 'workload: quiz\nsizes: {small: {paris: 8}}' },
    { is: 'no workload', text: 'variants: {a: , b: }' },
    { is: 'too many pairs', text: 'workload: quiz\npairs: 31' },
    { is: 'a word that is none', text: 'workload: quiz\nstop: never' },
  ])('$is is marked', ({ text }) => {
    expect(complaintsOfEditor(text)).not.toEqual([]);
  });
});
