import { describe, expect, test } from 'vitest';
import { SAMPLE_SEARCHES } from '../../test/fixtures/sample-searches.ts';
import { golden } from '../../test/support/golden.ts';
import { searchLines } from './search-text.ts';

describe.each(Object.entries(SAMPLE_SEARCHES))('%s', (name, search) => {
  const lines = searchLines(search);

  test('reads as it is meant to', async () => {
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden(`search-${name}.txt`));
  });

  test('fits 80 columns', () => {
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
