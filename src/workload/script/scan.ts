/**
 * Takes a script apart: statements that end in `;`, commands that begin with a backslash, and the comments that say
 * something to us. What stands in quotes and comments is left alone, by the default sql_mode's rules (MySQL manual,
 * "Comments" and "String Literals").
 */
import { ScriptProblem } from './place.ts';

export interface VariableUse {
  readonly name: string;
  readonly offset: number;
}

export type ScriptItem =
  | {
      readonly is: 'statement';
      readonly offset: number;
      /** With a `?` for every variable. */
      readonly sql: string;
      /** The same without texts and comments, for reading what it does. */
      readonly bare: string;
      readonly variables: readonly VariableUse[];
    }
  | {
      readonly is: 'command';
      readonly offset: number;
      /** Without its backslash. */
      readonly name: string;
      readonly rest: string;
      readonly restOffset: number;
    }
  /** `-- name: transfer` */
  | { readonly is: 'remark'; readonly offset: number; readonly name: Remark; readonly value: string };

const REMARKS = ['name', 'statement', 'define'] as const;
export type Remark = (typeof REMARKS)[number];

/** At the current place: one of these, in this order. */
const BLANK = /\s+/y;
const LINE_COMMENT = /(?:--(?=\s|$)|#)[^\n]*/y;
/** Hints `/*+` and what only some versions read `/*!` are part of the statement. */
const BLOCK_COMMENT = /\/\*(?![!+])[\s\S]*?\*\//y;
const KEPT_COMMENT = /\/\*[!+][\s\S]*?\*\//y;
const QUOTED = /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`]|``)*`/y;
const VARIABLE = /:([A-Za-z_]\w*)/y;
/** No variables: `::`, `:=` and words with a colon within. */
const COLONS = /::|:=|:/y;
const PLAIN = /\w+|\s+|./sy;
const COMMAND = /\\([A-Za-z]+)?((?:[^\n\\]|\\\r?\n|\\)*)/y;
const DELIMITER = /delimiter[ \t]+([^\s\w\\'"`]+)[ \t]*(?:\r?\n|$)/iy;
const REMARK = /^--\s+(\w+):\s*(.*?)\s*$/;

/** Throws a `ScriptProblem` where a quote, a comment or the last statement has no end. */
export function scanScript(text: string): ScriptItem[] {
  return new Scanner(text).scan();
}

class Scanner {
  readonly #text: string;
  readonly #items: ScriptItem[] = [];
  #at = 0;
  #delimiter = ';';

  constructor(text: string) {
    this.#text = text;
  }

  scan(): ScriptItem[] {
    while (this.#skipToItem()) {
      if (this.#text[this.#at] === '\\') this.#command();
      else this.#statement();
    }
    return this.#items;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  /** Past blanks, comments and lone delimiters; false at the end. */
  #skipToItem(): boolean {
    for (;;) {
      const offset = this.#at;
      const comment = this.#take(LINE_COMMENT);
      if (comment !== undefined) this.#remark(comment[0], offset);
      else if (this.#take(BLANK) === undefined && this.#take(BLOCK_COMMENT) === undefined && !this.#takeDelimiter())
        break;
    }
    const lineStart = this.#text.lastIndexOf('\n', this.#at - 1) + 1;
    const isFirst = this.#text.slice(lineStart, this.#at).trim() === '';
    const changed = isFirst ? this.#take(DELIMITER) : undefined;
    if (changed === undefined) return this.#at < this.#text.length;
    this.#delimiter = changed[1]!;
    return this.#skipToItem();
  }

  #takeDelimiter(): boolean {
    if (!this.#text.startsWith(this.#delimiter, this.#at)) return false;
    this.#at += this.#delimiter.length;
    return true;
  }

  #remark(comment: string, offset: number): void {
    const [, word = '', value = ''] = REMARK.exec(comment) ?? [];
    const name = REMARKS.find((each) => each === word);
    if (name !== undefined) this.#items.push({ is: 'remark', offset, name, value });
  }

  /** A backslash at the end of a line continues it on the next. */
  #command(): void {
    const offset = this.#at;
    const [, name = '', rest = ''] = this.#take(COMMAND)!;
    // Blanks in place of the line's end: what follows keeps its place in the text.
    const oneLine = rest.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
    this.#items.push({ is: 'command', offset, name, rest: oneLine, restOffset: offset + 1 + name.length });
  }

  #statement(): void {
    const offset = this.#at;
    const variables: VariableUse[] = [];
    let sql = '';
    let bare = '';
    const keep = (part: string, meaning = part) => {
      sql += part;
      bare += meaning;
    };
    while (!this.#takeDelimiter()) {
      const at = this.#at;
      if (at >= this.#text.length) throw this.#unended(offset);
      if (this.#text[at] === '\\') {
        this.#endByCommand();
        break;
      }
      const variable = this.#take(VARIABLE)?.[1];
      if (variable !== undefined) {
        variables.push({ name: variable, offset: at });
        keep('?');
        continue;
      }
      const comment = this.#take(LINE_COMMENT) ?? this.#take(BLOCK_COMMENT) ?? this.#take(KEPT_COMMENT);
      if (comment !== undefined) {
        keep(comment[0], ' ');
        continue;
      }
      const quoted = this.#take(QUOTED);
      if (quoted !== undefined) keep(quoted[0], quoted[0].startsWith('`') ? quoted[0] : "''");
      else keep(this.#plain());
    }
    this.#items.push({ is: 'statement', offset, sql: sql.trim(), bare: bare.trim(), variables });
  }

  #plain(): string {
    const offset = this.#at;
    const found = (this.#take(COLONS) ?? this.#take(PLAIN))![0];
    if (found === '?') {
      throw new ScriptProblem(offset, "A '?' has no value here.", 'Write a variable in its place, such as :id.');
    }
    if (/^['"`]$/.test(found)) {
      throw new ScriptProblem(
        offset,
        `This ${found} has no end.`,
        'Close it, and double it within: it begins a text or a name.',
      );
    }
    if (found === '/' && this.#text[this.#at] === '*') {
      throw new ScriptProblem(offset, 'This comment has no end.', 'Close it with */.');
    }
    return found;
  }

  /** `\gset` may stand in place of the delimiter, as in pgbench. */
  #endByCommand(): void {
    COMMAND.lastIndex = this.#at;
    const name = COMMAND.exec(this.#text)?.[1];
    if (name === 'gset') return;
    const remedy =
      name === undefined
        ? 'Outside of quotes it means nothing to SQL.'
        : `End the statement with ${this.#delimiter} first.`;
    throw new ScriptProblem(
      this.#at,
      `A backslash within a statement${name === undefined ? '' : `: \\${name}`}.`,
      remedy,
    );
  }

  #unended(offset: number): ScriptProblem {
    return new ScriptProblem(
      offset,
      'This statement has no end.',
      `End it with ${this.#delimiter}, also where it is the last one.`,
    );
  }
}
