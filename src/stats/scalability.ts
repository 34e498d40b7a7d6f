/**
 * Throughput over concurrency, as a curve of three figures: what one client reaches, what waiting in line costs
 * (contention), and what keeping one another informed costs (coherency). Gunther's Universal Scalability Law:
 *
 *     X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))
 *
 * N. J. Gunther, "Guerrilla Capacity Planning", Springer 2007, chapters 4 to 6; "A general theory of computational
 * scalability based on rational functions", arXiv:0808.1431.
 */
import { assert } from '../base/assert.ts';
import { formatSignificant } from '../base/units.ts';
import { type CurvePoint, type LeastSquares, leastSquares } from './least-squares.ts';
import { hasLogarithm, meanOf } from './sample.ts';
import { studentTQuantile } from './student-t.ts';
import { formatShare } from './verdict-words.ts';

export interface ScalabilityPoint {
  /** Clients, threads, connections: 1 or more. */
  readonly n: number;
  /** Throughput of one run. */
  readonly x: number;
}

interface WithInterval {
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number };
}

export interface ScalabilityFit {
  readonly is: 'fitted';
  /** Throughput of one client, by the curve. */
  readonly lambda: WithInterval;
  /** Contention: the share of the work that is done by one at a time. */
  readonly sigma: WithInterval;
  /** Coherency: the cost of each pair of clients that has to agree. */
  readonly kappa: WithInterval;
  /** Where more clients begin to do harm. Absent where the data do not show that there is such a point. */
  readonly peak?: { readonly n: WithInterval; readonly x: WithInterval; readonly isBeyondData: boolean };
  /** How far the means at each N lie from the curve, as shares. */
  readonly misfit: { readonly rms: number; readonly largest: number; readonly atN: number; readonly isPoor: boolean };
  /** The curve says nothing beyond this N. */
  readonly trustedTo: number;
  /** Sentences: peak or why none, fit, how far it may be trusted. */
  readonly statements: readonly string[];
}

export type Scalability = ScalabilityFit | { readonly is: 'not-fitted'; readonly because: string };

/** Three figures are found from three points whatever they are: the fourth is the first that can contradict. */
const DISTINCT_N_MIN = 4;
/** Beyond, another resource may become the narrowest, which no curve can know. */
const TRUSTED_FACTOR = 2;
/** Good runs repeat to a few per cent: a curve that is farther off has another shape than the data. */
const MISFIT_RMS_MAX = 0.05;
const MISFIT_LARGEST_MAX = 0.15;
const CONFIDENCE = 0.95;

/** Whether sigma and kappa are sought, or held at 0. */
interface Face {
  readonly sigma: boolean;
  readonly kappa: boolean;
}

interface FaceFit extends LeastSquares {
  readonly face: Face;
  readonly lnLambda: number;
  readonly sigma: number;
  readonly kappa: number;
}

/**
 * Least squares of ln X, so that a run counts alike at every N, with sigma >= 0 and kappa >= 0: where the free optimum
 * lies outside, the best of the edges. Every run is a point. Intervals from the covariance SSE / (runs - 3) (J' J)^-1
 * of the free fit and Student's t, cut off at 0; of the peak, N* = sqrt((1 - sigma) / kappa), by the delta method on ln
 * N*. No peak is claimed where the interval of kappa holds 0, where the peak lies beyond twice the largest N, or where
 * the curve fits poorly. Source: as the file's; covariance and delta method: G. A. F. Seber and C. J. Wild, "Nonlinear
 * Regression", 1989, chapters 2 and 5.
 */
export function fitScalability(given: readonly ScalabilityPoint[]): Scalability {
  assert(
    given.every(({ n }) => n >= 1 && Number.isFinite(n)),
    'there is at least one client',
  );
  const points = given.filter(({ x }) => hasLogarithm(x));
  const distinct = new Set(points.map(({ n }) => n)).size;
  if (distinct < DISTINCT_N_MIN) {
    const because = `${distinct} different N with a throughput above zero: at least ${DISTINCT_N_MIN} are needed for a curve of three figures.`;
    return { is: 'not-fitted', because };
  }
  const free = fitFace(points, { sigma: true, kappa: true });
  const best = bestOf(points, free);
  const deviation = Math.sqrt(free.sumOfSquares / (points.length - 3));
  if (free.spread === undefined) {
    return { is: 'not-fitted', because: 'The figures do not tell contention and coherency apart.' };
  }
  const reach = studentTQuantile((1 + CONFIDENCE) / 2, points.length - 3) * deviation;
  const error = (at: number) => reach * Math.sqrt(free.spread![at]![at]!);
  const lambda = {
    value: Math.exp(best.lnLambda),
    interval: { low: Math.exp(free.lnLambda - error(0)), high: Math.exp(free.lnLambda + error(0)) },
  };
  const sigma = { value: best.sigma, interval: notNegative(free.sigma, error(1)) };
  const kappa = { value: best.kappa, interval: notNegative(free.kappa, error(2)) };
  const nMax = Math.max(...points.map(({ n }) => n));
  const trustedTo = TRUSTED_FACTOR * nMax;
  const misfit = misfitOf(points, best);
  const found = kappa.interval.low > 0 ? peakOf(best, points) : undefined;
  const isClaimed = found !== undefined && found.n.value <= trustedTo && !misfit.isPoor;
  const peak = isClaimed ? { ...found, isBeyondData: found.n.value > nMax } : undefined;
  const statements = [
    peakStatement({ peak, beyond: found?.n.value, misfit, nMax }),
    misfitStatement(misfit),
    `The curve may be trusted to N = ${trustedTo}, twice the largest N measured, and no farther.`,
    ...(points.length < given.length ? [`${given.length - points.length} runs without throughput were left out.`] : []),
  ];
  return { is: 'fitted', lambda, sigma, kappa, ...(peak === undefined ? {} : { peak }), misfit, trustedTo, statements };
}

/** X(N) of the fitted curve; undefined beyond where it may be trusted. Source: as the file's. */
export function scalabilityAt(fit: ScalabilityFit, n: number): number | undefined {
  if (n < 1 || n > fit.trustedTo) return undefined;
  return (fit.lambda.value * n) / denominator({ sigma: fit.sigma.value, kappa: fit.kappa.value }, n);
}

function denominator({ sigma, kappa }: { readonly sigma: number; readonly kappa: number }, n: number): number {
  return 1 + sigma * (n - 1) + kappa * n * (n - 1);
}

/** sigma and kappa are sought in units of their weight at the largest N, so that all parameters are of one size. */
function fitFace(points: readonly ScalabilityPoint[], face: Face): FaceFit {
  const nMax = Math.max(...points.map(({ n }) => n));
  const units = { sigma: 1 / (nMax - 1), kappa: 1 / (nMax * (nMax - 1)) };
  const read = (parameters: readonly number[]) => {
    const rest = parameters.slice(1);
    const sigma = face.sigma ? rest.shift()! * units.sigma : 0;
    const kappa = face.kappa ? rest.shift()! * units.kappa : 0;
    return { lnLambda: parameters[0]!, sigma, kappa };
  };
  const curveAt = (parameters: readonly number[]): CurvePoint[] | undefined => {
    const { lnLambda, ...costs } = read(parameters);
    const below = points.map(({ n }) => denominator(costs, n));
    if (below.some((value) => !(value > 0))) return undefined;
    return points.map(({ n, x }, at) => ({
      residual: Math.log(x) - lnLambda - Math.log(n / below[at]!),
      slopes: [
        1,
        ...(face.sigma ? [(-(n - 1) * units.sigma) / below[at]!] : []),
        ...(face.kappa ? [(-n * (n - 1) * units.kappa) / below[at]!] : []),
      ],
    }));
  };
  const perClient = Math.max(...points.map(({ n, x }) => x / n));
  const start = [Math.log(perClient), ...(face.sigma ? [0.5] : []), ...(face.kappa ? [0.5] : [])];
  const fitted = leastSquares(start, curveAt);
  const scales = [1, ...(face.sigma ? [units.sigma] : []), ...(face.kappa ? [units.kappa] : [])];
  const spread = fitted.spread?.map((row, at) => row.map((value, column) => value * scales[at]! * scales[column]!));
  const { parameters, sumOfSquares } = fitted;
  return { parameters, sumOfSquares, ...(spread === undefined ? {} : { spread }), face, ...read(parameters) };
}

function bestOf(points: readonly ScalabilityPoint[], free: FaceFit): FaceFit {
  if (isAllowed(free)) return free;
  const edges = [
    { sigma: true, kappa: false },
    { sigma: false, kappa: true },
    { sigma: false, kappa: false },
  ].map((face) => fitFace(points, face));
  return edges.filter(isAllowed).reduce((best, edge) => (edge.sumOfSquares < best.sumOfSquares ? edge : best));
}

function isAllowed({ sigma, kappa }: FaceFit): boolean {
  return sigma >= 0 && kappa >= 0;
}

function notNegative(value: number, error: number): WithInterval['interval'] {
  return { low: Math.max(0, value - error), high: Math.max(0, value + error) };
}

/** With sigma >= 1 more than one client is no gain at all: the peak is at 1. */
function peakOf(fit: FaceFit, points: readonly ScalabilityPoint[]): { n: WithInterval; x: WithInterval } | undefined {
  const { lnLambda, sigma, kappa, face, spread } = fit;
  if (kappa <= 0 || spread === undefined) return undefined;
  const n = sigma < 1 ? Math.max(1, Math.sqrt((1 - sigma) / kappa)) : 1;
  const isInside = n > 1;
  const below = denominator({ sigma, kappa }, n);
  // At the peak X does not change with N, so N* may be held while lambda, sigma and kappa move.
  const ofLnN = [0, ...(face.sigma ? [isInside ? -1 / (2 * (1 - sigma)) : 0] : []), isInside ? -1 / (2 * kappa) : 0];
  const ofLnX = [1, ...(face.sigma ? [-(n - 1) / below] : []), (-n * (n - 1)) / below];
  const freedom = points.length - ofLnN.length;
  const reach = studentTQuantile((1 + CONFIDENCE) / 2, freedom) * Math.sqrt(fit.sumOfSquares / freedom);
  const around = (value: number, slopes: readonly number[]): WithInterval => {
    const factor = Math.exp(reach * Math.sqrt(Math.max(0, quadratic(slopes, spread))));
    return { value, interval: { low: value / factor, high: value * factor } };
  };
  return { n: around(n, ofLnN), x: around((Math.exp(lnLambda) * n) / below, ofLnX) };
}

function quadratic(slopes: readonly number[], matrix: readonly (readonly number[])[]): number {
  return slopes.reduce(
    (sum, one, row) => sum + slopes.reduce((inner, other, column) => inner + one * other * matrix[row]![column]!, 0),
    0,
  );
}

function misfitOf(points: readonly ScalabilityPoint[], fit: FaceFit): ScalabilityFit['misfit'] {
  const missed = [...new Set(points.map(({ n }) => n))].map((n) => {
    const logs = points.filter((point) => point.n === n).map(({ x }) => Math.log(x));
    return { n, by: meanOf(logs) - fit.lnLambda - Math.log(n / denominator(fit, n)) };
  });
  const worst = missed.reduce((most, one) => (Math.abs(one.by) > Math.abs(most.by) ? one : most));
  const rms = Math.expm1(Math.sqrt(meanOf(missed.map(({ by }) => by ** 2))));
  const largest = Math.expm1(Math.abs(worst.by));
  return { rms, largest, atN: worst.n, isPoor: rms > MISFIT_RMS_MAX || largest > MISFIT_LARGEST_MAX };
}

interface PeakStory {
  readonly peak: ScalabilityFit['peak'];
  /** Where it would be, claimed or not. */
  readonly beyond: number | undefined;
  readonly misfit: ScalabilityFit['misfit'];
  readonly nMax: number;
}

function peakStatement({ peak, beyond, misfit, nMax }: PeakStory): string {
  if (peak !== undefined) {
    const { n, x, isBeyondData } = peak;
    const where = `Throughput peaks near N = ${formatN(n.value)} (95 %: ${formatN(n.interval.low)} to ${formatN(n.interval.high)}) at ${formatSignificant(x.value)}`;
    return isBeyondData ? `${where}; that is beyond the largest N measured, ${nMax}.` : `${where}.`;
  }
  if (beyond === undefined) return 'No peak is claimed: coherency (kappa) cannot be told from 0.';
  if (misfit.isPoor) return 'No peak is claimed, because the curve fits poorly.';
  return `No peak is claimed: it would lie near N = ${formatN(beyond)}, more than twice the largest N measured, ${nMax}.`;
}

function misfitStatement({ rms, largest, atN, isPoor }: ScalabilityFit['misfit']): string {
  const off = `${formatShare(rms)} off on the whole, ${formatShare(largest)} at most, at N = ${atN}`;
  return isPoor
    ? `The curve fits poorly (${off}): throughput does not follow this law here.`
    : `The curve fits (${off}).`;
}

function formatN(n: number): string {
  return n < 9.95 ? n.toFixed(1) : String(Math.round(n));
}
