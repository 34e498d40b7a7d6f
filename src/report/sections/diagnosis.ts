/** What set the pace, what happened, and how far the run can be relied on. */
import { formatPercent, formatRate } from '../../base/units.ts';
import type { Verdict } from '../../model/judgement.ts';
import type { RunRecord } from '../../model/run.ts';
import { own } from '../../stats/own.ts';
import { hangingLines, noteLines, valueLines } from '../layout.ts';

export const SHARES: Readonly<Record<string, string>> = {
  connecting: 'connecting',
  client: 'in the client',
  'client-queue': 'in the client, waiting for a processor',
  network: 'on the way',
  'row-lock': 'waiting for row locks',
  commit: 'in commits',
  checkpoint: 'waiting for room in the redo log',
  'read-io': 'waiting for reads',
  'server-cpu': 'computing',
  'cpu-queue': 'waiting for a processor',
  rest: 'unexplained',
};
/** A smaller share says nothing. */
export const SHARE_MIN = 0.005;

export function shareText(name: string): string {
  return own(SHARES, name) ?? name;
}

/** The lowest say what could be the limit; the others are far away. */
const CEILINGS_SHOWN = 3;

export function diagnosisLines({ diagnosis, rates }: RunRecord): string[] {
  if (diagnosis === undefined) return [];
  const { budget, ceilings, verdicts } = diagnosis;
  const shares = Object.entries(budget?.shares ?? {})
    .filter(([, share]) => Math.abs(share) >= SHARE_MIN)
    .sort(([, one], [, other]) => other - one)
    .map(([name, share]) => `${formatPercent(share)} ${shareText(name)}`);
  const limits = ceilings.slice(0, CEILINGS_SHOWN).map(({ of, perS, how }) => `${of} ${formatRate(perS)} (${how})`);
  return [
    ...hangingLines('Diagnosis: ', diagnosis.is),
    ...(shares.length === 0 ? [] : valueLines("sessions' time", shares.join(', '))),
    ...(limits.length === 0
      ? []
      : valueLines('could reach', `${limits.join('; ')}; measured ${formatRate(rates.transactionsPerS)}`)),
    ...verdicts.flatMap(linesOfVerdict),
  ];
}

export const ROLE_WORDS: Readonly<Record<Verdict['role'], string>> = {
  bottleneck: 'SETS THE PACE',
  contributes: 'CONTRIBUTES',
  alarm: 'ALARM',
};

function linesOfVerdict({ id, role, is, evidence, confirmBy, advice }: Verdict): string[] {
  const start = `    ${ROLE_WORDS[role].padEnd(15)}`;
  const below = ' '.repeat(8);
  return [
    ...hangingLines(start, `${is} [${id}]`),
    ...hangingLines(`${below}because:    `, `${evidence.join('; ')}.`),
    ...hangingLines(`${below}to confirm: `, confirmBy),
    ...hangingLines(`${below}advice:     `, advice),
  ];
}

export function eventLines({ events = [] }: RunRecord): string[] {
  if (events.length === 0) return [];
  return [
    'Events:',
    ...events.flatMap(({ atS, id, is }) => hangingLines(`    at ${atS.toFixed(0)} s  `, `${is} [${id}]`)),
  ];
}

export function gradeLines({ grade, durability }: RunRecord): string[] {
  if (grade === undefined) return [];
  const reasons = grade.because.length === 0 ? 'comparable as it stands.' : grade.because.join(' ');
  return [
    ...hangingLines(`Grade ${grade.is}: `, reasons),
    ...(durability === undefined ? [] : noteLines(`Durability ${durability.is}: ${durability.because}`)),
  ];
}
