/** How far a run can be relied on: A as it stands, B with the reservations named, C as a first look. */
import type { Diagnosis, Grade, Steadiness } from '../model/judgement.ts';
import type { CrossCheck, Finding } from '../model/run.ts';

export interface GradeEvidence {
  readonly elapsedS: number;
  readonly transactions: number;
  readonly findings: readonly Finding[];
  readonly crossCheck: CrossCheck;
  readonly steadiness: Steadiness | undefined;
  readonly diagnosis: Diagnosis | undefined;
  readonly hasHost: boolean;
}

/** Caches, checkpoints and flushing need this long to show, and a 99th percentile this many values. */
const MEASURED_S_MIN = 60;
const TRANSACTIONS_MIN = 1_000;
/** Told by the other reasons already, or nothing against the figures. */
const NOT_COUNTED = ['too-short', 'few-transactions', 'not-steady', 'not-durable', 'statements-never-sent'];

export function gradeOf(evidence: GradeEvidence): Grade {
  const grave = graveReasons(evidence);
  const reasons = reservations(evidence);
  if (grave.length > 0) return { is: 'C', because: [...new Set([...grave, ...reasons])] };
  return reasons.length > 0 ? { is: 'B', because: reasons } : { is: 'A', because: [] };
}

function graveReasons({ elapsedS, transactions, findings, crossCheck, steadiness }: GradeEvidence): string[] {
  const reasons = findings.filter(({ severity }) => severity === 'invalid').map(({ is }) => is);
  if (elapsedS < MEASURED_S_MIN) reasons.push(`Only ${elapsedS.toFixed(0)} s were measured, not ${MEASURED_S_MIN}.`);
  if (transactions < TRANSACTIONS_MIN) reasons.push(`Only ${transactions} transactions were committed.`);
  if (crossCheck.is === 'done' && !crossCheck.ok) reasons.push('The server counted something else than was sent.');
  if (steadiness?.is === 'unsteady') reasons.push(`It was not steady: ${steadiness.signs.join(', ')}.`);
  return [...new Set(reasons)];
}

function reservations({ elapsedS, findings, crossCheck, steadiness, diagnosis, hasHost }: GradeEvidence): string[] {
  const reasons = findings
    .filter(({ id, severity }) => severity === 'warning' && !NOT_COUNTED.includes(id))
    .map(({ is }) => is);
  if (findings.some(({ id }) => id === 'same-host')) reasons.push('Client and server share one machine.');
  // Others spoil the run as well where they have so much that they set its pace.
  const alarms = diagnosis?.verdicts.filter(({ id, role }) => role === 'alarm' || id === 'other-processes');
  reasons.push(...(alarms ?? []).map(({ is }) => is));
  const isShort = steadiness === undefined || steadiness.is === 'too-short';
  if (isShort && elapsedS >= MEASURED_S_MIN) reasons.push('It was too short to tell whether it was steady.');
  if (steadiness?.beginning === 'faster') reasons.push('Its beginning was faster than the rest: something ran out.');
  if (crossCheck.is === 'impossible') reasons.push('Its counts could not be compared with those of the server.');
  if (!hasHost) reasons.push("The server's host was not seen.");
  return [...new Set(reasons)];
}
