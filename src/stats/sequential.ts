/**
 * Looking before the end. Whoever looks after every pair and stops when he likes what he sees is wrong far oftener than
 * in 5 % of cases; at these few looks, and with so strict a p, hardly oftener than without them.
 * J. L. Haybittle, "Repeated assessment of results in clinical trials of cancer treatment", British Journal of
 * Radiology 44, 1971; R. Peto and others, British Journal of Cancer 34, 1976.
 */
import type { ComparisonVerdict } from '../model/experiment.ts';
import { signFlipPMin } from './sign-flip.ts';
import { ALPHA } from './verdict.ts';

/** Pairs after which an experiment may be looked at. */
export const LOOKS: readonly number[] = [6, 10, 16, 24];
/** At a look before the end p must be below this. */
export const INTERIM_ALPHA = 0.001;

/**
 * What p must be below after so many pairs: 0.001 at a look before the end, 0.05 at the end, undefined at any other
 * moment, when nobody should look. Source: as the file's.
 */
export function alphaAt(pairs: number, pairsPlanned: number): number | undefined {
  if (pairs >= pairsPlanned) return ALPHA;
  return LOOKS.includes(pairs) ? INTERIM_ALPHA : undefined;
}

interface Looked {
  readonly pT: number;
  readonly pSignFlip: number;
  readonly verdict: ComparisonVerdict;
}

/**
 * May an experiment end at this look? FASTER or SLOWER, Student's t below 0.001, and sign-flip below 0.001 too, or
 * where so few pairs cannot bring it there (6 and 10), as low as it can be: all pairs point the same way.
 * Source: as the file's.
 */
export function isClearAt(look: number, { pT, pSignFlip, verdict }: Looked): boolean {
  if (!LOOKS.includes(look) || pT >= INTERIM_ALPHA) return false;
  if (verdict !== 'FASTER' && verdict !== 'SLOWER') return false;
  return pSignFlip < INTERIM_ALPHA || pSignFlip <= signFlipPMin(look);
}
