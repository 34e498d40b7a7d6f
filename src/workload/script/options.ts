/** The options of `script`, and the files that they name. */
import { UserError } from '../../base/errors.ts';
import { flag, list, type ValuesOf } from '../../base/options.ts';
import type { ScriptText } from './place.ts';

export const SCRIPT_OPTIONS = {
  file: list({
    default: [],
    repeatable: true,
    placeholder: 'FILE[@WEIGHT]',
    help: 'a file of SQL, which makes one type of transaction; several are drawn by their weights (1 where none is given). May be repeated; without any, a small example runs',
  }),
  define: list({
    default: [],
    repeatable: true,
    placeholder: 'NAME=VALUE',
    help: 'what the variable :NAME is at the start; may be repeated',
  }),
  setup_file: list({
    default: [],
    repeatable: true,
    placeholder: 'FILE',
    help: 'what prepare does, statement by statement; may be repeated',
  }),
  teardown_file: list({
    default: [],
    repeatable: true,
    placeholder: 'FILE',
    help: 'what cleanup does; may be repeated',
  }),
  in_transaction: flag({
    default: false,
    help: 'put BEGIN and COMMIT around the files that have none: otherwise each of their statements commits by itself',
  }),
  texts: list({ default: [], hidden: true, help: 'what the files hold, in the order of the options above' }),
} as const;

export type ScriptOptions = ValuesOf<typeof SCRIPT_OPTIONS>;

/** It goes to every worker and into the record. Data to load by the megabyte is for the server's own client. */
const TEXT_LENGTH_MAX = 1024 * 1024;

/** With the files' texts. */
export function withTexts(options: ScriptOptions, read: (path: string) => string): ScriptOptions {
  const texts = pathsOf(options).map((path) => {
    const text = read(path).replace(/^\uFEFF/, '');
    if (text.length <= TEXT_LENGTH_MAX) return text;
    throw new UserError(`${path} is longer than a script can be (1 MiB).`, {
      hint: 'Load data with the client of your server first, and keep here what is to be measured.',
    });
  });
  return { ...options, texts };
}

function pathsOf({ file, setup_file, teardown_file }: ScriptOptions): string[] {
  return [...file.map((written) => weighted(written).path), ...setup_file, ...teardown_file];
}

export interface WeightedText extends ScriptText {
  readonly weight: number;
}

export interface ScriptFiles {
  readonly files: readonly WeightedText[];
  readonly setup: readonly ScriptText[];
  readonly teardown: readonly ScriptText[];
}

/** Undefined where the files were named and not read. */
export function filesOf(options: ScriptOptions): ScriptFiles | undefined {
  const { file, setup_file, teardown_file, texts } = options;
  if (texts.length !== pathsOf(options).length) return undefined;
  let at = 0;
  const next = (path: string) => ({ file: path, text: texts[at++]! });
  return {
    files: file.map((written) => {
      const { path, weight } = weighted(written);
      return { ...next(path), weight };
    }),
    setup: setup_file.map(next),
    teardown: teardown_file.map(next),
  };
}

/** `transfer.sql@3` */
function weighted(written: string): { path: string; weight: number } {
  const [, path = written, weight = '1'] = /^(.+)@(\d+)$/.exec(written) ?? [];
  return { path, weight: Number(weight) };
}

/** `NAME=VALUE`; of several the last counts. */
export function definesOf({ define }: ScriptOptions): ReadonlyMap<string, string> {
  return new Map(define.map((written) => splitDefine(written)));
}

export function splitDefine(written: string): [name: string, value: string] {
  const equals = written.indexOf('=');
  return equals === -1 ? [written, ''] : [written.slice(0, equals).trim(), written.slice(equals + 1)];
}
