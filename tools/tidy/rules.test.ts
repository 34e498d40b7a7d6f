import { describe, expect, test } from 'vitest';

import { type SourceFile, sizeGuide, tidy } from './rules.ts';

const PURPOSE = '/** For this test. */\n';

/** `line: message` of a file that opens well. */
function findingsIn(path: string, text: string, others: readonly SourceFile[] = []): string[] {
  const whole = path.endsWith('.md') ? text : PURPOSE + text;
  return tidy([{ path, text: whole }, ...others])
    .filter((finding) => finding.path === path)
    .map(({ line, message }) => `${line}: ${message}`);
}

describe('directions', () => {
  test.each([
    {
      path: 'src/wire/a.ts',
      imports: '../load/b.ts',
      says: 'wire/ may not import load/',
      because: 'the wire never hears of load',
    },
    {
      path: 'src/report/a.ts',
      imports: '../store/b.ts',
      says: 'report/ may not import store/',
      because: 'reports are pure',
    },
    {
      path: 'src/machine/a.ts',
      imports: '../load/b.ts',
      says: 'machine/ may not import load/',
      because: 'a test of the machine knows nothing of databases',
    },
    {
      path: 'src/lab/a.ts',
      imports: '../cli/b.ts',
      says: 'lab/ may not import cli/',
      because: 'nobody imports the command line',
    },
    {
      path: 'src/cli/a.ts',
      imports: '../index.ts',
      says: "cli/ imports '../index.ts'",
      because: 'the public API is for outsiders',
    },
    {
      path: 'src/base/a.ts',
      imports: '../../tools/b.ts',
      says: "base/ imports '../../tools/b.ts'",
      because: 'tools are not shipped',
    },
    { path: 'src/load/a.ts', imports: '../wire/b.ts', says: '', because: 'load speaks the protocol' },
    { path: 'src/wire/deep/a.ts', imports: '../b.ts', says: '', because: 'a folder may import itself' },
    { path: 'src/wire/a.test.ts', imports: '../load/b.ts', says: '', because: 'tests may span folders' },
    { path: 'bench/a.ts', imports: '../src/wire/b.ts', says: '', because: 'benchmarks stand outside' },
  ])('$path -> $imports: $because', ({ path, imports, says }) => {
    for (const code of [
      `import { b } from '${imports}';\n`,
      `import type { B } from '${imports}';\n`,
      `await import('${imports}');\n`,
    ]) {
      const findings = findingsIn(path, code);
      if (says === '') expect(findings).toEqual([]);
      else expect(findings).toEqual([expect.stringContaining(`2: ${says}`)]);
    }
  });
});

describe('the world', () => {
  test.each([
    { path: 'src/load/a.ts', code: "import net from 'node:net';", says: 'node:net belongs in wire/' },
    { path: 'src/load/a.ts', code: "import net from 'net';", says: 'node:net belongs in wire/' },
    {
      path: 'src/wire/a.ts',
      code: "import { Worker } from 'node:worker_threads';",
      says: 'node:worker_threads belongs in load/',
    },
    {
      path: 'src/cli/a.ts',
      code: "import { spawn } from 'node:child_process';",
      says: 'node:child_process belongs in lab/, observe/',
    },
    {
      path: 'src/report/a.ts',
      code: "import { readFile } from 'node:fs/promises';",
      says: 'node:fs/promises belongs in',
    },
    { path: 'src/load/a.ts', code: 'const a = Date.now();', says: 'Date.now( belongs in base/' },
    { path: 'src/load/a.ts', code: 'const a = new Date();', says: 'new Date() belongs in base/' },
    { path: 'src/load/a.ts', code: 'const a = Math.random();', says: 'Math.random( belongs in base/' },
    { path: 'src/lab/a.ts', code: "console.log('a');", says: 'console.l belongs in cli/' },
    { path: 'src/lab/a.ts', code: 'process.exit(1);', says: 'process.exit belongs in cli/' },
    { path: 'src/web/a.tsx', code: 'const a = Date.now();', says: 'Date.now( belongs in base/' },
    {
      path: 'src/wire/a.ts',
      code: "const a = process.env['HOME'];",
      says: 'process.env belongs in cli/, lab/, store/',
    },
  ])('$path: $code', ({ path, code, says }) => {
    expect(findingsIn(path, code)).toEqual([expect.stringContaining(`2: ${says}`)]);
  });

  test.each([
    { path: 'src/wire/a.ts', code: "import net from 'node:net';", because: 'its own folder' },
    { path: 'src/load/a.ts', code: '// Date.now( would do here', because: 'a comment' },
    { path: 'src/load/a.ts', code: "const a = 'console.log()';", because: 'a string' },
    { path: 'src/load/a.ts', code: 'const a = new Date(startMs);', because: 'a moment that was handed in' },
    { path: 'test/server/a.ts', code: "console.log('a');", because: 'no product code' },
    { path: 'tools/a.ts', code: 'process.exit(1);', because: 'no product code' },
    { path: 'src/web/client/a.tsx', code: 'const a = Date.now();', because: 'the browser has a clock of its own' },
  ])('$path: $code is fine: $because', ({ path, code }) => {
    expect(findingsIn(path, code)).toEqual([]);
  });
});

describe('habits', () => {
  test.each([
    { path: 'src/wire/a.ts', text: '// TODO: later', says: "2: 'TODO'" },
    { path: 'docs/a.md', text: 'one\nFIXME two', says: "2: 'FIXME'" },
    { path: 'src/wire/a.ts', text: "const a = '/home/ana/b';", says: "2: ''/home/a': a path of one person's machine" },
    { path: 'src/wire/a.test.ts', text: "test.only('a', () => {});", says: "2: 'test.only'" },
    { path: 'src/wire/a.test.ts', text: 'expect(true).toBe(true);', says: "2: 'expect(true)'" },
    { path: 'src/wire/a.ts', text: 'export class A extends B {}', says: "2: 'class A extends': only errors inherit" },
    { path: 'src/wire/a.ts', text: "export * from './b.ts';", says: "2: 'export *': no barrels" },
    { path: 'src/wire/a.ts', text: "export { b } from './b.ts';", says: "2: passes on another file's names" },
    { path: 'src/wire/a.ts', text: "import { b } from './b.js';", says: "2: './b.js' names no source file" },
    { path: 'src/wire/a.ts', text: 'export default 1;', says: '2: a default export outside catalog/' },
    {
      path: 'src/workload/catalog/a.ts',
      text: 'export const a = 1;',
      says: '1: an entry of a catalogue without default export',
    },
    { path: 'src/wire/a.ts', text: `// ${'a'.repeat(118)}`, says: '2: 121 columns' },
    { path: 'CHANGELOG.md', text: '# Changes\n', says: "1: no section '## Unreleased'" },
    { path: 'docs/a.md', text: '[b](b.md)', says: '1: links to docs/b.md, which does not exist' },
  ])('$path: $text', ({ path, text, says }) => {
    expect(findingsIn(path, text)).toEqual([expect.stringContaining(says)]);
  });

  test.each([
    { path: 'src/wire/a.ts', text: 'export class A extends WireError {}', because: 'errors inherit' },
    { path: 'src/index.ts', text: "export { b } from './wire/b.ts';", because: 'the public API is that' },
    { path: 'src/workload/catalog/a.ts', text: 'export default 1;', because: 'an entry' },
    { path: 'src/wire/a.ts', text: `const a = '${'a'.repeat(118)}';`, because: 'one long string' },
    { path: 'src/wire/a.test.ts', text: "const home = '/home/ana';", because: 'a home that nobody has' },
    { path: 'src/wire/a.test.ts', text: 'reader.skip(2);', because: 'not a test that is passed over' },
    { path: 'docs/a.md', text: '[b](b.md#c) [d](https://d.example) [e](../src/)', because: 'all of it exists' },
  ])('$path: $text is fine: $because', ({ path, text }) => {
    expect(
      findingsIn(path, text, [
        { path: 'docs/b.md', text: '' },
        { path: 'src/wire/b.ts', text: PURPOSE },
      ]),
    ).toEqual([]);
  });

  test('a file says first what it is for, tests excepted', () => {
    const text = 'export const a = 1;\n';
    expect(tidy([{ path: 'src/wire/a.ts', text }])).toEqual([expect.objectContaining({ line: 1 })]);
    expect(tidy([{ path: 'src/wire/a.test.ts', text }])).toEqual([]);
  });

  test('documents name only scripts that exist', () => {
    const manifest = { path: 'package.json', text: '{"scripts":{"tidy":"x"}}' };
    const findings = findingsIn('README.md', 'Run `npm run tidy`,\nthen `npm run tydi`.', [manifest]);
    expect(findings).toEqual(["2: names 'npm run tydi', which is no script"]);
  });
});

test('sizes are a guide, tests excepted', () => {
  const text = `${PURPOSE}${'const a = 1;\n'.repeat(400)}`;
  expect(sizeGuide([{ path: 'src/wire/a.ts', text }])).toEqual([expect.stringContaining('src/wire/a.ts: 401 lines')]);
  expect(sizeGuide([{ path: 'src/wire/a.test.ts', text }])).toEqual([]);
  expect(tidy([{ path: 'src/wire/a.ts', text }])).toEqual([]);
});
