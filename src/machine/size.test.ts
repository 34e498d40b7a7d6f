import { expect, test } from 'vitest';
import { parseSize } from './size.ts';

test.each([
  { text: '16384', bytes: 16_384, because: 'a bare number is bytes' },
  { text: '1K', bytes: 1_024, because: 'letters are powers of 1,024' },
  { text: '2g', bytes: 2_147_483_648, because: 'small letters too' },
  { text: '100G', bytes: 107_374_182_400, because: 'more than 32 bits' },
  { text: '16KiB', bytes: 16_384, because: 'as reports write it' },
  { text: ' 4M ', bytes: 4_194_304, because: 'spaces of a file of options' },
])("'$text' is $bytes bytes: $because", ({ text, bytes }) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(['', 'K', '1.5G', '-1', '1X', '9999999T', '1 K'])("'%s' is no size", (text) => {
  expect(parseSize(text)).toBeUndefined();
});
