/** What the workload itself says of a run: how far it kept its rules, and the result in its own terms. */
import type { ConformanceLine, RunRecord } from '../../model/run.ts';
import { hangingLines } from '../layout.ts';

export const CONFORMS_WORDS: Readonly<Record<ConformanceLine['conforms'], string>> = {
  yes: 'yes',
  no: 'NO',
  deviates: 'deviates',
  unknown: 'unknown',
};

export function conformanceLines({ conformance = [], workload }: RunRecord): string[] {
  if (conformance.length === 0) return [];
  const holding = conformance.filter(({ conforms }) => conforms === 'yes').length;
  const title = `Conformance with the rules of ${workload.name}: ${holding} of ${conformance.length} as wanted`;
  return [title, ...conformance.flatMap(linesOf)];
}

function linesOf({ is, measured, wanted, conforms, note }: ConformanceLine): string[] {
  const start = `    ${CONFORMS_WORDS[conforms].padEnd(10)}`;
  const below = ' '.repeat(start.length);
  return [
    ...hangingLines(start, `${is}: ${measured} (wanted: ${wanted})`),
    ...(note === undefined ? [] : hangingLines(below, note)),
  ];
}

export function ownTermLines({ ownTerms = [], imported }: RunRecord): string[] {
  if (imported === undefined || ownTerms.length === 0) return [...ownTerms];
  return [`As ${imported.tool} printed it:`, ...ownTerms.map((line) => line.trimEnd())];
}
