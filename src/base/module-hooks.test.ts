import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { load, resolve, withoutTypes } from './module-hooks.ts';

const scratch = scratchDirectories();
const next = () => 'left to Node';

test("'sqldyno' is this program, and nothing else is touched", () => {
  expect(resolve('sqldyno', {}, next)).toMatchObject({ url: new URL('../index.js', import.meta.url).href });
  for (const specifier of ['./sqldyno', 'sqldyno/other', 'node:fs'])
    expect(resolve(specifier, {}, next)).toBe('left to Node');
});

test('types are blanked out, so that every line and column stays', () => {
  const source = "import { type A, b } from 'x';\ninterface C { d: string }\nexport default b as A;\n";
  const code = withoutTypes(source, 'a.ts');
  expect(code.split('\n').map((line) => line.length)).toEqual(source.split('\n').map((line) => line.length));
  expect(code.replaceAll(/\s+/g, ' ').trim()).toMatch(/^import \{ b \} from 'x'; ;? ?export default b ;$/);
});

test.each([
  { source: 'const a: number = ;', place: 'a.ts:1:19: ', because: 'it is wrong' },
  { source: 'let a;\n  enum B { C }', place: 'a.ts:2:3: ', because: 'it would have to be translated' },
])('a mistake is told with its place: $because', ({ source, place }) => {
  expect(() => withoutTypes(source, 'a.ts')).toThrow(SyntaxError);
  expect(() => withoutTypes(source, 'a.ts')).toThrow(place);
});

test('only files of TypeScript are read here', () => {
  const directory = scratch();
  const url = (name: string) => pathToFileURL(join(directory, name)).href;
  writeFileSync(join(directory, 'a.mts'), 'export default 1 as number;');
  expect(load(url('a.mts'), {}, next)).toMatchObject({
    format: 'module',
    source: expect.stringContaining('default 1'),
  });
  for (const other of [url('a.mjs'), url('a.ts.js'), 'node:fs', 'data:text/javascript,a.ts']) {
    expect(load(other, {}, next)).toBe('left to Node');
  }
});
