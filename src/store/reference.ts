/** Which of some names is meant: all of it, or a beginning or end that fits no other. */
import { nearest } from '../base/did-you-mean.ts';
import { UserError } from '../base/errors.ts';

/** More of them would hide the sentence above. */
const SHOWN_MAX = 5;

export interface Named {
  /** What the names are of, in the singular: `run`. */
  readonly noun: string;
  readonly directory: string;
  /** The command that shows them all. */
  readonly see: string;
}

export function matchingName(names: readonly string[], reference: string, { noun, directory, see }: Named): string {
  if (names.includes(reference)) return reference;
  const matching = names.filter((name) => fits(name, reference));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (matching.length > 1) {
    throw new UserError(`'${reference}' could be any of ${matching.length} ${noun}s.`, {
      hint: `Write more of it: ${matching.slice(0, SHOWN_MAX).join(', ')}${matching.length > SHOWN_MAX ? ' …' : ''}`,
    });
  }
  const near = nearest(reference, names);
  throw new UserError(`There is no ${noun} '${reference}' in ${directory}.`, {
    hint: near === undefined ? `See: ${see}` : `Did you mean ${near}?`,
  });
}

export function fits(name: string, reference: string): boolean {
  return name.startsWith(reference) || name.endsWith(`-${reference}`);
}
