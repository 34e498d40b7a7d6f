/** The diagnosis of a run that is over, reckoned again from its record; and which of its verdicts is to be tried. */
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import type { Diagnosis, Verdict } from '../model/judgement.ts';
import type { RunRecord } from '../model/run.ts';
import { PROBED_VERDICTS } from './knob-catalog.ts';

export async function diagnosisOf(record: RunRecord): Promise<Diagnosis> {
  return diagnose(record);
}

export interface VerdictToTry {
  readonly id: string;
  readonly role: Verdict['role'];
  /** How the diagnosis says that it can be confirmed; absent where it is not among its verdicts. */
  readonly confirmBy?: string;
}

/** The first, unless another one is asked for; that need not be among the verdicts: it is tried all the same. */
export function verdictToTry({ is, verdicts }: Diagnosis, asked: string): VerdictToTry {
  const found = asked === '' ? verdicts[0] : verdicts.find(({ id }) => id === asked);
  if (found !== undefined) return found;
  if (asked === '') {
    throw new UserError(`There is no verdict to be tried. ${is}`, {
      hint: 'To try one all the same, name it: --verdict=commit, for one.',
    });
  }
  if (PROBED_VERDICTS.includes(asked)) return { id: asked, role: 'bottleneck' };
  const near = nearest(asked, PROBED_VERDICTS);
  throw new UserError(`'${asked}' is no verdict.`, {
    hint: near === undefined ? `There are: ${PROBED_VERDICTS.join(', ')}.` : `Did you mean ${near}?`,
  });
}
