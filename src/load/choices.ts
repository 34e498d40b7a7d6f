/** Which transaction an event is: drawn by weight from the event's own stream. */
import { UserError } from '../base/errors.ts';
import type { Random } from '../base/random.ts';
import type { Session, Transaction } from '../workload/workload.ts';
import type { Names } from './recorder.ts';

export interface Choice {
  readonly id: number;
  readonly name: string;
  readonly transaction: Transaction;
  /** Sum of the weights up to this one, this one included. */
  readonly upTo: number;
}

export function choicesOf(session: Session, names: Names): readonly Choice[] {
  const choices: Choice[] = [];
  let upTo = 0;
  for (const [name, transaction] of Object.entries(session)) {
    if (!(transaction.weight >= 0)) throw new Error(`The weight of transaction '${name}' is ${transaction.weight}.`);
    if (transaction.weight === 0) continue;
    upTo += transaction.weight;
    choices.push({ id: names.transactionId(name), name, transaction, upTo });
  }
  if (choices.length > 0) return choices;
  throw new UserError('No transaction of this workload has a weight above zero: there is nothing to run.', {
    hint: 'Give at least one of its transactions a weight.',
  });
}

/** Hot: once per attempt. A single transaction draws nothing. */
export function choose(choices: readonly Choice[], random: Random): Choice {
  const last = choices[choices.length - 1]!;
  if (choices.length === 1) return last;
  const point = random.next() * last.upTo;
  for (const choice of choices) {
    if (point < choice.upTo) return choice;
  }
  return last;
}
