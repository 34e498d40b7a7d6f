/** Where the processors' time goes. The terms are those of `mpstat`; `iowait` is the `wa` of `top` and `vmstat`. */
import { HOST_NOT_READ, hostsOf, increase, present } from '../host-change.ts';
import type { CpuTimes } from '../host-sample.ts';
import { defineProbe } from '../probe.ts';
import { quotient } from '../status-change.ts';

/** More columns than this nobody reads; the busiest is found among all. */
const CORES_SHOWN_MAX = 64;

export default defineProbe({
  summary: 'Shares of the time of all processors, the busiest of them, and each one.',
  source: 'host',
  between(earlier, later, elapsedS) {
    const hosts = hostsOf(earlier, later);
    if (hosts === undefined) return HOST_NOT_READ;
    const { before, after } = hosts;
    if (before.cpu === undefined || after.cpu === undefined)
      return 'The host does not tell the times of its processors.';
    const all = sharesOf(before.cpu, after.cpu);
    const cores = coreShares(before.cores, after.cores);
    const ratio = (value: number | undefined) => ({ value, unit: 'ratio' });
    const each = cores.slice(0, CORES_SHOWN_MAX).map((core, number) => [`core${number}.busy`, ratio(core?.busy)]);
    const maximum = (name: 'busy' | 'softirq') => {
      const values = cores.map((core) => core?.[name]).filter((value) => value !== undefined);
      return values.length === 0 ? undefined : Math.max(...values);
    };
    return present({
      busy: ratio(all?.busy),
      user: ratio(all?.user),
      system: ratio(all?.system),
      iowait: ratio(all?.iowait),
      irq: ratio(all?.irq),
      softirq: ratio(all?.softirq),
      steal: ratio(all?.steal),
      busiest_core: ratio(maximum('busy')),
      busiest_core_softirq: ratio(maximum('softirq')),
      context_switches_per_s: {
        value: quotient(increase(before.contextSwitches, after.contextSwitches), elapsedS),
        unit: '1/s',
      },
      ...Object.fromEntries(each),
    });
  },
});

interface Shares {
  /** What ran here: neither idle, nor waiting for a disk, nor taken by the hypervisor. */
  readonly busy: number;
  readonly user: number;
  readonly system: number;
  readonly iowait: number;
  readonly irq: number;
  readonly softirq: number;
  readonly steal: number;
}

/** Undefined where no time has passed that was counted. */
function sharesOf(before: CpuTimes, after: CpuTimes): Shares | undefined {
  // `iowait` and `idle` may fall a little (proc_stat(5)): that is no time.
  const of = (name: keyof CpuTimes) => Math.max(0, after[name] - before[name]);
  const ran = of('user') + of('nice') + of('system') + of('irq') + of('softirq');
  const total = ran + of('idle') + of('iowait') + of('steal');
  if (total === 0) return undefined;
  return {
    busy: ran / total,
    user: (of('user') + of('nice')) / total,
    system: of('system') / total,
    iowait: of('iowait') / total,
    irq: of('irq') / total,
    softirq: of('softirq') / total,
    steal: of('steal') / total,
  };
}

/** None where processors went on or off in between: then they cannot be told apart. */
function coreShares(before: readonly CpuTimes[] = [], after: readonly CpuTimes[] = []): (Shares | undefined)[] {
  return before.length === after.length ? after.map((times, number) => sharesOf(before[number]!, times)) : [];
}
