/** The difference of two environments, for people. */
import { formatCount, formatLatency } from '../base/units.ts';
import { type EnvironmentDiff, type FactsDiff, isWithoutDifference } from '../stats/environment-diff.ts';
import { countOfFacts, factsDiffLines } from './facts-text.ts';
import { noteLines, valueLines } from './layout.ts';

const SIDES = { one: 'A', other: 'B' } as const;

export function environmentDiffText(diff: EnvironmentDiff): string {
  const { one, other, server, host, client } = diff;
  const paragraphs = [
    [...valueLines('A', one), ...valueLines('B', other), ...basisLines(diff)],
    groupLines('Server', server),
    groupLines("Server's host", host),
    ...(client === undefined ? [] : [groupLines('Client', client)]),
    ...roundTripLines(diff),
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function basisLines({ withoutEnvironment, client }: EnvironmentDiff): string[] {
  const [first, second] = withoutEnvironment;
  if (first !== undefined) {
    const who = second === undefined ? `${first} has no environment` : 'Neither run has an environment';
    return noteLines(
      `${who}: it was made by an older version or another tool, was not watched (--observe=off), or ended before. Compared is what every run tells, which is ` +
        'the variables that matter and the machine of the client.',
    );
  }
  return client === undefined ? noteLines("In both, the client ran on the server's host.") : [];
}

function groupLines(name: string, diff: FactsDiff): string[] {
  const { differing, onlyInOne, onlyInOther, alike } = diff;
  const known = differing.length + onlyInOne.length + onlyInOther.length + diff.expected.length + alike;
  if (known === 0) return [`${name}: nothing is known of it in either.`];
  if (isWithoutDifference(diff))
    return [`${name}: no difference, ${countOfFacts(alike)} alike.`, ...factsDiffLines(diff, SIDES)];
  const lone = onlyInOne.length + onlyInOther.length;
  const counts = [
    ...(differing.length === 0
      ? []
      : [`${differing.length === 1 ? '1 fact differs' : `${countOfFacts(differing.length)} differ`}`]),
    ...(lone === 0 ? [] : [`${formatCount(lone)} only in one`]),
    `${formatCount(alike)} alike`,
  ];
  return [`${name}: ${counts.join(', ')}.`, ...factsDiffLines(diff, SIDES)];
}

function roundTripLines({ roundTripUs }: EnvironmentDiff): string[][] {
  if (roundTripUs === undefined) return [];
  const { one, other } = roundTripUs;
  const text = ({ p50, p99 }: typeof one) => `p50 ${formatLatency(p50)}, p99 ${formatLatency(p99)}`;
  return [
    [
      'Round trip from the client to the server, on an idle connection before the run:',
      ...valueLines('A', text(one)),
      ...valueLines('B', text(other)),
    ],
  ];
}
