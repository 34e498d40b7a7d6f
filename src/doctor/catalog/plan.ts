/** The load itself: whether the server lets it in, it asks for what it is meant to, and the disk can do it at all. */
import { formatCount, formatDuration, formatFixed } from '../../base/units.ts';
import { block, type Case, defineChecks, info, numberIn, type Opinion, ok, textOf, unseen, warning } from '../check.ts';
import type { DryRun, Mix, PlanFacts } from '../collected.ts';
import { burstOf } from '../ebs.ts';
import { missesPerTransaction } from '../misses.ts';
import { problemOpinion, problemsOf } from '../problems.ts';

/** Longer, and sessions that block each other stand still for most of a short run. */
const LOCK_WAIT_S_MAX = 10;
/** With several kinds of transactions, what a second holds of each is left to chance. */
const MIX_OFF_MAX = 0.25;
const TRANSACTIONS_MIN = 50;
/** The family of Amazon's instances whose processors are lent for a while. */
const LENT = /^t[1-9]\w*\./;

export default defineChecks([
  {
    number: 32,
    id: 'limits',
    title: 'limits and rights fit the load',
    of: 'plan',
    examine: (_, { collected }) => {
      if (collected.server.is === 'unseen') return unseen(collected.server.because);
      const problems = problemsOf(collected.problems, 'limits');
      if (problems.is === 'unseen') return unseen(problems.because);
      if (problems.value.length > 0)
        return problemOpinion(problems.value, 'The load would be refused, or stop at its beginning.');
      return examineTimeouts(collected.server.value.variables);
    },
  },
  {
    number: 33,
    id: 'mix',
    title: 'the load asks for what it is meant to',
    of: 'plan',
    examine: (plan) => {
      const { mix, mixNotes, dryRun } = plan;
      const remedy = {
        is: 'Leave out the options that set these statements to 0, or do not compare with results that have them.',
      };
      if (mixNotes.length > 0) {
        const [first = '', ...others] = mixNotes.map((note) => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`);
        return block([first, ...others].join(' '), {
          because:
            dryRun === undefined
              ? 'So the options say.'
              : `So the options say, and so the server counted: ${countedText(dryRun)}.`,
          remedy,
        });
      }
      if (mix === undefined) return unseen(`${plan.workload} does not tell what a transaction of it sends.`);
      if (dryRun !== undefined) return examineDryRun(mix, dryRun);
      return ok(`A transaction has ${mixText(mix)}.`);
    },
  },
  {
    number: 34,
    id: 'feasibility',
    title: 'reads that the disk must do',
    of: 'plan',
    examine: (plan, it) => examineFeasibility(plan, it),
  },
  {
    number: 35,
    id: 'burst-credits',
    title: 'speed that is lent for a while',
    of: 'plan',
    examine: (plan, it) => examineBurst(plan, it),
  },
]);

function examineTimeouts(variables: ReadonlyMap<string, string>): Opinion {
  const lockWaitS = numberIn(variables, 'innodb_lock_wait_timeout');
  const detects = variables.get('innodb_deadlock_detect');
  if (lockWaitS !== undefined && /^(?:off|0)$/i.test(detects ?? '') && lockWaitS > LOCK_WAIT_S_MAX) {
    return warning(`Deadlocks are not looked for, and waits for a lock end after ${lockWaitS} s only.`, {
      because: 'Sessions that block each other stand still for as long.',
      remedy: {
        is: 'One or the other:',
        sql: ['SET GLOBAL innodb_deadlock_detect = ON', `SET GLOBAL innodb_lock_wait_timeout = 5`],
      },
    });
  }
  return ok('Connections, prepared statements, packets and rights suffice.');
}

function mixText({ reads, writes, others }: Mix): string {
  const shown = (count: number) => (Number.isInteger(count) ? String(count) : formatFixed(count, 2));
  return `${shown(reads)} reads, ${shown(writes)} writes and ${shown(others)} other statements`;
}

function countedText({ transactions, reads, writes, elapsedS }: DryRun): string {
  return `${formatCount(reads)} reads and ${formatCount(writes)} writes in ${formatCount(transactions)} transactions, in ${formatFixed(elapsedS, 1)} s`;
}

function examineDryRun(mix: Mix, dryRun: DryRun): Opinion {
  const counted = `The server counted ${countedText(dryRun)}`;
  if (dryRun.transactions === 0) {
    return block(`${counted}: nothing was done.`, {
      because: 'Every transaction failed, or one takes longer than that.',
      remedy: { is: 'Try a short run: it tells the errors.' },
    });
  }
  const off = [
    { noun: 'reads', wanted: mix.reads, found: dryRun.reads / dryRun.transactions },
    { noun: 'writes', wanted: mix.writes, found: dryRun.writes / dryRun.transactions },
  ].filter(({ wanted, found }) => Math.abs(found - wanted) > MIX_OFF_MAX * Math.max(wanted, found));
  if (off.length === 0) return ok(`${counted}, as the options ask.`);
  const because = off
    .map(
      ({ noun, wanted, found }) =>
        `${formatFixed(found, 2)} ${noun} a transaction, where the options ask for ${formatFixed(wanted, 2)}`,
    )
    .join('; ');
  const remedy = {
    is: 'Is somebody else at work on the server? Otherwise look at what the workload sends (--db-ps-mode=disable and the general log).',
  };
  const isMissing = off.some(({ wanted, found }) => wanted > 0 && found === 0);
  if (isMissing) return block(`${counted}: a part of the load is missing.`, { because: `${because}.`, remedy });
  if (dryRun.transactions < TRANSACTIONS_MIN) {
    return info(`${counted}: too few to tell.`, { because: `${because}.` });
  }
  return warning(`${counted}: not what the options ask for.`, { because: `${because}.`, remedy });
}

function examineFeasibility(plan: PlanFacts, { collected }: Case): Opinion {
  if (collected.server.is === 'unseen') return unseen(collected.server.because);
  const misses = missesPerTransaction(plan, collected.server.value);
  if (misses.is === 'unseen') return unseen(misses.because);
  const each = misses.value;
  if (each === 0) return ok('The data fit into the buffer pool: hardly a page must be read.');
  const iops = plan.disk?.iops;
  const needs = `At least ${formatFixed(each, 1)} pages must be read from the disk in each transaction`;
  if (iops === undefined) {
    return unseen(`${needs}; what the disk is good for is not known.`, {
      is: 'Say what the volume is allowed (--disk-iops=3000), or find out with: sqldyno fileio help',
    });
  }
  const perSMax = iops / each;
  const ceiling = `${needs}: with ${formatCount(iops)} operations a second, that is ${formatCount(perSMax)} transactions a second at most.`;
  if (plan.ratePerS > perSMax) {
    return warning(ceiling, {
      because: `${formatCount(plan.ratePerS)} a second are asked for.`,
      remedy: { is: 'Ask for fewer, take a larger buffer pool, fewer rows, or a faster volume.' },
    });
  }
  return info(ceiling, { because: 'More than that cannot have been measured on this disk, whatever a report says.' });
}

function examineBurst(plan: PlanFacts, { collected }: Case): Opinion {
  const host = collected.serverHost;
  if (host.is === 'unseen' && plan.disk?.type === undefined) return unseen(host.because);
  const facts = host.is === 'seen' ? host.value : undefined;
  const product = facts && textOf(facts, 'dmi.product');
  if (product !== undefined && LENT.test(product)) {
    return warning(`This is a ${product}: its processors are lent by the minute.`, {
      because: 'When its credits are used up it is many times slower, and how many it has is not seen from here.',
      remedy: {
        is: 'Take an instance with processors of its own, or look at CPUCreditBalance before and after the run.',
      },
    });
  }
  const type = plan.disk?.type;
  const isEbs = facts !== undefined && /Amazon Elastic Block Store/i.test(textOf(facts, 'disk.model') ?? '');
  if (type === undefined) {
    if (!isEbs) return ok('No sign of a volume or a processor that is fast for a while only.');
    return unseen(
      'Whether this EBS volume is one that is fast for a while only (gp2, st1, sc1) is not seen from inside.',
      {
        is: 'Look it up, and say it with --disk-type:',
        shell: ["aws ec2 describe-volumes --query 'Volumes[].[VolumeId,VolumeType,Iops,Size]'"],
      },
    );
  }
  const sizeBytes = facts?.facts['disk.sizeBytes'];
  const burst = burstOf(type, typeof sizeBytes === 'number' ? sizeBytes : undefined);
  if (burst === 'none') return ok(`A volume of type ${type} is as fast at the end as at the beginning.`);
  if (burst === 'unknown')
    return unseen(`How long a volume of type ${type} stays fast depends on its size, which is not told.`);
  const is = `A ${type} volume of this size gives ${burst.fast} for ${formatDuration(burst.lastsS)} when its bucket is full, and ${burst.slow} from then on.`;
  const seconds = plan.timeS + plan.warmupS;
  if (plan.timeS > 0 && seconds > burst.lastsS)
    return info(is, { because: 'The run is longer: look for the step down.' });
  return warning(is, {
    because: `The run ends before, after ${plan.timeS === 0 ? 'nobody knows how long' : formatDuration(seconds)}: it would show a speed that does not last.`,
    remedy: {
      is: `Run for longer (--time=${Math.ceil(burst.lastsS * 1.5)}), or take a volume without credits, such as gp3.`,
    },
  });
}
