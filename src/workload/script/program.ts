/** Everything that the options of `script` amount to: its files, read and checked together. */
import { nearest } from '../../base/did-you-mean.ts';
import { UserError } from '../../base/errors.ts';
import { EXAMPLE } from './example.ts';
import { definesOf, filesOf, type ScriptFiles, type ScriptOptions, splitDefine } from './options.ts';
import type { ScriptText } from './place.ts';
import { type ReadSettings, readScript } from './read-script.ts';
import type { PlannedStatement, Script } from './script.ts';
import { StatementNames } from './statement-names.ts';

export interface WeightedScript extends Script {
  readonly weight: number;
}

export interface Program {
  readonly scripts: readonly WeightedScript[];
  readonly setup: readonly Script[];
  readonly teardown: readonly Script[];
  /** Of the scripts, without setup and teardown. */
  readonly statements: readonly PlannedStatement[];
}

interface ReadProgram {
  readonly program: Program;
  /** Each a sentence with its place and a remedy. */
  readonly problems: readonly string[];
}

/** All sessions of a run in one worker have the same options object. */
const known = new WeakMap<ScriptOptions, ReadProgram>();

export function problemsOf(options: ScriptOptions): readonly string[] {
  return readProgram(options).problems;
}

/** Throws where there are problems, which should have been told by then. */
export function programOf(options: ScriptOptions): Program {
  const { program, problems } = readProgram(options);
  if (problems.length > 0) throw new UserError(problems.join('\n'));
  return program;
}

function readProgram(options: ScriptOptions): ReadProgram {
  const before = known.get(options);
  if (before !== undefined) return before;
  const files = isExample(options) ? EXAMPLE : filesOf(options);
  const read = files === undefined ? notRead() : readFiles(files, options);
  known.set(options, read);
  return read;
}

/** Where no file is named at all. */
export function isExample({ file, setup_file, teardown_file }: ScriptOptions): boolean {
  return file.length + setup_file.length + teardown_file.length === 0;
}

const NOTHING: Program = { scripts: [], setup: [], teardown: [], statements: [] };

function notRead(): ReadProgram {
  return {
    program: NOTHING,
    problems: ['The files were not read: pass the options through readFiles of the workload first.'],
  };
}

function readFiles(files: ScriptFiles, options: ScriptOptions): ReadProgram {
  const defines = definesOf(options);
  const names = new StatementNames();
  const problems: string[] = [];
  const used = new Set<string>();
  const read = (source: ScriptText, settings: Pick<ReadSettings, 'names' | 'isSetup'>): Script | undefined => {
    const result = readScript(source, { defines, wraps: options.in_transaction && !settings.isSetup, ...settings });
    problems.push(...result.problems);
    for (const name of result.used) used.add(name);
    return result.script;
  };
  const scripts = files.files.flatMap((file) => {
    // Of a file that never runs nothing is prepared.
    const script = read(file, { names: file.weight === 0 ? new StatementNames() : names, isSetup: false });
    return script === undefined ? [] : [{ ...script, weight: file.weight }];
  });
  const once = (sources: readonly ScriptText[]) =>
    sources.flatMap((source) => read(source, { names: new StatementNames(), isSetup: true }) ?? []);
  const program = { scripts, setup: once(files.setup), teardown: once(files.teardown), statements: names.all };
  // What a file with problems uses is not known.
  if (problems.length === 0) problems.push(...defineProblems(options, used));
  problems.push(...weightProblems(files), ...nameProblems(scripts));
  return { program, problems };
}

function defineProblems({ define }: ScriptOptions, used: ReadonlySet<string>): string[] {
  return define.flatMap((written) => {
    const [name] = splitDefine(written);
    if (!/^[A-Za-z_]\w*=/.test(written.replace(/\s+=/, '=')))
      return [`--define=${written} is not of the form NAME=VALUE.`];
    if (name === 'event') return ['--define=event: :event is the number of the transaction, and cannot be set.'];
    if (used.has(name)) return [];
    const meant = nearest(name, used);
    return [`--define=${written}: no file uses :${name}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`];
  });
}

function weightProblems({ files }: ScriptFiles): string[] {
  if (files.length === 0 || files.some(({ weight }) => weight > 0)) return [];
  return ['All files have the weight 0: there is nothing to run. Give one of them another: --file=FILE@1'];
}

function nameProblems(scripts: readonly Script[]): string[] {
  return scripts.flatMap(({ file, name }, index) => {
    const other = scripts.slice(0, index).find((before) => before.name === name);
    if (other === undefined) return [];
    return [
      `${other.file} and ${file} both make transactions called ${name}. Begin one of them with a line -- name: NAME`,
    ];
  });
}
