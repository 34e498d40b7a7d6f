/** Transactions that come in a fixed order, part by part, in place of a choice by weight. */
import type { SequencePart } from '../workload/workload.ts';
import type { Choice } from './choices.ts';

export function eventsOfSequence(sequence: readonly SequencePart[]): number {
  return sequence.reduce((sum, { events }) => sum + events, 0);
}

/** Of event number `index`, counted over all parts. */
export function choiceInSequence(sequence: readonly SequencePart[], choices: readonly Choice[], index: number): Choice {
  const part = partAt(sequence, index);
  const choice = choices.find(({ name }) => name === part.transaction);
  if (choice !== undefined) return choice;
  throw new Error(`The sequence of the workload names a transaction that it does not have: '${part.transaction}'.`);
}

function partAt(sequence: readonly SequencePart[], index: number): SequencePart {
  let begins = 0;
  for (const part of sequence) {
    begins += part.events;
    if (index < begins) return part;
  }
  throw new Error(`The sequence of the workload has ${begins} events, and none with the number ${index}.`);
}
