/** From a run's record to what set its pace, with the evidence for it; or that it cannot be told. Pure. */
import { entryNames, loadEntry } from '../base/catalog.ts';
import type { Diagnosis, Verdict } from '../model/judgement.ts';
import { budgetOf, explained, sharesOf } from './budget.ts';
import { ceilingsOf } from './ceilings.ts';
import { type Diagnosable, evidenceOf } from './evidence.ts';
import { percent, type Rule } from './verdict.ts';

const CATALOG = new URL('./catalog/', import.meta.url);
/** Below, most of the time went where nothing was seen: naming a cause would be guessing. */
const EXPLAINED_MIN = 0.6;
/** Shorter runs are dominated by their beginning. */
const MEASURED_S_MIN = 5;

export async function diagnose(run: Diagnosable): Promise<Diagnosis> {
  const evidence = evidenceOf(run);
  const shares = sharesOf(evidence);
  const verdicts = evidence.elapsedS < MEASURED_S_MIN ? [] : await verdictsOf({ evidence, shares });
  const budget = budgetOf(evidence);
  const [first] = verdicts.filter(({ role }) => role === 'bottleneck');
  const seen = explained(shares);
  return {
    is: sentenceOf(first, { seen, elapsedS: evidence.elapsedS }),
    isDetermined: first !== undefined,
    ...(budget === undefined ? {} : { budget }),
    ceilings: ceilingsOf(evidence),
    verdicts,
  };
}

function sentenceOf(first: Verdict | undefined, { seen, elapsedS }: { seen: number; elapsedS: number }): string {
  if (first !== undefined) return first.is;
  if (elapsedS < MEASURED_S_MIN) return `Undetermined: only ${elapsedS.toFixed(1)} s were measured.`;
  if (seen < EXPLAINED_MIN) {
    return `Undetermined: only ${percent(seen)} of the sessions' time is explained by what could be seen.`;
  }
  return 'Nothing stands out: no resource was near its limit.';
}

const ROLES = ['bottleneck', 'contributes', 'alarm'];
/** Where one of these sets the pace, what the server shows is only how it looks from there. */
const FIRST = ['client', 'connection-storm'];

function rankOf({ id, role }: Verdict): number {
  return role === 'bottleneck' && FIRST.includes(id) ? -1 : ROLES.indexOf(role);
}

/** Bottlenecks first, the one with the largest share before the others; of those only the first keeps its role. */
async function verdictsOf(it: Parameters<Rule>[0]): Promise<readonly Verdict[]> {
  const found: Verdict[] = [];
  for (const id of entryNames(CATALOG)) {
    const rule = (await loadEntry(CATALOG, id)) as Rule;
    const verdict = rule(it);
    if (verdict !== undefined) found.push({ id, ...verdict });
  }
  found.sort((one, other) => rankOf(one) - rankOf(other) || (other.share ?? 0) - (one.share ?? 0));
  return found.map((verdict, at) =>
    verdict.role === 'bottleneck' && at > 0 ? { ...verdict, role: 'contributes' } : verdict,
  );
}
