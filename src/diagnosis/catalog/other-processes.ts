/** Something else on the server's host takes its processors. */
import { shortageOf } from '../processors.ts';
import { figure, percent, type Rule } from '../verdict.ts';

const OF_CAPACITY_MIN = 0.05;
/** Names of single processes, as the probe writes them. */
const TOP = 3;

const otherProcesses: Rule = (it) => {
  const { evidence } = it;
  const cores = evidence.measured('other_processes', 'cores');
  const capacity = evidence.cores;
  if (cores === undefined || capacity === undefined || cores / capacity < OF_CAPACITY_MIN) return undefined;
  const named = evidence
    .names('other_processes')
    .filter((name) => name.startsWith('top.'))
    .map((name) => ({
      name: name.slice('top.'.length, -'.cores'.length),
      cores: evidence.measured('other_processes', name) ?? 0,
    }))
    .sort((one, other) => other.cores - one.cores)
    .slice(0, TOP);
  // Processes are looked at less often than the whole: over a time of their own they may have used more than that.
  const isOfWhole = named.length > 0 && named.reduce((sum, each) => sum + each.cores, 0) <= cores;
  const desktop = (evidence.peak('other_processes', 'desktop_session') ?? 0) > 0;
  const shortage = shortageOf(it);
  const isPaceSetter = shortage?.isByOthers === true && !evidence.isPaced;
  return {
    role: isPaceSetter ? 'bottleneck' : 'alarm',
    is: isPaceSetter
      ? 'Other programs have most of the processors.'
      : 'Other programs took processor time from the server.',
    share: isPaceSetter ? shortage.share : cores / capacity,
    evidence: [
      `others kept ${figure(cores)} of ${figure(capacity)} processors busy (${percent(cores / capacity)})`,
      ...(named.length === 0
        ? []
        : [
            isOfWhole
              ? `of that ${named.map((each) => `${each.name} (${figure(each.cores)})`).join(', ')}`
              : `among them ${named.map((each) => each.name).join(', ')}`,
          ]),
      ...(desktop ? ['a graphical desktop session is running'] : []),
    ],
    confirmBy: 'Stop them and run again, in pairs.',
    advice: 'Measure on a host that does nothing else.',
  };
};

export default otherProcesses;
