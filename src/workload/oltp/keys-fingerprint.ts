/** Tells one way of drawing keys (`--rand-type` and its parameters) from another. */
import { createRandom } from '../../base/random.ts';
import type { KeyDistribution } from '../workload.ts';

/** Enough draws that two distributions, or two sets of parameters, hardly ever agree on all. */
const FINGERPRINT_DRAWS = 64;
const FINGERPRINT_RANGE = 1_000_000;

/** A short word for what the distribution draws, without knowing how. */
export function keysFingerprint(keys: KeyDistribution): string {
  const random = createRandom(1);
  let hash = 0;
  for (let draw = 0; draw < FINGERPRINT_DRAWS; draw++) {
    hash = Math.imul(hash ^ keys.draw(random, 1, FINGERPRINT_RANGE), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return (hash >>> 0).toString(16);
}
