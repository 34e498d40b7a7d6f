import { expect, test } from 'vitest';
import type { Ending, Finding, RunRecord } from '../model/run.ts';
import { exitCodeOf } from './run-and-report.ts';

const INVALID: Finding = { id: 'x', severity: 'invalid', is: '', because: '', remedy: '' };
const WRONG = { code: 0, sqlState: '', symbol: '', count: 1, policy: 'validation', example: '' } as const;
const RETRIED = { ...WRONG, code: 1213, policy: 'retried' } as const;

test.each([
  { ending: { kind: 'time' }, findings: [], errors: [], code: 0, because: 'it is done' },
  { ending: { kind: 'events' }, findings: [], errors: [RETRIED], code: 0, because: 'retries are part of a load' },
  {
    ending: { kind: 'time' },
    findings: [{ ...INVALID, severity: 'warning' }],
    errors: [],
    code: 0,
    because: 'a warning does not make it invalid',
  },
  { ending: { kind: 'time' }, findings: [INVALID], errors: [], code: 3, because: 'it proves nothing' },
  {
    ending: { kind: 'time' },
    findings: [{ ...INVALID, id: 'not-saved', severity: 'warning' }],
    errors: [],
    code: 3,
    because: 'nothing is kept of it',
  },
  { ending: { kind: 'failed', cause: '' }, findings: [], errors: [], code: 3, because: 'it failed' },
  { ending: { kind: 'forced', cause: '' }, findings: [], errors: [], code: 3, because: 'it had to be cut off' },
  { ending: { kind: 'time' }, findings: [INVALID], errors: [WRONG], code: 4, because: 'what was read is wrong' },
  {
    ending: { kind: 'interrupted', cause: '' },
    findings: [INVALID],
    errors: [],
    code: 130,
    because: 'Ctrl-C goes first',
  },
] satisfies { ending: Ending; findings: Finding[]; errors: unknown[]; code: number; because: string }[])(
  '$ending.kind ends with $code: $because',
  ({ ending, findings, errors, code }) => {
    const record = { ending, findings, totals: { errors } } as unknown as RunRecord;
    expect(exitCodeOf(record)).toBe(code);
  },
);
