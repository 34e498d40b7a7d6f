/** Which verdict is tried. */
import { expect, test } from 'vitest';
import type { Diagnosis, Verdict } from '../model/judgement.ts';
import { verdictToTry } from './knob-verdict.ts';

function verdict(id: string, role: Verdict['role']): Verdict {
  return { id, role, is: '', evidence: [], confirmBy: '', advice: '' };
}

const NOTHING: Diagnosis = { is: 'Nothing stands out.', isDetermined: false, ceilings: [], verdicts: [] };
const FOUND: Diagnosis = {
  ...NOTHING,
  verdicts: [verdict('commit', 'bottleneck'), verdict('read-io', 'contributes'), verdict('memory', 'alarm')],
};

test('the first, or the one that is asked for, with what it is said to do', () => {
  expect(verdictToTry(FOUND, '')).toMatchObject({ id: 'commit', role: 'bottleneck' });
  expect(verdictToTry(FOUND, 'read-io')).toMatchObject({ id: 'read-io', role: 'contributes' });
});

test('one that the diagnosis does not have is tried as if it set the pace', () => {
  expect(verdictToTry(NOTHING, 'read-io')).toEqual({ id: 'read-io', role: 'bottleneck' });
});

test.each([
  {
    diagnosis: NOTHING,
    asked: '',
    says: 'There is no verdict to be tried. Nothing stands out.',
    hint: /--verdict=commit/,
  },
  { diagnosis: FOUND, asked: 'read_io', says: "'read_io' is no verdict.", hint: /Did you mean read-io/ },
  { diagnosis: FOUND, asked: 'qwertz', says: "'qwertz' is no verdict.", hint: /There are: client, commit,/ },
])('$asked: $says', ({ diagnosis, asked, says, hint }) => {
  expect(() => verdictToTry(diagnosis, asked)).toThrow(
    expect.objectContaining({ message: says, hint: expect.stringMatching(hint) }),
  );
});
