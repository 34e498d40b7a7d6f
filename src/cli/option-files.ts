/**
 * The [client] group of MySQL option files.
 * https://dev.mysql.com/doc/refman/8.4/en/option-files.html
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { UserError } from '../base/errors.ts';

/** Names with dashes, as `ssl-mode`. */
export type ClientOptions = ReadonlyMap<string, string>;

/** Deeper than this, files include each other in a circle. */
const INCLUDE_DEPTH_MAX = 10;
const WRITABLE_BY_OTHERS = 0o002;

/** In the order in which they are read: the last one wins. */
export function usualOptionFiles(homeDirectory: string): string[] {
  return ['/etc/my.cnf', '/etc/mysql/my.cnf', join(homeDirectory, '.my.cnf')];
}

/** Files that are absent or unreadable are passed over, as every MySQL client does. */
export function readUsualOptionFiles(paths: readonly string[]): { client: ClientOptions; files: string[] } {
  const client = new Map<string, string>();
  const files: string[] = [];
  for (const path of paths) {
    const found = new Map<string, string>();
    try {
      // A file that anybody may write is no source of credentials; the MySQL clients ignore it too.
      if ((statSync(path).mode & WRITABLE_BY_OTHERS) !== 0) continue;
      readInto(found, path, 0);
    } catch {
      continue;
    }
    if (found.size > 0) files.push(path);
    for (const [key, value] of found) client.set(key, value);
  }
  return { client, files };
}

/** A file that was asked for by name must exist. */
export function readOptionFile(path: string): ClientOptions {
  const client = new Map<string, string>();
  try {
    readInto(client, path, 0);
  } catch (error) {
    throw new UserError(`The option file ${path} cannot be read: ${(error as Error).message}.`, {
      hint: 'Give the path of a my.cnf file that you may read.',
      cause: error,
    });
  }
  return client;
}

function readInto(client: Map<string, string>, path: string, depth: number): void {
  if (depth > INCLUDE_DEPTH_MAX) return;
  let isClientGroup = false;
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const text = line.trim();
    if (text === '' || text.startsWith('#') || text.startsWith(';')) continue;
    const include = /^!include(dir)?\s+(.+)$/.exec(text);
    const group = /^\[(.+?)\]/.exec(text);
    if (include !== null) {
      const included = resolve(dirname(path), include[2] as string);
      for (const file of include[1] === undefined ? [included] : configFilesOf(included)) {
        readInto(client, file, depth + 1);
      }
    } else if (group !== null) {
      isClientGroup = group[1] === 'client';
    } else if (isClientGroup) {
      const [key, value] = splitLine(text);
      client.set(key, value);
    }
  }
}

/** A directory that is not there includes nothing: distributions leave such lines behind. */
function configFilesOf(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith('.cnf'));
  return names.sort().map((name) => join(directory, name));
}

function splitLine(text: string): [key: string, value: string] {
  const bare = withoutComment(text);
  const equals = bare.indexOf('=');
  const key = (equals === -1 ? bare : bare.slice(0, equals))
    .trim()
    .replaceAll('_', '-')
    .replace(/^loose-/, '');
  return [key.toLowerCase(), equals === -1 ? '' : unquote(bare.slice(equals + 1).trim())];
}

/** A `#` ends the value, except inside quotes. */
function withoutComment(text: string): string {
  let quote: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const letter = text[index] as string;
    if (letter === '\\') index++;
    else if (quote !== undefined) quote = letter === quote ? undefined : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '#') return text.slice(0, index);
  }
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', r: '\r', '\\': '\\', s: ' ' };

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  const inner = quoted?.[2] ?? text;
  return inner.replace(/\\(.)/gs, (whole, letter: string) => ESCAPES[letter] ?? (/["']/.test(letter) ? letter : whole));
}
