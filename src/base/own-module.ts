/** Loads a module file of the user's own, and says in a sentence why one does not load. */
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UserError } from './errors.ts';
import * as hooks from './module-hooks.ts';

/** `registerHooks` is there from Node 22.15 on; `register`, its elder, is on its way out. */
interface HookTakers {
  registerHooks?(moduleHooks: typeof hooks): unknown;
  register?(specifier: string, parentUrl: string): void;
}

/** Compiled, the hooks lie beside this file. From source it is Vitest that loads modules, TypeScript included. */
const CAN_HOOK = import.meta.url.endsWith('.js');
let isHooked = false;

/** The default export. Each thread that loads such files calls this for itself. */
export async function loadOwnModule(path: string): Promise<unknown> {
  installHooks();
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    return module.default;
  } catch (error) {
    throw cannotLoad(path, error);
  }
}

function installHooks(): void {
  if (isHooked || !CAN_HOOK) return;
  isHooked = true;
  const { registerHooks, register } = nodeModule as HookTakers;
  if (registerHooks !== undefined) registerHooks(hooks);
  else register?.('./module-hooks.js', import.meta.url);
}

function cannotLoad(path: string, error: unknown): UserError {
  if (!(error instanceof Error)) return new UserError(`${path} cannot be loaded: it threw ${String(error)}.`);
  const hint = hintFor(path, error);
  return new UserError(whatIsWrong(path, error).replace(/\.?$/, '.'), {
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}

/** The place, and what Node says of it. */
function whatIsWrong(path: string, error: Error): string {
  const located =
    error.name === 'SyntaxError' ? (LOCATED.exec(error.message)?.[0] ?? syntaxErrorIn(path, error)) : undefined;
  return located ?? `${placeOf(path, error)}: ${named(error)}${error.message}`;
}

/** 'PATH:LINE:COLUMN: what is wrong', as `withoutTypes` says it. */
const LOCATED = /^.+:\d+:\d+: [\s\S]+$/;

/** A plain Error's name says nothing. */
function named({ name }: Error): string {
  return name === 'Error' ? '' : `${name}: `;
}

/** Of a mistake in JavaScript Node does not tell the place to anyone but the terminal; the reader of types finds it. */
function syntaxErrorIn(path: string, error: Error): string | undefined {
  if (linkedFrom(error) !== undefined) return undefined;
  try {
    hooks.withoutTypes(readFileSync(path, 'utf8'), path);
    return undefined;
  } catch (found) {
    return LOCATED.exec((found as Error).message)?.[0];
  }
}

/** The first place in the stack that is in a file, else the file itself. */
function placeOf(path: string, error: Error): string {
  const [url, line] =
    linkedFrom(error) ?? /(file:\/\/[^\s)]+?):(\d+)(?::\d+)?\)?$/m.exec(error.stack ?? '')?.slice(1) ?? [];
  if (url === undefined || !isBeside(path, url)) return path;
  return `${fileURLToPath(url)}:${line}`;
}

/** Where an import names what is not exported, the stack begins with the importing line. */
function linkedFrom(error: Error): string[] | undefined {
  return /^(file:\/\/\S+?):(\d+)\n/.exec(error.stack ?? '')?.slice(1);
}

/** Frames of Node and of this program are nobody's mistake but ours. */
function isBeside(path: string, url: string): boolean {
  return url.startsWith(new URL('.', pathToFileURL(path)).href);
}

function hintFor(path: string, error: Error): string | undefined {
  const { message } = error;
  const missing = /does not provide an export named '([^']+)'/.exec(message)?.[1];
  if (missing !== undefined) {
    return `If ${missing} is a type, write: import { type ${missing} }. What 'sqldyno' exports is in docs/workloads.md.`;
  }
  if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') {
    return /Cannot find package/.test(message)
      ? 'Packages are looked for beside the file: install it there. Only sqldyno itself needs no installing.'
      : "Write the path as the file is named, with its ending: import { rows } from './rows.ts'";
  }
  if (/strip-only|type strip mode/.test(message)) {
    return 'Types are erased and nothing is translated: write it without enum, namespace, <type> before a value, and the like.';
  }
  if (error.name !== 'SyntaxError') return undefined;
  if (/\busing\s+\w+\s*=/.test(readFileSync(path, 'utf8')) && /Unexpected identifier/.test(message)) {
    return `This is Node ${process.versions.node}, and \`using\` needs Node 24: close what you open in a finally block.`;
  }
  return /'export'|import statement outside a module/.test(message)
    ? 'Node takes this file for CommonJS: name it .mjs or .ts.'
    : undefined;
}
