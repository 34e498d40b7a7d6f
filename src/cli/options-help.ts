/** Help for declared options, generated from the declarations, so that it cannot say anything else than the parser. */
import { unreachable } from '../base/assert.ts';
import type { Option, OptionsSchema } from '../base/options.ts';
import { shownName } from '../base/options-parse.ts';

/** Where explanations begin; a longer option gets a line of its own. */
const INDENT = 30;

export interface OptionGroup {
  readonly title: string;
  readonly options: OptionsSchema;
}

export function optionsHelp(groups: readonly OptionGroup[], columns: number): string {
  return groups
    .map(({ title, options }) => ({ title, shown: Object.entries(options).filter(([, { hidden }]) => !hidden) }))
    .filter(({ shown }) => shown.length > 0)
    .map(({ title, shown }) => [`${title}:`, ...shown.map(optionLines(columns))].join('\n'))
    .join('\n\n');
}

function optionLines(columns: number): (entry: [string, Option]) => string {
  return ([name, option]) => {
    const left = `  ${shownName(name)}${valueHelp(option)}`;
    const lines = wrapped(
      `${option.help}${limitsHelp(option)}${defaultHelp(option)}${oldSpellings(option)}`,
      columns - INDENT,
    );
    const [first = '', ...others] = lines;
    const indented = others.map((line) => ' '.repeat(INDENT) + line);
    if (left.length < INDENT - 1) return [left.padEnd(INDENT) + first, ...indented].join('\n');
    return [left, ' '.repeat(INDENT) + first, ...indented].join('\n');
  };
}

function valueHelp(option: Option): string {
  if (option.kind === 'flag') return option.default ? '=on|off' : '[=on|off]';
  const value = `=${option.placeholder ?? placeholderOf(option)}`;
  const hasBare = (option.kind === 'text' || option.kind === 'choice') && option.bare !== undefined;
  return hasBare ? `[${value}]` : value;
}

function placeholderOf(option: Exclude<Option, { kind: 'flag' }>): string {
  switch (option.kind) {
    case 'integer':
    case 'number':
      return 'N';
    case 'text':
      return 'TEXT';
    case 'choice':
      return option.choices.join('|');
    case 'list':
      return option.repeatable ? 'TEXT' : 'A,B...';
    default:
      return unreachable(option);
  }
}

/** What nobody expects to be refused: that there must be one, or none less than nothing, goes without saying. */
function limitsHelp(option: Option): string {
  if (option.kind !== 'integer' && option.kind !== 'number') return '';
  const { min, kind } = option;
  const goesWithoutSaying = min === undefined || min <= 0 || (kind === 'integer' && min === 1);
  return goesWithoutSaying ? '' : `, at least ${min}`;
}

function defaultHelp(option: Option): string {
  if (option.kind === 'flag') return option.default ? ' [on]' : ' [off]';
  const shown = String(option.default);
  return shown === '' || option.secret ? '' : ` [${shown}]`;
}

function oldSpellings(option: Option): string {
  const others = [...(option.aliases ?? []), ...(option.deprecated ?? [])];
  return others.length === 0 ? '' : ` (also ${others.map(shownName).join(', ')})`;
}

export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Text that is laid out already, for a narrower terminal. An example, which is copied, stays on one line. */
export function fitted(text: string, columns: number): string {
  const isExample = (line: string) => /^ +sqldyno (?!.*\S {2,}\S)/.test(line);
  return text
    .split('\n')
    .flatMap((line) => (line.length <= columns || isExample(line) ? [line] : hanging(line, columns)))
    .join('\n');
}

/** A line that explains something goes on below the explanation, unless that leaves it no room. */
function hanging(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  const explained = /^ *\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? indent;
  const at = explained <= columns / 2 ? explained : indent;
  const [first = '', ...others] = wrapped(line.slice(at), columns - at);
  return [line.slice(0, at) + first, ...others.map((each) => ' '.repeat(at) + each)];
}
