/**
 * What Node asks us while it loads a file of the user's own: 'sqldyno' is this very program, wherever the file lies,
 * and of a .ts file only the JavaScript counts. The types are blanked out, so lines and columns stay what they were.
 * Node 22.18 and later could do that by itself; it is done here for all, so that a file runs alike everywhere.
 *
 * The functions fit both ways in which Node takes hooks (nodejs.org/api/module.html, "Customization Hooks"): called at
 * once, or from a thread of their own, where this file is loaded a second time.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { transformSync } from '@swc/wasm-typescript';

export interface ResolveContext {
  readonly parentURL?: string | undefined;
}
interface Resolved {
  readonly url: string;
  readonly shortCircuit?: boolean;
}
interface Loaded {
  readonly format: string;
  readonly source?: string;
  readonly shortCircuit?: boolean;
}

/** The public API. The program is compiled when these hooks run, hence the ending. */
const API_URL = new URL('../index.js', import.meta.url).href;
const TYPESCRIPT = /\.m?ts$/;

export function resolve<R>(
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: ResolveContext) => R,
): R | Resolved {
  if (specifier === 'sqldyno') return { url: API_URL, shortCircuit: true };
  return next(specifier, context);
}

export function load<C, R>(url: string, context: C, next: (url: string, context: C) => R): R | Loaded {
  if (!url.startsWith('file:') || !TYPESCRIPT.test(url)) return next(url, context);
  const path = fileURLToPath(url);
  return { format: 'module', source: withoutTypes(readFileSync(path, 'utf8'), path), shortCircuit: true };
}

/** A `SyntaxError` tells the place first: 'PATH:LINE:COLUMN: what is wrong'. */
export function withoutTypes(source: string, path: string): string {
  try {
    return stripper()(source, { mode: 'strip-only', module: true }).code;
  } catch (error) {
    // It throws plain objects, with columns from 0.
    const { message, startLine, startColumn } = error as Partial<StripFailure>;
    if (startLine === undefined || startColumn === undefined) throw error;
    throw new SyntaxError(`${path}:${startLine}:${startColumn + 1}: ${message}`);
  }
}

interface StripFailure {
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

let strip: typeof transformSync | undefined;

/** 3.7 MB of WebAssembly: loaded with the first .ts file, and not before. */
function stripper(): typeof transformSync {
  if (strip !== undefined) return strip;
  const module: { readonly transformSync: typeof transformSync } = createRequire(import.meta.url)(
    '@swc/wasm-typescript',
  );
  strip = module.transformSync;
  return strip;
}
