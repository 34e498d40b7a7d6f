/** Whether a run counts, by rules that were declared before the first one: never by how fast it was. */
import type { InvalidRules } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import { isWhole } from '../rounds.ts';

/** A page now and then is no swapping. */
const SWAPPED_PAGES_PER_S_MAX = 10;
/** A moment of it is within what a run can bear. */
const THROTTLED_SHARE_MAX = 0.05;
const PI_FLAGS = ['pi_under_voltage', 'pi_frequency_capped', 'pi_throttled'] as const;

/** Why it does not count, as a sentence; undefined where it does. */
export function invalidBecause(record: RunRecord, rules: InvalidRules): string | undefined {
  const { ending, findings } = record;
  if (!isWhole(record)) return 'cause' in ending ? ending.cause : `It ended by ${ending.kind}.`;
  const invalid = findings.find(({ severity }) => severity === 'invalid');
  if (invalid !== undefined) return invalid.is;
  return spoiltBecause(record, rules);
}

function spoiltBecause(record: RunRecord, rules: InvalidRules): string | undefined {
  const steal = measured(record, 'cpu', 'steal') ?? 0;
  if (steal > rules.stealShareMax) {
    return `The hypervisor gave ${percent(steal)} of the processors' time to others; at most ${percent(rules.stealShareMax)} was allowed.`;
  }
  const { errors, transactions } = record.totals;
  const failed = errors.reduce((sum, { count }) => sum + count, 0);
  if (failed > rules.errorShareMax * transactions.committed) {
    return `${failed} statements failed beside ${transactions.committed} committed transactions; at most ${percent(rules.errorShareMax)} were allowed.`;
  }
  const swapped =
    (measured(record, 'memory_swap', 'swap_in_pages_per_s') ?? 0) +
    (measured(record, 'memory_swap', 'swap_out_pages_per_s') ?? 0);
  if (rules.swap && swapped > SWAPPED_PAGES_PER_S_MAX) {
    return `The host swapped ${Math.round(swapped)} pages a second.`;
  }
  if (!rules.throttle) return undefined;
  const throttled = measured(record, 'cgroup', 'throttled_ratio') ?? 0;
  if (throttled > THROTTLED_SHARE_MAX)
    return `A limit of the control group throttled it ${percent(throttled)} of the time.`;
  const flag = PI_FLAGS.find((name) => (measured(record, 'clock_speed', name) ?? 0) > 0);
  return flag === undefined ? undefined : `The processor was slowed down: ${flag.replaceAll('_', ' ')}.`;
}

function measured({ series }: RunRecord, probe: string, value: string): number | undefined {
  return series?.[probe]?.measured[value];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
