/**
 * The contract of a rule: one file in `catalog/` with a default export. A rule looks at a text that has been read, says
 * what holds and what does not, shows the reckoning and names the cells; what it cannot tell it says.
 */
import type { Cell, ForeignDocument, MeasuredFacts } from '../foreign-output/facts.ts';
import type { AuditCell, AuditCheck } from '../model/audit.ts';

export type Judged = Omit<AuditCheck, 'rule'>;

export interface Rule {
  readonly id: string;
  /** What must hold. */
  readonly title: string;
  /** Nothing where the rule has no bearing on what the text is about. */
  check(document: ForeignDocument): readonly Judged[];
}

export function defineRule(rule: Rule): Rule {
  return rule;
}

export interface Reckoning {
  readonly is: string;
  readonly arithmetic?: readonly string[];
  readonly cells?: readonly (Cell | undefined)[];
}

export const THE_TEXT = 'the text';

type Of = string | Pick<MeasuredFacts, 'name'>;

export function passes(of: Of, reckoning: Reckoning): Judged {
  return judged('passes', of, reckoning);
}

export function fails(of: Of, reckoning: Reckoning): Judged {
  return judged('fails', of, reckoning);
}

export function cannotTell(of: Of, reckoning: Reckoning): Judged {
  return judged('cannot tell', of, reckoning);
}

function judged(outcome: AuditCheck['outcome'], of: Of, { is, arithmetic = [], cells = [] }: Reckoning): Judged {
  const named = cells.filter((cell) => cell !== undefined).map(auditCell);
  return { outcome, of: typeof of === 'string' ? of : of.name, is, arithmetic, cells: named };
}

function auditCell({ label, column, line, written }: Cell): AuditCell {
  return { label, line, written, ...(column === undefined ? {} : { column }) };
}

/** One step of a rule that has several: whether it holds, and its line of reckoning. */
export interface Step {
  readonly holds: boolean;
  readonly line: string;
  readonly cells: readonly (Cell | undefined)[];
}

/** Fails where a step does; then only what fails is shown. */
export function ofSteps(
  of: Of,
  steps: readonly Step[],
  is: { readonly passes: string; readonly fails: string },
): Judged {
  const failing = steps.filter(({ holds }) => !holds);
  const shown = failing.length === 0 ? steps : failing;
  const cells = [...new Set(shown.flatMap((step) => step.cells))];
  const arithmetic = shown.map(({ line }) => line);
  return failing.length === 0
    ? passes(of, { is: is.passes, arithmetic, cells })
    : fails(of, { is: is.fails, arithmetic, cells });
}
