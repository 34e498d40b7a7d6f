/** The functions of expressions. Names and meaning are pgbench's, where pgbench has them. */
import { createPermutation } from '../../base/permutation.ts';
import type { Random } from '../../base/random.ts';
import { fillTemplate } from '../../base/random-text.ts';
import { createZipfianDraw, drawExponential, drawGaussian, drawUniform } from './distributions.ts';
import { ValueFault } from './values.ts';

export type NumberFunction = (random: Random, one: number, two: number, three: number) => number;

export type FunctionForm = {
  /** How it is written, for help. */
  readonly form: string;
  /** The same values give the same result. */
  readonly isFixed: boolean;
} & (
  | {
      readonly is: 'numbers';
      readonly takes: readonly ('integer' | 'number')[];
      readonly result: 'integer' | 'double';
      /** One for each place in a script: it may remember. */
      create(): NumberFunction;
    }
  /** Of any number of values, two by two; whole if all are. */
  | {
      readonly is: 'chain';
      readonly takesMin: number;
      readonly takesMax: number;
      apply(one: number, two: number): number;
    }
  /** Of a text that is known when the script is read. */
  | { readonly is: 'template'; apply(random: Random, template: string): string }
);

const random = (
  form: string,
  takes: readonly ('integer' | 'number')[],
  create: () => NumberFunction,
): FunctionForm => ({
  form,
  is: 'numbers',
  isFixed: false,
  takes,
  result: 'integer',
  create,
});
const fixed = (
  form: string,
  result: 'integer' | 'double',
  apply: (one: number, two: number) => number,
): FunctionForm => ({
  form,
  is: 'numbers',
  isFixed: true,
  takes: form.includes(',') ? ['number', 'number'] : form.endsWith('()') ? [] : ['number'],
  result,
  create: () => (_random, one, two) => apply(one, two),
});
const chain = (form: string, takesMax: number, apply: (one: number, two: number) => number): FunctionForm => ({
  form,
  is: 'chain',
  isFixed: true,
  takesMin: 1,
  takesMax,
  apply,
});

const BOUNDS_AND_PARAMETER = ['integer', 'integer', 'number'] as const;
const LEAST = chain('least(A, …)', Number.POSITIVE_INFINITY, Math.min);
const GREATEST = chain('greatest(A, …)', Number.POSITIVE_INFINITY, Math.max);
const POWER = fixed('pow(X, Y)', 'double', (x, y) => x ** y);

const FUNCTIONS: ReadonlyMap<string, FunctionForm> = new Map([
  ['random', random('random(FROM, TO)', ['integer', 'integer'], () => drawUniform)],
  ['random_gaussian', random('random_gaussian(FROM, TO, PARAMETER)', BOUNDS_AND_PARAMETER, () => drawGaussian)],
  [
    'random_exponential',
    random('random_exponential(FROM, TO, PARAMETER)', BOUNDS_AND_PARAMETER, () => drawExponential),
  ],
  ['random_zipfian', random('random_zipfian(FROM, TO, PARAMETER)', BOUNDS_AND_PARAMETER, createZipfianDraw)],
  ['random_text', { form: "random_text('TEMPLATE')", is: 'template', isFixed: false, apply: fillTemplate }],
  [
    'permute',
    {
      form: 'permute(I, SIZE)',
      is: 'numbers',
      isFixed: true,
      takes: ['integer', 'integer'],
      result: 'integer',
      create: createPermute,
    },
  ],
  ['abs', chain('abs(X)', 1, (x) => Math.abs(x))],
  ['least', LEAST],
  ['min', LEAST],
  ['greatest', GREATEST],
  ['max', GREATEST],
  [
    'mod',
    {
      form: 'mod(A, B)',
      is: 'numbers',
      isFixed: true,
      takes: ['integer', 'integer'],
      result: 'integer',
      create: () => (_random, a, b) => remainder(a, b),
    },
  ],
  ['int', fixed('int(X)', 'integer', (x) => wholeOf(nearestWhole(x)))],
  ['floor', fixed('floor(X)', 'integer', (x) => wholeOf(Math.floor(x)))],
  ['ceil', fixed('ceil(X)', 'integer', (x) => wholeOf(Math.ceil(x) || 0))],
  ['double', fixed('double(X)', 'double', (x) => x)],
  ['sqrt', fixed('sqrt(X)', 'double', Math.sqrt)],
  ['exp', fixed('exp(X)', 'double', Math.exp)],
  ['ln', fixed('ln(X)', 'double', Math.log)],
  ['pow', POWER],
  ['power', POWER],
  ['pi', fixed('pi()', 'double', () => Math.PI)],
]);

export const FUNCTION_NAMES = [...FUNCTIONS.keys()];

export function functionNamed(name: string): FunctionForm | undefined {
  return FUNCTIONS.get(name);
}

/** Of whole numbers, with the sign of the first, as in SQL. */
export function remainder(one: number, two: number): number {
  if (two === 0) throw new ValueFault('Division by zero.');
  // Without -0, which is no whole number to send.
  return one % two || 0;
}

/** What lies halfway goes to the even one, as pgbench's int() does it. */
function nearestWhole(x: number): number {
  const rounded = Math.round(x);
  return (rounded - x === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded) || 0;
}

/** A result that is no number any more, or a whole one that is not exact any more. */
export function wholeOf(result: number): number {
  if (Number.isSafeInteger(result)) return result;
  throw new ValueFault(`The result, ${result}, is beyond 2^53, where whole numbers are no longer exact.`);
}

export function finiteOf(result: number): number {
  if (Number.isFinite(result)) return result;
  throw new ValueFault(`The result is no number: ${result}.`);
}

/** Scatters 0 … size - 1 over the same range, one to one: numbers that are hot together come to lie far apart. */
function createPermute(): NumberFunction {
  let permutation = createPermutation(1);
  return (_random, position, size) => {
    if (size < 1 || size > 2 ** 52)
      throw new ValueFault(`The size of a permutation is ${size}, and must be from 1 to 2^52.`);
    if (permutation.size !== size) permutation = createPermutation(size);
    return permutation.at(((position % size) + size) % size);
  };
}
