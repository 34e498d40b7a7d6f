/**
 * From the words of a command line to the values of a schema. Nothing is thrown: every problem is collected, so that
 * one run of the program tells all that is wrong. `-` and `_` are alike in names.
 */
import { unreachable } from './assert.ts';
import { nearest } from './did-you-mean.ts';
import type { Option, OptionsSchema, ValuesOf } from './options.ts';
import { defaultsOf } from './options.ts';

/** One option as it was written. */
export interface GivenOption {
  /** With underscores: `table_size`. */
  readonly name: string;
  /** As typed, without its value: `--table-size`. */
  readonly written: string;
  /** Undefined: written without a value. */
  readonly value: string | undefined;
  /** Where it was written, if not on the command line: `line 3 of bench.cnf`. */
  readonly source?: string;
}

export interface Words {
  readonly options: readonly GivenOption[];
  /** What is not an option, in order: `oltp_read_write`, `run`. */
  readonly words: readonly string[];
  /** Single dashes and the like: each a sentence. */
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly is: string;
  readonly remedy?: string;
}

export interface ParsedOptions<S extends OptionsSchema = OptionsSchema> {
  /** Defaults where nothing, or nothing valid, was given. */
  readonly values: ValuesOf<S>;
  readonly given: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

export interface ParseHelp {
  /** Who else knows an unknown option: 'is an option of select_random_points'. */
  elsewhere?(name: string): string | undefined;
  /** Named in the remedy for an unknown option: `sqldyno oltp_read_write help`. */
  readonly helpCommand?: string;
}

/**
 * Tells options from words. `--key value` is taken as one where `key` is in the schema and wants a value, and the next
 * word is not `reserved` (a command or a workload's name).
 */
export function splitWords(
  args: readonly string[],
  schema: OptionsSchema,
  isReserved: (word: string) => boolean = () => false,
): Words {
  const options: GivenOption[] = [];
  const words: string[] = [];
  const problems: Problem[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (arg === '--') {
      words.push(...args.slice(index + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
    } else if (!arg.startsWith('--')) {
      problems.push({ is: `'${arg}' is not known.`, remedy: 'Options begin with two dashes, as in --threads=8.' });
    } else {
      const option = splitOption(arg);
      const next = args[index + 1];
      const isPair = option.value === undefined && next !== undefined && takesNextWord(option.name, next, schema);
      if (isPair && !isReserved(next)) index++;
      options.push(isPair && !isReserved(next) ? { ...option, value: next } : option);
    }
  }
  return { options, words, problems };
}

/** `--table-size=10` or, in a file, `table-size=10`. */
export function splitOption(written: string, source?: string): GivenOption {
  const equals = written.indexOf('=');
  const key = equals === -1 ? written : written.slice(0, equals);
  return {
    name: canonicalName(key),
    written: key,
    value: equals === -1 ? undefined : written.slice(equals + 1),
    ...(source === undefined ? {} : { source }),
  };
}

export function canonicalName(name: string): string {
  return name.replace(/^--/, '').replaceAll('-', '_').toLowerCase();
}

/** As it is shown to people: `--table-size`. */
export function shownName(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

function takesNextWord(name: string, next: string, schema: OptionsSchema): boolean {
  const found = lookUp(name, schema);
  if (found === undefined || found.isNegated) return false;
  const { option } = found;
  if (option.kind === 'flag') return flagValue(next) !== undefined && !/^\d+$/.test(next);
  if (bareValue(option) !== undefined) return false;
  return !next.startsWith('-') || ((option.kind === 'integer' || option.kind === 'number') && /^-[\d.]/.test(next));
}

interface Found {
  readonly key: string;
  readonly option: Option;
  readonly isDeprecated: boolean;
  /** Written `--no-name`. */
  readonly isNegated: boolean;
}

function lookUp(name: string, schema: OptionsSchema): Found | undefined {
  const option = Object.hasOwn(schema, name) ? schema[name] : undefined;
  if (option !== undefined) return { key: name, option, isDeprecated: false, isNegated: false };
  for (const [key, candidate] of Object.entries(schema)) {
    const isSpelling = (spelling: string) => canonicalName(spelling) === name;
    const isDeprecated = candidate.deprecated?.some(isSpelling) ?? false;
    if (isDeprecated || candidate.aliases?.some(isSpelling)) {
      return { key, option: candidate, isDeprecated, isNegated: false };
    }
  }
  if (!name.startsWith('no_')) return undefined;
  const positive = schema[name.slice('no_'.length)];
  return positive?.kind === 'flag'
    ? { key: name.slice('no_'.length), option: positive, isDeprecated: false, isNegated: true }
    : undefined;
}

/** Later options win over earlier ones, as in sysbench; those of a file should therefore come first. */
export function parseOptions<S extends OptionsSchema>(
  options: readonly GivenOption[],
  schema: S,
  help: ParseHelp = {},
): ParsedOptions<S> {
  const values: Record<string, unknown> = { ...defaultsOf(schema) };
  const written = new Map<string, GivenOption>();
  const problems: Problem[] = [];
  const notes: string[] = [];
  for (const given of options) {
    const found = lookUp(given.name, schema);
    if (found === undefined) {
      problems.push(unknownOption(given, schema, help));
      continue;
    }
    if (found.isDeprecated) notes.push(`${given.written} is an old spelling of ${shownName(found.key)}.`);
    const parsed = parseValue(given, found);
    if (parsed.is === 'wrong') {
      problems.push(parsed.problem);
      continue;
    }
    const before = written.get(found.key);
    written.set(found.key, given);
    if (before !== undefined && isRepeatable(found.option)) {
      values[found.key] = [...(values[found.key] as readonly string[]), ...(parsed.value as readonly string[])];
      continue;
    }
    if (before !== undefined) notes.push(...repeated(before, given, found));
    values[found.key] = parsed.value;
  }
  return { values: values as ValuesOf<S>, given: new Set(written.keys()), problems, notes };
}

function isRepeatable(option: Option): boolean {
  return option.kind === 'list' && option.repeatable === true;
}

/** The values that belong to `schema`, out of those of a larger one. */
export function pickValues<S extends OptionsSchema>(schema: S, values: Readonly<Record<string, unknown>>): ValuesOf<S> {
  return Object.fromEntries(Object.keys(schema).map((key) => [key, values[key]])) as ValuesOf<S>;
}

/** A file gives defaults, so a command line that says otherwise is no repetition. */
function repeated(before: GivenOption, now: GivenOption, found: Found): string[] {
  if (before.source !== now.source) return [];
  const name = shownName(found.key);
  if (found.option.secret) return [`${name} is given twice: the last one is used.`];
  if (before.value === now.value) return [`${name} is given twice.`];
  const shown = (given: GivenOption) => (given.value === undefined ? given.written : `'${given.value}'`);
  return [`${name} is given twice, ${shown(before)} and then ${shown(now)}: the last one is used.`];
}

function unknownOption(given: GivenOption, schema: OptionsSchema, help: ParseHelp): Problem {
  // In a file the dashes are left out.
  const written = given.source === undefined ? given.written : `${shownName(given.name)} (${given.source})`;
  const elsewhere = help.elsewhere?.(given.name);
  if (elsewhere !== undefined) return { is: `${written} ${elsewhere}.` };
  const meant = nearest(given.name, spellings(schema));
  const remedy =
    meant === undefined ? help.helpCommand && `All options: ${help.helpCommand}` : `Did you mean ${shownName(meant)}?`;
  return { is: `Unknown option ${written}.`, ...(remedy === undefined ? {} : { remedy }) };
}

function spellings(schema: OptionsSchema): string[] {
  return Object.entries(schema).flatMap(([name, option]) => [name, ...(option.aliases ?? [])]);
}

type ParsedValue =
  | { readonly is: 'right'; readonly value: unknown }
  | { readonly is: 'wrong'; readonly problem: Problem };

function parseValue(given: GivenOption, { key, option, isNegated }: Found): ParsedValue {
  const at = given.source === undefined ? '' : ` (${given.source})`;
  const name = `${shownName(key)}${at}`;
  if (isNegated) {
    if (given.value === undefined) return { is: 'right', value: false };
    return { is: 'wrong', problem: { is: `${given.written}${at} takes no value.` } };
  }
  if (given.value === undefined) {
    if (option.kind === 'flag') return { is: 'right', value: true };
    const bare = bareValue(option);
    if (bare !== undefined) return { is: 'right', value: bare };
    const remedy = `Write it like ${shownName(key)}=${exampleOf(option)}`;
    return { is: 'wrong', problem: { is: `${name} needs a value: ${allowed(option)}.`, remedy } };
  }
  const value = readValue(option, given.value);
  if (value !== undefined) return { is: 'right', value };
  const shown = option.secret ? 'what was given' : `'${given.value}'`;
  return { is: 'wrong', problem: { is: `${name} must be ${allowed(option)}, not ${shown}.` } };
}

function bareValue(option: Option): string | undefined {
  return option.kind === 'text' || option.kind === 'choice' ? option.bare : undefined;
}

/** Undefined where the text is no value of this option. */
function readValue(option: Option, text: string): unknown {
  switch (option.kind) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? withinBounds(Number(text), option, Number.isSafeInteger) : undefined;
    case 'number':
      return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)
        ? withinBounds(Number(text), option, Number.isFinite)
        : undefined;
    case 'flag':
      return flagValue(text);
    case 'text':
      return text;
    case 'choice': {
      const wanted = text.toLowerCase().replaceAll('_', '-');
      return option.choices.find((choice) => choice.toLowerCase().replaceAll('_', '-') === wanted);
    }
    case 'list': {
      if (option.repeatable) return text === '' ? undefined : [text];
      const items = text.split(',').map((item) => item.trim());
      if (text.trim() === '') return [];
      return items.includes('') ? undefined : items;
    }
    default:
      return unreachable(option);
  }
}

function withinBounds(
  value: number,
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number },
  isExact: (value: number) => boolean,
): number | undefined {
  return isExact(value) && value >= min && value <= max ? value : undefined;
}

function flagValue(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(word)) return true;
  if (['off', 'false', 'no', '0'].includes(word)) return false;
  return undefined;
}

/** What may be given, as the end of a sentence: 'a whole number, 1 or more'. */
export function allowed(option: Option): string {
  switch (option.kind) {
    case 'integer':
      return `a whole number${bounds(option)}`;
    case 'number':
      return `a number${bounds(option)}`;
    case 'flag':
      return 'on or off';
    case 'text':
      return 'a text';
    case 'choice':
      return `one of ${option.choices.join(', ')}`;
    case 'list':
      return option.repeatable ? 'a text' : 'a list with commas';
    default:
      return unreachable(option);
  }
}

function bounds({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return `, ${min} or more`;
  return max === undefined ? '' : `, ${max} or less`;
}

function exampleOf(option: Option): string {
  if (option.kind === 'choice') return option.choices[0] ?? '';
  if (option.kind === 'integer' || option.kind === 'number') return String(option.default || (option.min ?? 1));
  return option.kind === 'list' && !option.repeatable ? 'A,B' : (option.placeholder ?? 'TEXT');
}
