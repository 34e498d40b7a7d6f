/**
 * The house rules that no other tool knows: who may import whom, who may touch the world, and a few habits.
 * Texts in, findings out. The two tables come first; docs/architecture.md shows them as a picture.
 */
import { scrub } from './scrub.ts';

export interface SourceFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

/** What each folder of src/ may import, beside itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  model: ['base'],
  stats: ['base', 'model'],
  wire: ['base'],
  workload: ['base', 'model', 'stats', 'wire'],
  load: ['base', 'model', 'stats', 'wire', 'workload'],
  machine: ['base', 'model', 'stats'],
  observe: ['base', 'model', 'wire'],
  store: ['base', 'model', 'stats'],
  diagnosis: ['base', 'model', 'stats'],
  'foreign-output': ['base', 'model', 'stats'],
  audit: ['base', 'model', 'stats', 'foreign-output'],
  doctor: ['base', 'model', 'wire', 'workload', 'machine', 'observe'],
  report: ['base', 'model', 'stats'],
  board: ['base', 'model', 'stats', 'audit', 'report'],
  lab: ['base', 'model', 'stats', 'wire', 'workload', 'load', 'observe', 'diagnosis', 'doctor', 'store'],
  web: ['base', 'model', 'stats', 'store', 'report', 'lab'],
  cli: [
    'base',
    'model',
    'stats',
    'wire',
    'workload',
    'load',
    'machine',
    'observe',
    'doctor',
    'store',
    'report',
    'foreign-output',
    'audit',
    'board',
    'lab',
    'web',
  ],
};

interface Capability {
  readonly modules?: readonly string[];
  readonly code?: RegExp;
  readonly folders: readonly string[];
  readonly instead: string;
}

/** Who may touch the world. */
const CAPABILITIES: readonly Capability[] = [
  { modules: ['net', 'tls', 'dgram'], folders: ['wire'], instead: 'open connections through wire/' },
  {
    modules: ['worker_threads'],
    folders: ['load', 'machine'],
    instead: 'threads belong to the engine, and to the tests of the machine',
  },
  {
    modules: ['child_process'],
    folders: ['lab', 'observe', 'machine'],
    instead: 'programs are started by lab/, watched by observe/; machine/ starts fio',
  },
  { modules: ['http', 'https', 'http2'], folders: ['web'], instead: 'HTTP is spoken by web/ only' },
  {
    modules: ['fs', 'fs/promises'],
    folders: ['base', 'observe', 'machine', 'store', 'lab', 'web', 'cli'],
    instead: 'let the caller read or write the file, and hand over its content',
  },
  {
    code: /\b(?:Date\.now\(|performance\.now\(|process\.hrtime|new Date\(\))/,
    folders: ['base'],
    instead: 'take the time from base/clock.ts',
  },
  {
    code: /\bMath\.random\(/,
    folders: ['base'],
    instead: 'take a Random of base/random.ts, so that a seed replays the run',
  },
  {
    code: /\b(?:console\.\w|process\.(?:exit\b|exitCode\b|stdin\b|stdout\b|stderr\b|argv\b))/,
    folders: ['cli'],
    instead: 'return the text or throw a UserError: only cli/ prints and exits',
  },
  { code: /\bprocess\.env\b/, folders: ['cli', 'lab', 'store'], instead: 'take the value as an argument' },
];

interface Habit {
  readonly pattern: RegExp;
  /** Prose counts: comments and strings are looked at too. */
  readonly inProse: boolean;
  /** Absent: yes. */
  readonly testsToo?: false;
  readonly message: string;
}

const ONE_MACHINE = "a path of one person's machine; use a relative path, ~ or a temporary folder";

const HABITS: readonly Habit[] = [
  { pattern: /\b(?:FIXME|TODO|XXX)\b/, inProse: true, message: 'finish it, or open an issue and leave the word out' },
  { pattern: /(?:^|[^\w.])\/(?:root|work|farm)\/\w/, inProse: true, message: ONE_MACHINE },
  { pattern: /(?:^|[^\w.])\/(?:home|Users)\/\w|\bC:\\Users\\/, inProse: true, testsToo: false, message: ONE_MACHINE },
  {
    pattern: /\b(?:test|it|describe|suite|context)\.(?:only|skip|todo)\b/,
    inProse: false,
    message: 'every test runs; where a program may be missing, use skipIf with a title that names it',
  },
  { pattern: /\bexpect\(\s*true\s*\)/, inProse: false, message: 'a test that cannot fail; assert an outcome' },
  {
    pattern: /\bclass\s+\w+(?:<[^>{]*>)?\s+extends\s+(?!\w*Error\b)/,
    inProse: false,
    message: 'only errors inherit; describe with a plain object, or hold the other object',
  },
  { pattern: /\bexport\s+\*/, inProse: false, message: 'no barrels; export by name where it is defined' },
];

const LINE_LENGTH_MAX = 120;
const INDEX = 'src/index.ts';
/** Runs in a browser, whose clock and console are its own; its `tsconfig.json` keeps Node's types away. */
const BROWSER_CODE = /^src\/web\/client\//;
/** These hold the forbidden words as data. */
const RULES_THEMSELVES = /^tools\/tidy[./]/;

export function tidy(files: readonly SourceFile[]): Finding[] {
  const findings = files.flatMap((file) => [...tidySource(file), ...tidyDocument(file, files)]);
  return findings.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

function isSource(path: string): boolean {
  return /\.(?:tsx?|mjs)$/.test(path);
}

function isTest(path: string): boolean {
  return path.startsWith('test/') || path.endsWith('.test.ts');
}

function tidySource(file: SourceFile): Finding[] {
  if (!isSource(file.path)) return [];
  const code = scrub(file.text);
  const isProduct = file.path.startsWith('src/') && !isTest(file.path);
  return [
    ...opening(file),
    ...lineLengths(file),
    ...habits(file, code),
    ...exportsOf(file, code),
    ...importsOf(file, code).flatMap((found) => checkImport(file.path, found, isProduct)),
    ...(isProduct ? capabilities(file, code) : []),
  ];
}

function opening({ path, text }: SourceFile): Finding[] {
  if (isTest(path) || /^(?:#!.*\n)?\/[/*]/.test(text)) return [];
  return [{ path, line: 1, message: 'opens without its purpose; begin with a comment that says what the file is for' }];
}

function lineLengths({ path, text }: SourceFile): Finding[] {
  return linesOf(text)
    .filter(
      ({ content }) => content.length > LINE_LENGTH_MAX && !isOneLongString(content) && !content.includes('https://'),
    )
    .map(({ line, content }) => ({ path, line, message: `${content.length} columns; break it at ${LINE_LENGTH_MAX}` }));
}

/** A sentence for people stays whole, so that it can be searched for; it is what the formatter leaves long, too. */
function isOneLongString(line: string): boolean {
  const isComment = /^\s*(?:\/[/*]|\*)/.test(line);
  return !isComment && line.replaceAll(/(['"`]).*?\1/g, '').length <= LINE_LENGTH_MAX;
}

function habits({ path, text }: SourceFile, code: string): Finding[] {
  if (RULES_THEMSELVES.test(path)) return [];
  const asked = HABITS.filter(({ testsToo }) => testsToo !== false || !isTest(path));
  return asked.flatMap(({ pattern, inProse, message }) =>
    matches(inProse ? text : code, pattern).map(({ line, found }) => ({
      path,
      line,
      message: `'${found}': ${message}`,
    })),
  );
}

function exportsOf({ path }: SourceFile, code: string): Finding[] {
  if (isTest(path) || !/^(?:src|tools|bench)\//.test(path)) return [];
  // The templates of `npm run new` are what entries start as.
  const isEntry = /^(?:src\/\w+\/catalog|tools\/templates)\/[^/]+\.ts$/.test(path);
  const defaults = matches(code, /\bexport\s+default\b/);
  const findings = isEntry
    ? []
    : defaults.map(({ line }) => ({ path, line, message: 'a default export outside catalog/; export by name' }));
  if (isEntry && defaults.length === 0) {
    findings.push({
      path,
      line: 1,
      message: 'an entry of a catalogue without default export; move it out of catalog/, or export one',
    });
  }
  if (path === INDEX) return findings;
  const passedOn = matches(code, /\bexport\s+(?:type\s+)?\{[^}]*\}\s*from\b/);
  return [
    ...findings,
    ...passedOn.map(({ line }) => ({
      path,
      line,
      message: `passes on another file's names; import them from there (only ${INDEX} may)`,
    })),
  ];
}

interface Import {
  readonly line: number;
  readonly specifier: string;
}

function importsOf({ text }: SourceFile, code: string): Import[] {
  // Found in the scrubbed code, read from the text: strings are blank there, but stand at the same place.
  return matches(code, /(?:\bfrom\s*|\bimport\s*\(?\s*)(?=['"])/).map(({ line, end }) => {
    const quote = text[end] ?? "'";
    return { line, specifier: text.slice(end + 1, text.indexOf(quote, end + 1)) };
  });
}

function checkImport(path: string, { line, specifier }: Import, isProduct: boolean): Finding[] {
  const findings: Finding[] = [];
  if (specifier.startsWith('.') && !/\.(?:tsx?|mjs|json)$/.test(specifier)) {
    findings.push({ path, line, message: `'${specifier}' names no source file; write its ending, .ts` });
  }
  if (!isProduct) return findings;
  const from = folderOf(path);
  const to = specifier.startsWith('.') ? folderOf(resolvePath(path, specifier)) : undefined;
  if (from === undefined) return findings;
  if (specifier.startsWith('.') && to === undefined) {
    findings.push({ path, line, message: `${from}/ imports '${specifier}'; the product stands on src/*/ alone` });
  } else if (to !== undefined && to !== from && !(MAY_IMPORT[from] ?? []).includes(to)) {
    findings.push({
      path,
      line,
      message: `${from}/ may not import ${to}/; move what both need to a folder below, or hand it in`,
    });
  }
  const module = specifier.replace(/^node:/, '');
  for (const { modules, folders, instead } of CAPABILITIES) {
    if (modules?.includes(module) && !folders.includes(from)) {
      findings.push({ path, line, message: `node:${module} belongs in ${places(folders)}; ${instead}` });
    }
  }
  return findings;
}

function capabilities({ path }: SourceFile, code: string): Finding[] {
  const from = folderOf(path);
  if (from === undefined || BROWSER_CODE.test(path)) return [];
  return CAPABILITIES.flatMap(({ code: pattern, folders, instead }) => {
    if (pattern === undefined || folders.includes(from)) return [];
    return matches(code, pattern).map(({ line, found }) => ({
      path,
      line,
      message: `${found} belongs in ${places(folders)}; ${instead}`,
    }));
  });
}

/** `wire` of `src/wire/frame.ts`; undefined for files outside the folders of src/. */
function folderOf(path: string): string | undefined {
  return /^src\/([\w-]+)\//.exec(path)?.[1];
}

function resolvePath(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

function places(folders: readonly string[]): string {
  return folders.map((folder) => `${folder}/`).join(', ');
}

function tidyDocument(file: SourceFile, files: readonly SourceFile[]): Finding[] {
  if (!file.path.endsWith('.md')) return [];
  const { path, text } = file;
  const prose = HABITS.filter(({ inProse }) => inProse);
  const findings = prose.flatMap(({ pattern, message }) =>
    matches(text, pattern).map(({ line, found }) => ({ path, line, message: `'${found}': ${message}` })),
  );
  if (path === 'CHANGELOG.md' && !/^## Unreleased$/m.test(text)) {
    findings.push({ path, line: 1, message: "no section '## Unreleased'; it is where the next change is told" });
  }
  return [...findings, ...links(file, files), ...scripts(file, files)];
}

function links({ path, text }: SourceFile, files: readonly SourceFile[]): Finding[] {
  return matches(text, /\]\((?!https?:|#|mailto:)([^)#\s]+)/).flatMap(({ line, groups }) => {
    const target = resolvePath(path, groups[0] ?? '').replace(/\/$/, '');
    const exists = files.some((file) => file.path === target || file.path.startsWith(`${target}/`));
    return exists ? [] : [{ path, line, message: `links to ${target}, which does not exist` }];
  });
}

function scripts({ path, text }: SourceFile, files: readonly SourceFile[]): Finding[] {
  const manifest = files.find((file) => file.path === 'package.json');
  if (manifest === undefined) return [];
  const known = Object.keys((JSON.parse(manifest.text) as { scripts?: Record<string, string> }).scripts ?? {});
  return matches(text, /\bnpm run ([a-z][\w:-]*)/).flatMap(({ line, groups }) =>
    known.includes(groups[0] ?? '')
      ? []
      : [{ path, line, message: `names 'npm run ${groups[0]}', which is no script` }],
  );
}

interface Match {
  readonly line: number;
  readonly found: string;
  readonly groups: readonly (string | undefined)[];
  /** Offset behind the match. */
  readonly end: number;
}

function matches(text: string, pattern: RegExp): Match[] {
  return [...text.matchAll(new RegExp(pattern, 'gm'))].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    found: match[0].trim(),
    groups: match.slice(1),
    end: match.index + match[0].length,
  }));
}

function linesOf(text: string): { line: number; content: string }[] {
  return text.split('\n').map((content, index) => ({ line: index + 1, content }));
}

/** A file longer than this is usually two files. A guide, not a law. */
const FILE_LINES_GUIDE = 400;

/** What is larger than the guide says; function lengths are Biome's (`npx biome check`). */
export function sizeGuide(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isSource(path) && !isTest(path))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > FILE_LINES_GUIDE)
    .map(({ path, lines }) => `${path}: ${lines} lines; beyond ${FILE_LINES_GUIDE} a file is usually two`);
}
