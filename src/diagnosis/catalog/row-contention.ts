/** Sessions wait for each other's row locks; and why those are held for so long. */
import type { Evidence } from '../evidence.ts';
import { type Case, figure, percent, type Rule } from '../verdict.ts';

const SHARE_MIN = 0.2;
/** Deadlocks and timeouts, of all transactions. */
const CONFLICTS_MIN = 0.005;

const rowContention: Rule = (it) => {
  const { evidence, shares } = it;
  const share = shares['row-lock'] ?? 0;
  const conflicts = evidence.deadlocksAndTimeouts / Math.max(1, evidence.transactions);
  if (share < SHARE_MIN && conflicts < CONFLICTS_MIN) return undefined;
  const waitMs = evidence.measured('row_locks', 'mean_wait_ms');
  const evidenceLines = [
    ...(shares['row-lock'] === undefined
      ? []
      : [`sessions spent ${percent(share)} of their time waiting for row locks`]),
    ...(waitMs === undefined ? [] : [`a wait took ${figure(waitMs)} ms on average`]),
    ...(conflicts > 0
      ? [`${percent(conflicts)} of the transactions met a deadlock or a lock wait that took too long`]
      : []),
    ...whyHeld(it),
  ];
  const held = longestPart(it);
  return {
    role: share >= SHARE_MIN ? 'bottleneck' : 'contributes',
    is: `Sessions queue for the same rows${held === undefined ? '' : `, whose locks are held mostly for ${held.is}`}.`,
    share,
    evidence: evidenceLines,
    confirmBy: 'With ten times the rows (more warehouses, a larger table) and the same threads the rate rises.',
    advice: held?.advice ?? 'Hold the locks for a shorter time: touch the contended row last, send fewer statements.',
  };
};

interface Part {
  readonly is: string;
  readonly share: number;
  readonly advice: string;
}

/** While a transaction is not waiting for a lock itself, it holds its own: what it does then is why others wait. */
function parts({ evidence, shares }: Case): Part[] {
  const all = [
    {
      is: 'flushing the log',
      share: holdsLocksWhileFlushing(evidence) ? (shares.commit ?? 0) : 0,
      advice: 'The locks wait for the disk: a disk that flushes faster, or a weaker durability, shortens every wait.',
    },
    {
      is: 'the way between client and server',
      share: shares.network ?? 0,
      advice: 'The locks wait for the network: fewer statements per transaction, or a client that is closer.',
    },
    {
      is: 'computing',
      share: (shares['server-cpu'] ?? 0) + (shares['cpu-queue'] ?? 0),
      advice: 'Touch the contended row last, send fewer statements while it is locked, or split it into several.',
    },
  ];
  return all.filter(({ share }) => share > 0).sort((one, other) => other.share - one.share);
}

/**
 * With a binary log a transaction lets go of its locks when its group has been flushed; without one InnoDB lets go of
 * them first, and then flushes its own log.
 */
function holdsLocksWhileFlushing({ variables }: Evidence): boolean {
  return !/^(?:OFF|0)$/i.test(variables['log_bin'] ?? '');
}

function longestPart(it: Case): Part | undefined {
  return parts(it)[0];
}

function whyHeld(it: Case): string[] {
  const list = parts(it).map(({ is, share }) => `${percent(share)} ${is}`);
  const { commit = 0 } = it.shares;
  if (commit > 0 && !holdsLocksWhileFlushing(it.evidence)) {
    list.push(`${percent(commit)} in commits, which let go of the locks first`);
  }
  return list.length === 0 ? [] : [`besides waiting, sessions spent ${list.join(', ')}`];
}

export default rowContention;
