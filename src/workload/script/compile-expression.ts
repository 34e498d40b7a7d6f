/** From the tree of an expression to a function that computes it. What can be found wrong before it runs, is. */
import { nearest } from '../../base/did-you-mean.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { BinaryOperator, Expression } from './expression.ts';
import { FUNCTION_NAMES, type FunctionForm, finiteOf, functionNamed, remainder, wholeOf } from './functions.ts';
import { ScriptProblem } from './place.ts';
import { isNumberText, isTrue, toInteger, toNumber, type Value, ValueFault, type ValueType } from './values.ts';

/** What a session has while a script runs. */
export interface Scope {
  /** Of the variables, by their numbers. */
  readonly values: Value[];
  readonly random: Random;
}

export type Evaluate = (scope: Scope) => Value;

export interface Compiled {
  readonly type: ValueType;
  readonly evaluate: Evaluate;
  /** Known already. */
  readonly constant?: { readonly value: Value };
}

/** Number and type of a variable; throws a `ScriptProblem` where it is not set there. */
export type Variables = (name: string, offset: number) => { readonly slot: number; readonly type: ValueType };

export function compileExpression(expression: Expression, variables: Variables): Compiled {
  try {
    return compile(expression, variables);
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    throw new ScriptProblem(expression.offset, error.message, 'It would fail every time: change the values.');
  }
}

function compile(expression: Expression, variables: Variables): Compiled {
  const inner = (part: Expression) => compileExpression(part, variables);
  switch (expression.is) {
    case 'constant':
      return constantOf(expression.value, expression.type);
    case 'variable': {
      const { slot, type } = variables(expression.name, expression.offset);
      return { type, evaluate: ({ values }) => values[slot]! };
    }
    case 'negated':
      return arithmetic(expression, '-', constantOf(0, 'integer'), inner(expression.operand));
    case 'not':
      return negation(inner(expression.operand));
    case 'test':
      return test(inner(expression.operand), expression.for, expression.isNegated);
    case 'binary':
      return binary(expression, inner(expression.left), inner(expression.right));
    case 'case':
      return choice(
        expression.branches.map(({ when, result }) => ({ when: inner(when), result: inner(result) })),
        expression.otherwise === undefined ? constantOf(null, 'any') : inner(expression.otherwise),
      );
    case 'call':
      return call(expression, expression.parameters.map(inner));
  }
}

function constantOf(value: Value, type: ValueType): Compiled {
  return { type, evaluate: () => value, constant: { value } };
}

const NO_SCOPE: Scope = { values: [], random: createRandom(0) };

/** Computed once where all that it is made of is known. */
function folded(compiled: Compiled, parts: readonly Compiled[]): Compiled {
  if (!parts.every(({ constant }) => constant !== undefined)) return compiled;
  return constantOf(compiled.evaluate(NO_SCOPE), compiled.type);
}

function binary(expression: Extract<Expression, { is: 'binary' }>, left: Compiled, right: Compiled): Compiled {
  const { operator } = expression;
  switch (operator) {
    case 'and':
    case 'or':
      return folded({ type: 'any', evaluate: logic(operator, left.evaluate, right.evaluate) }, [left, right]);
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return folded({ type: 'any', evaluate: comparison(operator, left.evaluate, right.evaluate) }, [left, right]);
    default:
      return arithmetic(expression, operator, left, right);
  }
}

/** Three-valued, as in SQL; the right side is computed only where it decides. */
function logic(operator: 'and' | 'or', left: Evaluate, right: Evaluate): Evaluate {
  const decisive = operator === 'or';
  return (scope) => {
    const first = left(scope);
    if (first !== null && isTrue(first) === decisive) return decisive;
    const second = right(scope);
    if (second !== null && isTrue(second) === decisive) return decisive;
    return first === null || second === null ? null : !decisive;
  };
}

function negation(operand: Compiled): Compiled {
  const { evaluate } = operand;
  const not: Evaluate = (scope) => {
    const value = evaluate(scope);
    return value === null ? null : !isTrue(value);
  };
  return folded({ type: operand.type === 'any' ? 'any' : 'boolean', evaluate: not }, [operand]);
}

function test(operand: Compiled, wanted: Value, isNegated: boolean): Compiled {
  const { evaluate } = operand;
  const holds = (value: Value) => (wanted === null ? value === null : value !== null && isTrue(value) === wanted);
  return folded({ type: 'boolean', evaluate: (scope) => holds(evaluate(scope)) !== isNegated }, [operand]);
}

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

function comparison(operator: Comparison, left: Evaluate, right: Evaluate): Evaluate {
  const holds = HOLDS[operator];
  return (scope) => {
    const one = left(scope);
    const two = right(scope);
    if (one === null || two === null) return null;
    return holds(compare(one, two));
  };
}

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Texts by their characters, unless one side is a number; below 0 where `one` is the smaller. */
function compare(one: Value, two: Value): number {
  if (typeof one === 'string' && typeof two === 'string' && !(isNumberText(one) && isNumberText(two))) {
    return one < two ? -1 : one > two ? 1 : 0;
  }
  if (typeof one === 'bigint' || typeof two === 'bigint') return compareExactly(one, two);
  const [left, right] = [comparable(one), comparable(two)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** JavaScript compares bigints and numbers exactly. */
function compareExactly(one: Value, two: Value): number {
  const left = typeof one === 'bigint' ? one : comparable(one);
  const right = typeof two === 'bigint' ? two : comparable(two);
  return left < right ? -1 : left > right ? 1 : 0;
}

function comparable(value: Value): number {
  return typeof value === 'boolean' ? Number(value) : toNumber(value);
}

type ArithmeticOperator = Exclude<BinaryOperator, Comparison | 'and' | 'or'>;

const WHOLE: Readonly<Record<ArithmeticOperator, (one: number, two: number) => number>> = {
  '+': (one, two) => wholeOf(one + two),
  '-': (one, two) => wholeOf(one - two),
  '*': (one, two) => wholeOf(one * two || 0),
  '/': (one, two) => {
    if (two === 0) throw new ValueFault('Division by zero.');
    return Math.trunc(one / two) || 0;
  },
  '%': remainder,
};

const FRACTIONAL: Readonly<Record<ArithmeticOperator, (one: number, two: number) => number>> = {
  '+': (one, two) => finiteOf(one + two),
  '-': (one, two) => finiteOf(one - two),
  '*': (one, two) => finiteOf(one * two),
  '/': (one, two) => {
    if (two === 0) throw new ValueFault('Division by zero.');
    return finiteOf(one / two);
  },
  '%': (one, two) => remainder(toInteger(one), toInteger(two)),
};

/** Of two whole numbers the result is whole, also that of a division, which is cut; as in pgbench. */
function arithmetic({ offset }: Expression, operator: ArithmeticOperator, left: Compiled, right: Compiled): Compiled {
  for (const { type, constant } of [left, right]) {
    if (type === 'boolean' || (type === 'text' && !isNumberConstant(constant))) throw noNumbers(operator, type, offset);
  }
  const whole = WHOLE[operator];
  const fractional = FRACTIONAL[operator];
  const [one, two] = [left.evaluate, right.evaluate];
  const types = [left.type, right.type];
  if (types.every((type) => type === 'integer')) {
    const evaluate: Evaluate = (scope) => whole(one(scope) as number, two(scope) as number);
    return folded({ type: 'integer', evaluate }, [left, right]);
  }
  if (operator === '%' && types.includes('double')) throw noRemainder(offset);
  const isFractional = types.includes('double');
  if (types.every((type) => type === 'integer' || type === 'double')) {
    const evaluate: Evaluate = (scope) => fractional(one(scope) as number, two(scope) as number);
    return folded({ type: 'double', evaluate }, [left, right]);
  }
  const evaluate: Evaluate = (scope) => {
    const [first, second] = [one(scope), two(scope)];
    if (first === null || second === null) return null;
    const [a, b] = [toNumber(first), toNumber(second)];
    return !isFractional && Number.isSafeInteger(a) && Number.isSafeInteger(b) ? whole(a, b) : fractional(a, b);
  };
  return folded({ type: 'any', evaluate }, [left, right]);
}

function isNumberConstant(constant: Compiled['constant']): boolean {
  return constant === undefined || (typeof constant.value === 'string' && isNumberText(constant.value));
}

function noNumbers(operator: string, type: ValueType, offset: number): ScriptProblem {
  const is = type === 'boolean' ? 'true or false' : 'a text';
  return new ScriptProblem(offset, `'${operator}' takes numbers, and on one side is ${is}.`, 'Compute with numbers.');
}

function noRemainder(offset: number): ScriptProblem {
  return new ScriptProblem(offset, "'%' takes whole numbers.", 'Make it whole first: int(…).');
}

function choice(
  branches: readonly { readonly when: Compiled; readonly result: Compiled }[],
  otherwise: Compiled,
): Compiled {
  const types = new Set([...branches.map(({ result }) => result.type), otherwise.type]);
  const [type = 'any'] = types.size === 1 ? types : [];
  const evaluate: Evaluate = (scope) => {
    for (const { when, result } of branches) if (isTrue(when.evaluate(scope))) return result.evaluate(scope);
    return otherwise.evaluate(scope);
  };
  return { type, evaluate };
}

function call({ name, offset }: Extract<Expression, { is: 'call' }>, parameters: readonly Compiled[]): Compiled {
  const form = functionNamed(name);
  if (form === undefined) {
    const meant = nearest(name, FUNCTION_NAMES);
    const remedy = meant === undefined ? `There are: ${FUNCTION_NAMES.join(', ')}.` : `Did you mean ${meant}?`;
    throw new ScriptProblem(offset, `There is no function ${name}.`, remedy);
  }
  const [min, max] = arityOf(form);
  if (parameters.length < min || parameters.length > max) {
    const wanted = min === max ? counted(min) : `${counted(min)} or more`;
    const is = `${name} takes ${wanted}, and ${parameters.length} ${parameters.length === 1 ? 'is' : 'are'} given.`;
    throw new ScriptProblem(offset, is, `Write it like ${form.form}.`);
  }
  switch (form.is) {
    case 'numbers':
      return callOfNumbers(form, parameters);
    case 'chain':
      return callOfChain(form, parameters);
    case 'template':
      return callOfTemplate(form, parameters[0]!, offset);
  }
}

function counted(values: number): string {
  return values === 1 ? '1 value' : `${values} values`;
}

function arityOf(form: FunctionForm): readonly [number, number] {
  switch (form.is) {
    case 'numbers':
      return [form.takes.length, form.takes.length];
    case 'chain':
      return [form.takesMin, form.takesMax];
    case 'template':
      return [1, 1];
  }
}

const ZERO = constantOf(0, 'integer');

function callOfNumbers(form: Extract<FunctionForm, { is: 'numbers' }>, parameters: readonly Compiled[]): Compiled {
  const [one, two, three] = [0, 1, 2].map((at) => {
    const { type, evaluate } = parameters[at] ?? ZERO;
    if (form.takes[at] === 'integer') {
      return type === 'integer' ? (evaluate as (scope: Scope) => number) : (scope: Scope) => toInteger(evaluate(scope));
    }
    return type === 'integer' || type === 'double'
      ? (evaluate as (scope: Scope) => number)
      : (scope: Scope) => toNumber(evaluate(scope));
  }) as [(scope: Scope) => number, (scope: Scope) => number, (scope: Scope) => number];
  const apply = form.create();
  const evaluate: Evaluate =
    form.result === 'double'
      ? (scope) => finiteOf(apply(scope.random, one(scope), two(scope), three(scope)))
      : (scope) => apply(scope.random, one(scope), two(scope), three(scope));
  const compiled: Compiled = { type: form.result, evaluate };
  const result = folded(compiled, parameters);
  // Bounds that can never be drawn from have shown by now; what is drawn is another number each time.
  return form.isFixed ? result : compiled;
}

function callOfChain(form: Extract<FunctionForm, { is: 'chain' }>, parameters: readonly Compiled[]): Compiled {
  const types = parameters.map(({ type }) => type);
  const type = types.every((each) => each === 'integer')
    ? 'integer'
    : types.every((each) => each === 'integer' || each === 'double')
      ? 'double'
      : 'any';
  const [first, ...others] = parameters.map(({ evaluate }) => evaluate);
  const evaluate: Evaluate = (scope) => {
    const start = toNumber(first!(scope));
    let result = others.length === 0 ? form.apply(start, start) : start;
    for (const other of others) result = form.apply(result, toNumber(other(scope)));
    return result;
  };
  return folded({ type, evaluate }, parameters);
}

function callOfTemplate(
  form: Extract<FunctionForm, { is: 'template' }>,
  { constant }: Compiled,
  offset: number,
): Compiled {
  const template = constant?.value;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
  if (typeof template !== 'string' || !/^[\x00-\x7f]+$/.test(template)) {
    throw new ScriptProblem(
      offset,
      'random_text takes a text in quotes, without letters beyond ASCII.',
      "In it # stands for a digit and @ for a letter: random_text('###-@@@').",
    );
  }
  return { type: 'text', evaluate: ({ random }) => form.apply(random, template) };
}
