import { describe, expect, test } from 'vitest';
import { SAMPLE_SWEEPS } from '../../test/fixtures/sample-sweeps.ts';
import { golden } from '../../test/support/golden.ts';
import { sweepLines } from './sweep-text.ts';

describe.each(Object.entries(SAMPLE_SWEEPS))('%s', (name, sweep) => {
  const lines = sweepLines(sweep);

  test('reads as it is meant to', async () => {
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden(`sweep-${name}.txt`));
  });

  test('fits 80 columns', () => {
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
