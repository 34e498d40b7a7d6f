/** `--margin=2%`: how small a difference does not matter. */
import { UserError } from '../base/errors.ts';

/** Beyond it nothing would be a difference. */
const MARGIN_SHARE_MAX = 0.5;

export function marginOf(written: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(written.trim()) ?? [];
  const share = Number(number) / (percent === '%' ? 100 : 1);
  if (share > 0 && share < MARGIN_SHARE_MAX) return share;
  throw new UserError(`--margin must be a share of more than 0 and less than 50 %, such as 2%, not '${written}'.`, {
    hint: 'A difference smaller than the margin is one that does not matter.',
  });
}
