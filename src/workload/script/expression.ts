/**
 * Expressions of `\set`, `\if`, `\elif` and `\sleep`: text in, a tree out. Operators and their precedence are those of
 * pgbench (PostgreSQL manual, "pgbench", "Built-in Operators"), without the bitwise ones.
 */
import { ScriptProblem } from './place.ts';
import type { Value } from './values.ts';

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '=' | '<>' | '<' | '<=' | '>' | '>=' | 'and' | 'or';

export type Expression = { readonly offset: number } & (
  | { readonly is: 'constant'; readonly value: Value; readonly type: 'integer' | 'double' | 'boolean' | 'text' | 'any' }
  | { readonly is: 'variable'; readonly name: string }
  | { readonly is: 'negated'; readonly operand: Expression }
  | { readonly is: 'not'; readonly operand: Expression }
  | {
      readonly is: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** `x IS NOT NULL` */
  | { readonly is: 'test'; readonly operand: Expression; readonly for: Value; readonly isNegated: boolean }
  | {
      readonly is: 'case';
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | undefined;
    }
  | { readonly is: 'call'; readonly name: string; readonly parameters: readonly Expression[] }
);

interface Token {
  readonly is: 'number' | 'text' | 'variable' | 'word' | 'sign' | 'end';
  /** Words in lower case, texts without their quotes. */
  readonly text: string;
  readonly offset: number;
}

const TOKEN = new RegExp(
  [
    '\\s+',
    '(?<number>(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?)',
    "'(?<text>(?:[^']|'')*)'",
    ':(?<variable>[a-z_]\\w*)',
    '(?<word>[a-z_]\\w*)',
    '(?<sign><>|!=|<=|>=|[-+*/%=<>(),])',
  ].join('|'),
  'iy',
);

const PRECEDENCE: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  // 3 is that of NOT.
  is: 4,
  '=': 5,
  '<>': 5,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  '%': 7,
};
const NOT_PRECEDENCE = 3;
const UNARY_PRECEDENCE = 8;

/** `base` is where the text begins in its file. Throws a `ScriptProblem`. */
export function parseExpression(text: string, base: number): Expression {
  const parser = new Parser(tokensOf(text, base));
  return parser.whole();
}

function tokensOf(text: string, base: number): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const offset = base + at;
    if (match === null) throw unreadable(text, at, offset);
    at = TOKEN.lastIndex;
    const { number, text: quoted, variable, word, sign } = match.groups ?? {};
    if (number !== undefined) tokens.push({ is: 'number', text: number, offset });
    else if (quoted !== undefined) tokens.push({ is: 'text', text: quoted.replaceAll("''", "'"), offset });
    else if (variable !== undefined) tokens.push({ is: 'variable', text: variable, offset });
    else if (word !== undefined) tokens.push({ is: 'word', text: word.toLowerCase(), offset });
    else if (sign !== undefined) tokens.push({ is: 'sign', text: sign === '!=' ? '<>' : sign, offset });
  }
  tokens.push({ is: 'end', text: '', offset: base + text.trimEnd().length });
  return tokens;
}

function unreadable(text: string, at: number, offset: number): ScriptProblem {
  const found = text.charAt(at);
  if (found === "'")
    return new ScriptProblem(offset, 'This text has no end.', "Close it with ', and write '' for a ' within.");
  return new ScriptProblem(
    offset,
    `'${found}' has no meaning in an expression.`,
    'There are + - * / % = <> < <= > >= and, or, not, is null, case, numbers, texts in single quotes, :variables and functions.',
  );
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#binary(0);
    if (this.#next.is !== 'end') throw this.#unexpected('the end of the expression, or an operator');
    return expression;
  }

  get #next(): Token {
    return this.#tokens[this.#at]!;
  }

  #isNext(text: string): boolean {
    return this.#next.text === text && (this.#next.is === 'sign' || this.#next.is === 'word');
  }

  #take(text: string): boolean {
    if (!this.#isNext(text)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected(`'${text}'`);
  }

  #unexpected(wanted: string): ScriptProblem {
    const { is, text, offset } = this.#next;
    const found = is === 'end' ? 'The expression ends too early.' : `'${text}' does not belong here.`;
    return new ScriptProblem(offset, found, `Here should be ${wanted}.`);
  }

  #binary(above: number): Expression {
    let left = this.#unary();
    for (;;) {
      const { is, text, offset } = this.#next;
      const precedence = is === 'sign' || is === 'word' ? (PRECEDENCE[text] ?? 0) : 0;
      if (precedence <= above) return left;
      this.#at++;
      if (text === 'is') left = this.#test(left, offset);
      else left = { is: 'binary', operator: text as BinaryOperator, left, right: this.#binary(precedence), offset };
    }
  }

  #test(operand: Expression, offset: number): Expression {
    const isNegated = this.#take('not');
    if (this.#take('null')) return { is: 'test', operand, for: null, isNegated, offset };
    if (this.#take('true')) return { is: 'test', operand, for: true, isNegated, offset };
    if (this.#take('false')) return { is: 'test', operand, for: false, isNegated, offset };
    throw this.#unexpected('null, true or false');
  }

  #unary(): Expression {
    const { offset } = this.#next;
    if (this.#take('not')) return { is: 'not', operand: this.#binary(NOT_PRECEDENCE), offset };
    if (this.#take('-')) return { is: 'negated', operand: this.#binary(UNARY_PRECEDENCE), offset };
    if (this.#take('+')) return this.#binary(UNARY_PRECEDENCE);
    return this.#primary();
  }

  #primary(): Expression {
    const token = this.#next;
    const { offset, text } = token;
    switch (token.is) {
      case 'number':
        this.#at++;
        return numberOf(text, offset);
      case 'text':
        this.#at++;
        return { is: 'constant', value: text, type: 'text', offset };
      case 'variable':
        this.#at++;
        return { is: 'variable', name: text, offset };
      case 'word':
        this.#at++;
        return this.#word(text, offset);
      default:
        if (!this.#take('(')) throw this.#unexpected('a number, a :variable or a function');
        return this.#parenthesized();
    }
  }

  #parenthesized(): Expression {
    const inner = this.#binary(0);
    this.#expect(')');
    return inner;
  }

  #word(word: string, offset: number): Expression {
    if (word === 'null') return { is: 'constant', value: null, type: 'any', offset };
    if (word === 'true' || word === 'false') return { is: 'constant', value: word === 'true', type: 'boolean', offset };
    if (word === 'case') return this.#case(offset);
    if (!this.#take('(')) {
      throw new ScriptProblem(
        offset,
        `'${word}' is neither a number nor a function.`,
        `A variable is written :${word}, a function ${word}(…).`,
      );
    }
    const parameters: Expression[] = [];
    if (!this.#take(')')) {
      do parameters.push(this.#binary(0));
      while (this.#take(','));
      this.#expect(')');
    }
    return { is: 'call', name: word, parameters, offset };
  }

  #case(offset: number): Expression {
    const branches: { when: Expression; result: Expression }[] = [];
    while (this.#take('when')) {
      const when = this.#binary(0);
      this.#expect('then');
      branches.push({ when, result: this.#binary(0) });
    }
    if (branches.length === 0) throw this.#unexpected("'when'");
    const otherwise = this.#take('else') ? this.#binary(0) : undefined;
    this.#expect('end');
    return { is: 'case', branches, otherwise, offset };
  }
}

function numberOf(text: string, offset: number): Expression {
  const value = Number(text);
  const isWhole = /^\d+$/.test(text);
  if (isWhole && !Number.isSafeInteger(value)) {
    throw new ScriptProblem(
      offset,
      `${text} is beyond 2^53, where whole numbers are no longer exact.`,
      'Write it with a point, as 1e20 or 12.0, or in the SQL itself.',
    );
  }
  return { is: 'constant', value, type: isWhole ? 'integer' : 'double', offset };
}
