/** What the lab knows of a run that the engine cannot: whether the counts agree, where the server is, how durable. */
import type { Observation, WatchedSource } from '../model/observed.ts';
import type { CrossCheck, Ending, Finding } from '../model/run.ts';
import { durabilityGaps } from '../observe/variables.ts';
import type { TargetDescription } from './target.ts';

export interface LabEvidence {
  readonly target: TargetDescription;
  readonly crossCheck: CrossCheck;
  readonly ending: Ending;
}

export function labFindings({ target, crossCheck, ending }: LabEvidence): Finding[] {
  return [...crossCheckFindings(crossCheck, ending), ...hostFindings(target), ...durabilityFindings(target)];
}

function crossCheckFindings(crossCheck: CrossCheck, ending: Ending): Finding[] {
  if (crossCheck.is === 'impossible') {
    // A run that failed has said so, and why.
    if (ending.kind === 'failed' || ending.kind === 'forced') return [];
    return [
      {
        id: 'cross-check-impossible',
        severity: 'warning',
        is: "The counts could not be compared with the server's own.",
        because: crossCheck.because,
        remedy: 'Take a server that lets this user read SHOW GLOBAL STATUS, and do not restart it during the run.',
      },
    ];
  }
  if (crossCheck.ok) return [];
  const differing = crossCheck.rows.filter(({ client, server }) => client !== server);
  const list = differing.map(({ counter, during, client, server }) => {
    return `${counter}${during === undefined ? '' : ` (${during})`}: sent ${client}, counted ${server}`;
  });
  return [
    {
      id: 'cross-check-failed',
      severity: 'invalid',
      is: 'The server has not counted what was sent.',
      because: `${list.join('; ')}.${crossCheck.note === undefined ? '' : ` ${crossCheck.note}`}`,
      remedy: 'Is there a proxy between, or another user? Otherwise please report it: it is a fault of sqldyno.',
    },
  ];
}

/** Of the measured part: with less, the figures are those of a part of it. */
const SEEN_SHARE_MIN = 0.9;
/** Of the ticks: with more, peaks and courses have holes, though means over the whole are right. */
const MISSED_SHARE_MAX = 0.1;
const WATCHED_NAMES: Readonly<Record<WatchedSource['of'], string>> = {
  server: 'The server',
  host: "The server's host",
  client: 'The client',
};

/** Where the run was watched for a part of its time only. */
export function watchFindings({ sources = [], unseen }: Observation, elapsedS: number): Finding[] {
  return sources.flatMap(({ of, answers, missed, seenS }) => {
    const isShort = seenS < elapsedS * SEEN_SHARE_MIN;
    const hasHoles = missed > (answers + missed) * MISSED_SHARE_MAX;
    if (!isShort && !hasHoles) return [];
    const reason = unseen.find(({ what }) => what === of)?.because;
    const when = seenS === 0 ? 'not watched' : `watched for ${seenS.toFixed(1)} of the ${elapsedS.toFixed(1)} s`;
    return [
      {
        id: `${of}-partly-watched`,
        severity: 'warning',
        is: isShort
          ? `${WATCHED_NAMES[of]} was ${when} that were measured.`.replace(
              'not watched that were',
              'not watched while it was',
            )
          : `${WATCHED_NAMES[of]} gave no answer ${missed} of ${answers + missed} times.`,
        because: `${reason === undefined ? '' : `${reason} `}${isShort ? 'Its figures, and the diagnosis that rests on them, are of that part only.' : 'Peaks and events may have gone unseen.'}`,
        remedy: 'Run again once it answers throughout.',
      } satisfies Finding,
    ];
  });
}

function hostFindings({ isHere }: TargetDescription): Finding[] {
  if (!isHere) return [];
  return [
    {
      id: 'same-host',
      severity: 'info',
      is: 'Client and server share one machine.',
      because: 'They compete for its processors, so the server alone could do more than was measured.',
      remedy: 'Run the client on another machine, close by, to measure the server alone.',
    },
  ];
}

function durabilityFindings({ record }: TargetDescription): Finding[] {
  const gaps = durabilityGaps(record.variables);
  if (gaps.length === 0) return [];
  return [
    {
      id: 'not-durable',
      severity: 'info',
      is: 'The server is set up to be faster than it is safe.',
      because: `${gaps.join('; ')}.`,
      remedy: 'Compare it only with servers that are set up alike.',
    },
  ];
}
