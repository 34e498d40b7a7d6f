/** What the reader of a run must know to judge its figures. Pure: each finding is a rule over what was measured. */
import type { ClientRecord, Finding, Interval, RunTotals } from '../model/run.ts';
import { hasDueTimes, type LoadPlan } from './plan.ts';

export interface Evidence {
  readonly plan: Pick<
    LoadPlan,
    'ratePerS' | 'terminals' | 'sequence' | 'timeS' | 'workers' | 'threads' | 'warmupS' | 'intervalS'
  >;
  readonly totals: RunTotals;
  readonly intervals: readonly Interval[];
  readonly client: ClientRecord;
  /** Events given up after the last attempt, and events with a wrong result. */
  readonly skipped: number;
  readonly invalid: number;
  /** Events that ended with their transaction open, and errors that the workload caught. */
  readonly leftOpen: number;
  readonly swallowed: number;
  readonly neverSent: readonly string[];
  /** By how much the wall clock went differently from the monotonic one. */
  readonly clockJumpMs: number;
  /** `--warmup=auto` came to its limit. */
  readonly isUnsettled: boolean;
}

/** A closed loop cannot offer more than the client sends: beyond this the client sets the pace. */
const UTILIZATION_MAX_CLOSED = 0.95;
/** Arrivals come at random: a loop this busy makes some wait that the server would have served at once. */
const UTILIZATION_MAX_OPEN = 0.8;
/** Replies that wait this long in our own event loop blur every percentile below a second. */
const EVENT_LOOP_DELAY_P99_MS_MAX = 20;
/** As above, for arrivals: it is added to the response times, whose median is often below 10 ms. */
const SCHEDULE_LAG_P99_MS_MAX = 5;
/** Shorter runs see no checkpoint, no flush and hardly any cache turnover. */
const MEASURED_S_MIN = 10;
/** Ten values lie above the 99th percentile then: fewer do not place it. */
const TRANSACTIONS_MIN = 1_000;
/** What repeats of one run on an idle machine differ by, at most. */
const DRIFT_MAX = 0.1;
/** Standard deviations that random arrivals hardly ever make. */
const CHANCE_DEVIATIONS = 3.5;
/** Halves of fewer intervals are compared by chance. */
const DRIFT_INTERVALS_MIN = 4;
/** Shorter pauses are for the percentiles to tell. */
const STALL_S_MIN = 0.9;
/** With fewer transactions per interval an empty one is nothing unusual: e^-10 of them are, by chance alone. */
const STALL_TRANSACTIONS_MIN = 10;
/** Time synchronisation slews by half a millisecond a second at most; more was a step. */
const CLOCK_JUMP_MS_MAX = 250;
const CLOCK_SLEW_MAX = 0.001;
/** Work that is silently left out flatters the rest. */
const SKIPPED_SHARE_MAX = 0.01;
/** Below it, contention is part of the load; above, it is what was measured. */
const WASTED_SHARE_MAX = 0.1;
/** The last few transactions of a run are always under way; more is a backlog. */
const UNFINISHED_SHARE_MAX = 0.01;

type Rule = (evidence: Evidence) => Finding | undefined;

export function findingsOf(evidence: Evidence): readonly Finding[] {
  const findings = RULES.map((rule) => rule(evidence)).filter((finding) => finding !== undefined);
  const order = ['invalid', 'warning', 'info'];
  return findings.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

const nothingCommitted: Rule = ({ totals }) =>
  totals.transactions.committed > 0
    ? undefined
    : {
        id: 'nothing-committed',
        severity: 'invalid',
        is: 'Not one transaction was committed in the measured part.',
        because: 'There is no throughput and no latency to report.',
        remedy: 'See how the run ended and its errors, or give it more time.',
      };

const wrongResults: Rule = ({ invalid }) =>
  invalid === 0
    ? undefined
    : {
        id: 'wrong-results',
        severity: 'invalid',
        is: `${count(invalid, 'transaction')} read something else than the data must give.`,
        because: 'A server that answers wrongly may answer as fast as it likes.',
        remedy: 'Look at the errors for an example; prepare the data again if another program has changed it.',
      };

const leftOpen: Rule = ({ leftOpen: open, totals }) =>
  open === 0
    ? undefined
    : {
        id: 'transactions-left-open',
        severity: 'invalid',
        is: `${open} of ${count(totals.transactions.committed, 'transaction')} ended without COMMIT, and were still open.`,
        because: 'What they did is undone when the session ends or rolls back: it is no committed work.',
        remedy: 'Let the workload send COMMIT, or leave autocommit on.',
      };

const swallowedErrors: Rule = ({ swallowed }) =>
  swallowed === 0
    ? undefined
    : {
        id: 'errors-swallowed',
        severity: 'invalid',
        is: `The workload caught ${count(swallowed, 'error')} of the server and went on as if nothing had happened.`,
        because: 'Transactions in which a statement failed are counted as committed.',
        remedy: "Let errors through: rolling back, trying again and counting is the engine's part.",
      };

const clientSaturated: Rule = ({ client, plan }) => {
  const limit = hasDueTimes(plan) ? UTILIZATION_MAX_OPEN : UTILIZATION_MAX_CLOSED;
  if (client.eventLoopUtilizationMax <= limit) return undefined;
  return {
    id: 'client-saturated',
    severity: 'warning',
    is: `A worker of the client was busy ${percent(client.eventLoopUtilizationMax)} of the time (limit ${percent(limit)}).`,
    because:
      'The client may have set the pace, not the server, and replies waited for the client before they were timed.',
    remedy: `Run the client on another machine${plan.workers < plan.threads ? ', or with more --workers where it has cores to spare' : ''}.`,
  };
};

const eventLoopDelay: Rule = ({ client }) =>
  client.eventLoopDelayP99Ms <= EVENT_LOOP_DELAY_P99_MS_MAX
    ? undefined
    : {
        id: 'event-loop-delay',
        severity: 'warning',
        is: `One in a hundred turns of the client's event loop was ${milliseconds(client.eventLoopDelayP99Ms)} late.`,
        because: 'Replies that arrived meanwhile were timed that much too late.',
        remedy: 'Leave a core to the client, or run it on another machine.',
      };

const scheduleLag: Rule = ({ client: { scheduleLagP99Ms = 0 }, plan }) =>
  scheduleLagP99Ms <= SCHEDULE_LAG_P99_MS_MAX
    ? undefined
    : {
        id: 'schedule-lag',
        severity: 'warning',
        is: `One in a hundred events began ${milliseconds(scheduleLagP99Ms)} late although a session was free.`,
        because: 'The client was late, not the server; response times contain it.',
        remedy: `Leave a core to the client, run it on another machine, or ${lessLoad(plan).toLowerCase()}.`,
      };

const tooShort: Rule = ({ totals, plan }) =>
  loadedS(totals, plan) >= MEASURED_S_MIN
    ? undefined
    : {
        id: 'too-short',
        severity: 'warning',
        is: `Only ${loadedS(totals, plan).toFixed(1)} s were measured.`,
        because: `In less than ${MEASURED_S_MIN} s caches do not settle and the server writes nothing back.`,
        remedy:
          plan.sequence.length > 0
            ? 'Give the workload more to do, where it has an option for that.'
            : 'Raise --time; 60 s and more, after a warm-up, is usual.',
      };

/** Without the time in which what had been begun came to its end. */
function loadedS({ elapsedS }: RunTotals, { timeS }: Evidence['plan']): number {
  return timeS > 0 ? Math.min(elapsedS, timeS) : elapsedS;
}

const fewTransactions: Rule = ({ totals }) =>
  totals.transactions.committed === 0 || totals.transactions.committed >= TRANSACTIONS_MIN
    ? undefined
    : {
        id: 'few-transactions',
        severity: 'info',
        is: `Only ${wereOf(totals.transactions.committed, 'transaction')} committed.`,
        because: `With fewer than ${TRANSACTIONS_MIN} a 99th percentile rests on a handful of values.`,
        remedy: 'Raise --time or --events.',
      };

const notSteady: Rule = ({ intervals, plan }) => {
  // One part is not like another: that the rate changes from part to part says nothing.
  if (plan.sequence.length > 0) return undefined;
  // The last one may be the short rest after the end of time.
  const whole = intervals.filter(
    (interval) => !interval.isWarmup && interval.endS - interval.startS > plan.intervalS / 2,
  );
  if (whole.length < DRIFT_INTERVALS_MIN) return undefined;
  const half = Math.floor(whole.length / 2);
  const first = rateOf(whole.slice(0, half));
  const second = rateOf(whole.slice(-half));
  const drift = second / first - 1;
  const byChance = hasDueTimes(plan) ? chanceOfHalves(whole, half) : 0;
  if (first === 0 || Math.abs(drift) <= Math.max(DRIFT_MAX, byChance)) return undefined;
  return {
    id: 'not-steady',
    severity: 'warning',
    is: `The second half had ${percent(Math.abs(drift))} ${drift > 0 ? 'more' : 'fewer'} transactions per second than the first.`,
    because: 'The mean of a run that still changes depends on when it was stopped.',
    remedy: plan.warmupS === 0 ? 'Add --warmup-time, and raise --time.' : 'Raise --warmup-time and --time.',
  };
};

/** Arrivals come at random: by that much more or less halves hardly ever differ for it (Poisson). */
function chanceOfHalves(intervals: readonly Interval[], half: number): number {
  const done = (part: readonly Interval[]) => part.reduce((sum, { transactions }) => sum + transactions, 0);
  const [first, second] = [done(intervals.slice(0, half)), done(intervals.slice(-half))];
  return CHANCE_DEVIATIONS * Math.sqrt(1 / Math.max(1, first) + 1 / Math.max(1, second));
}

const unsettled: Rule = ({ isUnsettled, plan }) =>
  isUnsettled
    ? {
        id: 'never-settled',
        severity: 'warning',
        is: `The load did not become steady within the ${plan.warmupS.toFixed(0)} s of --warmup=auto.`,
        because: 'What was measured still changes, and its mean depends on when it was stopped.',
        remedy: 'Raise --warmup-time, the limit of the warm-up, and look at the intervals for what changes.',
      }
    : undefined;

const stalled: Rule = ({ intervals, plan }) => {
  const whole = intervals.filter(({ isWarmup, startS, endS }) => !isWarmup && endS - startS >= plan.intervalS * 0.99);
  const silent = whole.filter(({ transactions }) => transactions === 0);
  const silentS = silent.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
  const usual = whole.reduce((sum, { transactions }) => sum + transactions, 0) / Math.max(1, whole.length);
  if (silentS < STALL_S_MIN || usual < STALL_TRANSACTIONS_MIN) return undefined;
  return {
    id: 'stalled',
    severity: 'warning',
    is: `For ${silentS.toFixed(1)} s nothing was committed, the first time at ${silent[0]!.startS.toFixed(1)} s.`,
    because: hasDueTimes(plan)
      ? 'What was due meanwhile waited, and is in the response times.'
      : 'A closed loop waits along: what others would have asked meanwhile is in no latency.',
    remedy: "Look at the server's error log and its disk at that time; with --rate the waiting is measured.",
  };
};

const clockJumped: Rule = ({ clockJumpMs, totals }) =>
  Math.abs(clockJumpMs) <= CLOCK_JUMP_MS_MAX + totals.elapsedS * 1000 * CLOCK_SLEW_MAX
    ? undefined
    : {
        id: 'clock-jumped',
        severity: 'warning',
        is: `The machine's clock was set ${milliseconds(Math.abs(clockJumpMs))} ${clockJumpMs > 0 ? 'forward' : 'back'} during the run.`,
        because: 'Latencies are right, but stamps do not fit those of other programs; or the machine slept.',
        remedy: 'Run again once its time is synchronised.',
      };

const skippedEvents: Rule = ({ skipped, totals }) => {
  const share = skipped / Math.max(1, skipped + totals.transactions.committed);
  if (share <= SKIPPED_SHARE_MAX) return undefined;
  return {
    id: 'many-skipped',
    severity: 'warning',
    is: `${wereOf(skipped, 'transaction')} given up (${percent(share)}): every attempt failed.`,
    because: 'The latencies are those of the transactions that got through: the hardest are not in them.',
    remedy: 'Take fewer --threads or more rows, or raise --attempts-max.',
  };
};

const wastedWork: Rule = ({ totals: { statements } }) => {
  const share =
    statements.wasted / Math.max(1, statements.read + statements.write + statements.other + statements.wasted);
  if (share <= WASTED_SHARE_MAX) return undefined;
  return {
    id: 'wasted-work',
    severity: 'warning',
    is: `${percent(share)} of all statements were sent in vain: their transactions were rolled back or did not end.`,
    because: 'The server was busy with them, but they are in no rate.',
    remedy: 'See the errors by code; take fewer --threads or more rows if contention is not what you want to measure.',
  };
};

const lostConnections: Rule = ({ totals }) => {
  const lost = totals.errors
    .filter(({ policy }) => policy === 'reconnected')
    .reduce((sum, error) => sum + error.count, 0);
  if (lost === 0) return undefined;
  return {
    id: 'connections-lost',
    severity: 'warning',
    is: `${wereOf(lost, 'connection')} lost; sessions opened new ones.`,
    because: 'The totals contain the gap; a transaction whose COMMIT was under way may have been done twice.',
    remedy: 'See the intervals for the gap, and the server for its reason.',
  };
};

const droppedArrivals: Rule = ({ totals, plan }) =>
  totals.dropped === 0
    ? undefined
    : {
        id: 'arrivals-dropped',
        severity: 'warning',
        is: `${wereOf(totals.dropped, 'arrival')} dropped: the queue was full.`,
        because: 'The server cannot keep up with them; the true response times are longer than those measured.',
        remedy: `${lessLoad(plan)}, or take more --threads.`,
      };

const unfinishedEvents: Rule = ({ totals, plan }) => {
  if (totals.unfinished === 0) return undefined;
  const share = totals.unfinished / (totals.unfinished + totals.transactions.committed);
  const isBacklog = share > UNFINISHED_SHARE_MAX;
  return {
    id: 'unfinished',
    severity: isBacklog ? 'warning' : 'info',
    is: `${wereOf(totals.unfinished, 'transaction')} due or under way at the end, and in no latency.`,
    because: isBacklog
      ? 'They had waited longest: with them the latencies would be higher.'
      : 'Of so many transactions these make no difference.',
    remedy: hasDueTimes(plan) && isBacklog ? `${lessLoad(plan)}, or take more --threads.` : 'See how the run ended.',
  };
};

const noEffect: Rule = ({ totals: { statements } }) => {
  if (statements.writesWithoutEffect === 0) return undefined;
  return {
    id: 'writes-without-effect',
    severity: 'warning',
    is: `${statements.writesWithoutEffect} of ${count(statements.write, 'write')} changed no row.`,
    because: 'A write that finds no row, or finds it as it should become, costs the server less than a real one.',
    remedy: 'Prepare the data again, with the --table-size and --tables that the run uses.',
  };
};

const neverSent: Rule = ({ neverSent: names, totals }) => {
  if (names.length === 0 || totals.transactions.committed === 0) return undefined;
  return {
    id: 'statements-never-sent',
    severity: 'info',
    is: `Prepared and not once sent: ${names.join(', ')}.`,
    because: 'Nothing is known about their latency.',
    remedy: 'Nothing to do where the options left them out; else raise --time.',
  };
};

const RULES: readonly Rule[] = [
  nothingCommitted,
  wrongResults,
  leftOpen,
  swallowedErrors,
  clientSaturated,
  eventLoopDelay,
  scheduleLag,
  tooShort,
  unsettled,
  notSteady,
  stalled,
  clockJumped,
  skippedEvents,
  wastedWork,
  lostConnections,
  droppedArrivals,
  unfinishedEvents,
  noEffect,
  fewTransactions,
  neverSent,
];

function rateOf(intervals: readonly Interval[]): number {
  const seconds = intervals.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
  return intervals.reduce((sum, { transactions }) => sum + transactions, 0) / seconds;
}

/** What a user can turn down where events are due by a clock. */
function lessLoad({ terminals }: Evidence['plan']): string {
  return terminals > 0 ? 'Take fewer --terminals' : 'Lower --rate';
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

function wereOf(number: number, noun: string): string {
  return `${count(number, noun)} ${number === 1 ? 'was' : 'were'}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function milliseconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}
