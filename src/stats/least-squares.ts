/** Fitting a curve of a few parameters: Levenberg and Marquardt's way from a start to the least sum of squares. */
import { assert } from '../base/assert.ts';

export interface CurvePoint {
  /** What the curve misses the value by: value - curve. */
  readonly residual: number;
  /** Of the curve, by each parameter. */
  readonly slopes: readonly number[];
}

export interface LeastSquares {
  readonly parameters: readonly number[];
  readonly sumOfSquares: number;
  /**
   * (J' J)^-1: times the variance of a residual it is the parameters' covariance. Absent where they cannot be told
   * apart.
   */
  readonly spread?: readonly (readonly number[])[];
}

/** Damping to begin with, and how it grows and shrinks: Marquardt's own figures. */
const DAMPING_START = 1e-3;
const DAMPING_STEP = 10;
const DAMPING_MAX = 1e12;
/** Curves of three parameters are there after a dozen. */
const STEPS_MAX = 500;
/** Of the sum of squares: a smaller gain is rounding. */
const GAIN_MIN = 1e-15;
/** Of a pivot against the largest of its matrix: parameters that only appear together. */
const PIVOT_MIN = 1e-13;

/**
 * Solves (J' J + damping diag(J' J)) step = J' residuals, and goes there where that lessens the sum of squares; else
 * with more damping. `curveAt` is undefined where the curve does not exist: such a step is not gone.
 * Source: D. W. Marquardt, "An algorithm for least-squares estimation of nonlinear parameters", Journal of the Society
 * for Industrial and Applied Mathematics 11, 1963.
 */
export function leastSquares(
  start: readonly number[],
  curveAt: (parameters: readonly number[]) => readonly CurvePoint[] | undefined,
): LeastSquares {
  let parameters = start;
  let points = curveAt(parameters);
  assert(points !== undefined, 'the curve exists where the search starts');
  let sumOfSquares = squaresOf(points);
  let damping = DAMPING_START;
  for (let step = 0; step < STEPS_MAX && damping < DAMPING_MAX; step++) {
    const next = stepped(parameters, normalEquations(points), damping);
    const there = next === undefined ? undefined : curveAt(next);
    const squares = there === undefined ? Number.POSITIVE_INFINITY : squaresOf(there);
    if (next === undefined || there === undefined || !(squares <= sumOfSquares)) {
      damping *= DAMPING_STEP;
      continue;
    }
    const gain = sumOfSquares - squares;
    [parameters, points] = [next, there];
    sumOfSquares = squares;
    damping /= DAMPING_STEP;
    if (gain <= GAIN_MIN * sumOfSquares) break;
  }
  const spread = inverse(normalEquations(points).matrix);
  return { parameters, sumOfSquares, ...(spread === undefined ? {} : { spread }) };
}

interface NormalEquations {
  /** J' J */
  readonly matrix: readonly (readonly number[])[];
  /** J' residuals */
  readonly right: readonly number[];
}

function normalEquations(points: readonly CurvePoint[]): NormalEquations {
  const size = points[0]?.slopes.length ?? 0;
  const indexes = Array.from({ length: size }, (_, index) => index);
  const sum = (of: (point: CurvePoint) => number) => points.reduce((total, point) => total + of(point), 0);
  return {
    matrix: indexes.map((row) => indexes.map((column) => sum(({ slopes }) => slopes[row]! * slopes[column]!))),
    right: indexes.map((row) => sum(({ slopes, residual }) => slopes[row]! * residual)),
  };
}

function stepped(
  parameters: readonly number[],
  { matrix, right }: NormalEquations,
  damping: number,
): number[] | undefined {
  const damped = matrix.map((row, at) => row.map((value, column) => (column === at ? value * (1 + damping) : value)));
  const turned = inverse(damped);
  return turned?.map(
    (row, at) => parameters[at]! + row.reduce((sum, value, column) => sum + value * right[column]!, 0),
  );
}

/** By Gauss and Jordan with the largest pivot; undefined where there is none worth the name. */
function inverse(matrix: readonly (readonly number[])[]): number[][] | undefined {
  const size = matrix.length;
  const work = matrix.map((row, at) => [...row, ...matrix.map((_, column) => (column === at ? 1 : 0))]);
  const largest = Math.max(...matrix.flat().map(Math.abs));
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(work[row]![column]!) > Math.abs(work[pivot]![column]!)) pivot = row;
    }
    [work[column], work[pivot]] = [work[pivot]!, work[column]!];
    const divisor = work[column]![column]!;
    if (!(Math.abs(divisor) > largest * PIVOT_MIN)) return undefined;
    work[column] = work[column]!.map((value) => value / divisor);
    for (let row = 0; row < size; row++) {
      const factor = work[row]![column]!;
      if (row !== column) work[row] = work[row]!.map((value, at) => value - factor * work[column]![at]!);
    }
  }
  return work.map((row) => row.slice(size));
}

function squaresOf(points: readonly CurvePoint[]): number {
  return points.reduce((sum, { residual }) => sum + residual * residual, 0);
}
