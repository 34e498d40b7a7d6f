/** From a run's record to what set its pace, with the evidence for it; or that it cannot be told. Pure. */
import { entryNames, loadEntry } from '../base/catalog.ts';
import type { Diagnosis, Verdict } from '../model/judgement.ts';
import { budgetOf, explained, sharesOf } from './budget.ts';
import { ceilingsOf } from './ceilings.ts';
import { type Diagnosable, evidenceOf } from './evidence.ts';
import { fullOf } from './processors.ts';
import { type Case, percent, type Rule } from './verdict.ts';

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
  const isPaced = evidence.isPaced && evidence.elapsedS >= MEASURED_S_MIN;
  return {
    is: sentenceOf(first, { evidence, shares, isPaced }),
    isDetermined: first !== undefined || isPaced,
    ...(budget === undefined ? {} : { budget }),
    ceilings: ceilingsOf({ evidence, shares }),
    verdicts,
  };
}

interface Outlook extends Case {
  readonly isPaced: boolean;
}

function sentenceOf(first: Verdict | undefined, { evidence, shares, isPaced }: Outlook): string {
  const { elapsedS } = evidence;
  const seen = explained(shares);
  if (first !== undefined) return first.is;
  if (elapsedS < MEASURED_S_MIN) return `Undetermined: only ${elapsedS.toFixed(1)} s were measured.`;
  if (isPaced) return "The load's own schedule sets the pace, and all that was due was done.";
  const full = fullOf(evidence);
  if (seen < EXPLAINED_MIN) {
    const also = full.map((each) => `; ${each}`).join('');
    return `Undetermined: only ${percent(seen)} of the sessions' time is explained by what could be seen${also}.`;
  }
  if (full.length > 0) {
    return `Undetermined: ${full.join(' and ')}, but what the sessions waited for does not show that it set the pace.`;
  }
  if (evidence.measured('cpu', 'busy') === undefined) {
    return 'Nothing stands out in what could be seen; how busy the processors were could not.';
  }
  return 'Nothing stands out: no resource was near its limit.';
}

const ROLES = ['bottleneck', 'contributes', 'alarm'];
/** Where one of these sets the pace, what else is seen is only how it looks from there. */
const FIRST = ['connection-storm', 'other-processes'];

function rankOf({ id, role }: Verdict): number {
  return role === 'bottleneck' && FIRST.includes(id) ? -1 : ROLES.indexOf(role);
}

/** Bottlenecks first, the one with the largest share before the others; of those only the first keeps its role. */
async function verdictsOf(it: Case): Promise<readonly Verdict[]> {
  const found: Verdict[] = [];
  for (const id of entryNames(CATALOG)) {
    const rule = (await loadEntry(CATALOG, id)) as Rule;
    const verdict = rule(it);
    if (verdict !== undefined) found.push({ id, ...verdict });
  }
  found.sort((one, other) => rankOf(one) - rankOf(other) || (other.share ?? 0) - (one.share ?? 0));
  return found.map((verdict, at) =>
    verdict.role !== 'bottleneck' || (at === 0 && setsPace(verdict, it))
      ? verdict
      : { ...verdict, role: 'contributes', ...(it.evidence.isPaced ? { confirmBy: unpaced(verdict.confirmBy) } : {}) },
  );
}

/** Where a schedule does, all else only adds to the time that transactions take. */
function setsPace({ id }: Verdict, { evidence, shares }: Case): boolean {
  // In no share of the sessions' time: what a full link holds up, arrivals that wait for the client, and who waits for
  // processors that are full of the server, where the kernel does not tell that.
  const isOfItself =
    id === 'network-bandwidth' ||
    (id === 'client' && !evidence.isClosedLoop) ||
    (id === 'server-cpu' && shares['cpu-queue'] === undefined);
  return !evidence.isPaced && (isOfItself || explained(shares) >= EXPLAINED_MIN);
}

/** A rate that a schedule sets shows nothing. */
function unpaced(confirmBy: string): string {
  return `Without the schedule, as fast as it goes: ${confirmBy.charAt(0).toLowerCase()}${confirmBy.slice(1)}`;
}
