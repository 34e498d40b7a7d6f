import { describe, expect, test } from 'vitest';
import { createRandom } from '../../base/random.ts';
import { type Compiled, compileExpression } from './compile-expression.ts';
import { parseExpression } from './expression.ts';
import { ScriptProblem } from './place.ts';
import type { Value, ValueType } from './values.ts';

const VARIABLES: Readonly<Record<string, { value: Value; type: ValueType }>> = {
  i: { value: 7, type: 'integer' },
  d: { value: 2.5, type: 'double' },
  whole: { value: 4, type: 'double' },
  text: { value: 'abc', type: 'text' },
  any: { value: 9, type: 'any' },
  decimal: { value: '12.50', type: 'any' },
  nothing: { value: null, type: 'any' },
  big: { value: 2n ** 60n, type: 'any' },
};
const NAMES = Object.keys(VARIABLES);

function compile(text: string): Compiled {
  return compileExpression(parseExpression(text, 0), (name) => ({
    slot: NAMES.indexOf(name),
    type: VARIABLES[name]!.type,
  }));
}

function computed(text: string): Value {
  const values = NAMES.map((name) => VARIABLES[name]!.value);
  return compile(text).evaluate({ values, random: createRandom(1) });
}

describe('arithmetic', () => {
  test.each([
    { text: '1 + 2 * 3', value: 7, because: 'products go first' },
    { text: '(1 + 2) * 3', value: 9, because: 'but for parentheses' },
    { text: '10 - 4 - 3', value: 3, because: 'from left to right' },
    { text: '-2 * -3', value: 6, because: 'a sign binds closest' },
    { text: '7 / 2', value: 3, because: 'whole numbers divide to a whole one' },
    { text: '-7 / 2', value: -3, because: 'which is cut, not rounded' },
    { text: '7 / 2.0', value: 3.5, because: 'others do not' },
    { text: '-7 % 3', value: -1, because: 'the remainder has the sign of the first' },
    { text: '1e3', value: 1000, because: 'an exponent' },
    { text: ':i / 2', value: 3, because: 'a variable of whole numbers is whole' },
    { text: ':whole / 8', value: 0.5, because: 'one that was computed with fractions is not, even at 4.0' },
    { text: ':any / 2', value: 4, because: 'a whole number out of a result is whole' },
    { text: ':decimal * 2', value: 25, because: 'DECIMAL comes as text' },
    { text: ':nothing + 1', value: null, because: 'NULL makes NULL' },
    { text: '0 * -1', value: 0, because: 'there is no minus zero' },
  ])('$text is $value: $because', ({ text, value }) => {
    expect(computed(text)).toBe(value);
  });

  test('what is known when the script is read is computed then', () => {
    expect(compile('2 * (3 + 4)').constant).toEqual({ value: 14 });
    expect(compile(':i + 1').constant).toBeUndefined();
    expect(compile('random(1, 1)').constant).toBeUndefined();
  });
});

describe('conditions', () => {
  test.each([
    { text: ':i > 6 and :i < 8', value: true },
    { text: 'not :i = 7 or :d >= 2.5', value: true },
    { text: 'not (:i = 7 or :d >= 2.5)', value: false },
    { text: '1 <> 2', value: true },
    { text: '1 != 1', value: false },
    { text: "'abc' = :text", value: true },
    { text: "'b' > 'abc'", value: true },
    { text: ":decimal > '9'", value: true },
    { text: ':big > 1', value: true },
    { text: ':nothing = 1', value: null },
    { text: 'false and :nothing', value: false },
    { text: 'true and :nothing', value: null },
    { text: ':nothing or true', value: true },
    { text: 'not :nothing', value: null },
    { text: ':nothing is null', value: true },
    { text: ':i is not null', value: true },
    { text: ':i > 1 is true', value: true },
    { text: 'case when :i > 9 then 1 when :i > 5 then 2 else 3 end', value: 2 },
    { text: 'case when false then 1 end', value: null },
  ])('$text is $value', ({ text, value }) => {
    expect(computed(text)).toBe(value);
  });
});

describe('functions', () => {
  test.each([
    { text: 'abs(-3)', value: 3 },
    { text: 'abs(-2.5)', value: 2.5 },
    { text: 'least(3, 1, 2)', value: 1 },
    { text: 'max(1, 2.5)', value: 2.5 },
    { text: 'mod(17, 5)', value: 2 },
    { text: 'int(2.5)', value: 2 },
    { text: 'int(3.5)', value: 4 },
    { text: 'int(-2.5)', value: -2 },
    { text: 'int(2.6)', value: 3 },
    { text: 'floor(-2.5)', value: -3 },
    { text: 'ceil(-0.5)', value: 0 },
    { text: 'double(5) / 2', value: 2.5 },
    { text: 'sqrt(16)', value: 4 },
    { text: 'pow(2, 10)', value: 1024 },
    { text: 'ln(exp(1))', value: 1 },
    { text: 'pi()', value: Math.PI },
    { text: 'abs(:decimal)', value: 12.5 },
  ])('$text is $value', ({ text, value }) => {
    expect(computed(text)).toBe(value);
  });

  test('permute is one to one, and does not keep the order', () => {
    const images = Array.from({ length: 100 }, (_, i) => computed(`permute(${i}, 100)`));
    expect(new Set(images).size).toBe(100);
    expect(images).not.toEqual(images.toSorted((one, other) => Number(one) - Number(other)));
  });

  test('random_text fills a template', () => {
    expect(computed("random_text('##-@@-x')")).toMatch(/^\d\d-[a-z]{2}-x$/);
  });
});

test.each([
  { text: '1 +', offset: 3, is: /ends too early/ },
  { text: '(1', offset: 2, is: /ends too early/ },
  { text: '1 2', offset: 2, is: /'2' does not belong here/ },
  { text: 'x + 1', offset: 0, is: /'x' is neither a number nor a function/ },
  { text: "'abc", offset: 0, is: /text has no end/ },
  { text: '1 & 2', offset: 2, is: /'&' has no meaning/ },
  { text: 'rndom(1, 2)', offset: 0, is: /no function rndom/ },
  { text: '1 + random(1)', offset: 4, is: /random takes 2 values, and 1 is given/ },
  { text: 'least()', offset: 0, is: /least takes 1 value or more, and 0 are given/ },
  { text: 'random(10, 1)', offset: 0, is: /bounds of a random number are 10 and 1/ },
  { text: 'random_gaussian(1, 10, 1.5)', offset: 0, is: /must be 2\.0 or more/ },
  { text: 'random_exponential(1, 10, 0)', offset: 0, is: /must lie above 0/ },
  { text: 'random_zipfian(1, 10, -1)', offset: 0, is: /must lie above 0/ },
  { text: 'random(1.5, 2)', offset: 0, is: /1\.5 is no whole number/ },
  { text: '1 / 0', offset: 2, is: /Division by zero/ },
  { text: '9007199254740991 + 1', offset: 17, is: /beyond 2\^53/ },
  { text: '9007199254740993', offset: 0, is: /beyond 2\^53/ },
  { text: "'abc' * 2", offset: 6, is: /takes numbers, and on one side is a text/ },
  { text: '(1 is null) + 1', offset: 12, is: /on one side is true or false/ },
  { text: '2.5 % 2', offset: 4, is: /takes whole numbers/ },
  { text: 'sqrt(-1)', offset: 0, is: /result is no number/ },
  { text: 'random_text(:text)', offset: 0, is: /random_text takes a text in quotes/ },
  { text: 'case 1 end', offset: 5, is: /'1' does not belong here/ },
])('$text is refused when it is read', ({ text, offset, is }) => {
  try {
    compile(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ScriptProblem);
    expect(error).toMatchObject({ offset, message: expect.stringMatching(is) });
    expect((error as ScriptProblem).remedy).toMatch(/\S/);
  }
});

test.each([{ text: ':text + 1', because: 'a text of the script is known to be none' }])(
  '$text is refused too: $because',
  ({ text }) => {
    expect(() => computed(text)).toThrow(/no number/);
  },
);

test.each([
  { text: 'random(1, :nothing)', is: /NULL is no number/ },
  { text: ':big + 1', is: /beyond 2\^53/ },
  { text: ':i / (:i - 7)', is: /Division by zero/ },
  { text: 'random(:i, 1)', is: /bounds/ },
  { text: 'random(1, :d)', is: /2\.5 is no whole number/ },
])('$text fails when it runs', ({ text, is }) => {
  expect(() => computed(text)).toThrow(is);
});
