/** What the lab knows of a run that the engine cannot: whether the counts agree, where the server is, how durable. */
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
