/** A as it stands, B with reservations, C as a first look; each reason is named. */
import { expect, test } from 'vitest';
import type { Verdict } from '../model/judgement.ts';
import type { Finding } from '../model/run.ts';
import { type GradeEvidence, gradeOf } from './grade.ts';

const GOOD: GradeEvidence = {
  elapsedS: 120,
  transactions: 50_000,
  findings: [],
  crossCheck: { is: 'done', ok: true, rows: [] },
  steadiness: { is: 'steady', signs: [], cutS: 0, beginning: 'like the rest', drift: 0 },
  diagnosis: undefined,
  hasHost: true,
};

function finding(id: string, severity: Finding['severity']): Finding {
  return { id, severity, is: `It is ${id}.`, because: '', remedy: '' };
}

function verdict(id: string, role: Verdict['role']): Verdict {
  return { id, role, is: `It is ${id}.`, evidence: ['1'], confirmBy: '', advice: '' };
}

function diagnosis(...verdicts: readonly Verdict[]): GradeEvidence['diagnosis'] {
  return { is: '', isDetermined: true, ceilings: [], verdicts };
}

test.each<{ because: string; change: Partial<GradeEvidence>; is: string; says: string[] }>([
  { because: 'nothing speaks against it', change: {}, is: 'A', says: [] },
  {
    because: 'a bottleneck is no fault of the measuring',
    change: { diagnosis: diagnosis(verdict('commit', 'bottleneck'), verdict('free-pages', 'contributes')) },
    is: 'A',
    says: [],
  },
  {
    because: 'an alarm',
    change: { diagnosis: diagnosis(verdict('lossy-link', 'alarm')) },
    is: 'B',
    says: ['It is lossy-link.'],
  },
  {
    because: 'others that set the pace',
    change: { diagnosis: diagnosis(verdict('other-processes', 'bottleneck')) },
    is: 'B',
    says: ['It is other-processes.'],
  },
  { because: 'the host was not seen', change: { hasHost: false }, is: 'B', says: ["The server's host was not seen."] },
  {
    because: 'a warning',
    change: { findings: [finding('client-saturated', 'warning')] },
    is: 'B',
    says: ['It is client-saturated.'],
  },
  { because: 'a note is none', change: { findings: [finding('unfinished', 'info')] }, is: 'A', says: [] },
  {
    because: 'what other reasons say is said once',
    change: { findings: [finding('too-short', 'warning')], elapsedS: 20 },
    is: 'C',
    says: ['Only 20 s were measured, not 60.'],
  },
  {
    because: 'counts that differ outweigh all reservations, which are told nevertheless',
    change: {
      crossCheck: { is: 'done', ok: false, rows: [] },
      diagnosis: diagnosis(verdict('other-processes', 'alarm')),
      hasHost: false,
    },
    is: 'C',
    says: [
      'The server counted something else than was sent.',
      'It is other-processes.',
      "The server's host was not seen.",
    ],
  },
  {
    because: 'it was not steady',
    change: { steadiness: { ...GOOD.steadiness!, is: 'unsteady', signs: ['drift', 'step'] } },
    is: 'C',
    says: ['It was not steady: drift, step.'],
  },
])('$because: $is', ({ change, is, says }) => {
  expect(gradeOf({ ...GOOD, ...change })).toEqual({ is, because: says });
});
