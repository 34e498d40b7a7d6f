import fc from 'fast-check';
import { expect, test } from 'vitest';

import { scrub } from './scrub.ts';

test.each([
  { code: 'a // b', names: ['a'], because: 'a line comment' },
  { code: 'a /* b */ c', names: ['a', 'c'], because: 'a block comment' },
  { code: "a('b\\'b') + c", names: ['a', 'c'], because: 'a string with an escape' },
  { code: 'a(`b ${c} b`) + d', names: ['a', 'c', 'd'], because: 'a template: its code stays, its text goes' },
  { code: 'a(`b ${c({ k: `b${d}` })} b`) + e', names: ['a', 'c', 'k', 'd', 'e'], because: 'a template in a template' },
  { code: "a = /'/.test(c) // b", names: ['a', 'test', 'c'], because: 'a quote in a regular expression' },
  { code: 'a = [/[/`]/, c]', names: ['a', 'c'], because: 'a slash in a class of a regular expression' },
  { code: 'a = c / d / e', names: ['a', 'c', 'd', 'e'], because: 'divisions' },
])('$because', ({ code, names }) => {
  expect(scrub(code).match(/\w+/g)).toEqual(names);
});

test('every character keeps its place, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', "'", '"', '`', '/', '*', '\\', '\n', '$', '{', '}', '(', ' ') }),
      (text) => {
        const scrubbed = scrub(text);
        return scrubbed.length === text.length && [...text].every((one, at) => one !== '\n' || scrubbed[at] === '\n');
      },
    ),
  );
});
