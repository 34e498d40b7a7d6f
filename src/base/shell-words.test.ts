import { expect, test } from 'vitest';
import { shellQuoted } from './shell-words.ts';

test.each([
  { word: 'a/b-c.js', quoted: 'a/b-c.js' },
  { word: 'my dir', quoted: "'my dir'" },
  { word: "it's", quoted: "'it'\\''s'" },
])('$word is pasted as $quoted', ({ word, quoted }) => {
  expect(shellQuoted(word)).toBe(quoted);
});
