/** What is about to be done, said before it begins. */
import { formatCount, formatDuration, formatRate } from '../base/units.ts';
import type { LoadPlan } from '../load/plan.ts';
import { loadNotes } from '../load/plan-load.ts';
import { valueLines } from '../report/layout.ts';
import { describeMix, mixNotes } from '../workload/mix.ts';
import type { OpenTarget } from './open-target.ts';
import { programVersion } from './version.ts';
import type { WorkloadLine } from './workload-line.ts';

export function headerLines(line: WorkloadLine, target: OpenTarget, plan: LoadPlan): string[] {
  const { workload, name } = line.found;
  const mix = describeMix(workload, line.workload as never);
  return [
    `sqldyno ${programVersion()}`,
    ...valueLines('target', targetText(target)),
    ...valueLines('workload', name),
    ...(mix === undefined ? [] : valueLines('mix', mix)),
    ...valueLines('load', loadText(plan)),
    ...valueLines('seed', String(plan.seed)),
    ...[...mixNotes(workload, line.workload), ...loadNotes(plan)].flatMap((note) => valueLines('note', note)),
    '',
  ];
}

export function targetText({ server, address, isPrivate, connections }: OpenTarget): string {
  const flavor = server.flavor === 'mariadb' ? 'MariaDB' : 'MySQL';
  const tls = server.tls === undefined ? '' : `, ${server.tls.version}`;
  const database = connections[0]?.database;
  return `${flavor} ${server.version}, ${isPrivate ? 'private, ' : ''}${address}, database ${database}${tls}`;
}

function loadText(plan: LoadPlan): string {
  const { threads, timeS, events, eventsPerThread, warmupS, isWarmupAuto, rand, preparedStatements } = plan;
  return [
    `${formatCount(threads)} ${threads === 1 ? 'thread' : 'threads'}`,
    paceText(plan),
    ...(warmupS > 0 ? [`${isWarmupAuto ? 'up to ' : ''}${formatDuration(warmupS)} of warm-up`] : []),
    ...(timeS > 0 ? [formatDuration(timeS)] : []),
    ...(events > 0 ? [`${formatCount(events)} events`] : []),
    ...(eventsPerThread > 0 ? [`${formatCount(eventsPerThread)} events per thread`] : []),
    `keys ${rand.type}${rand.scrambled ? ', scrambled' : ''}`,
    preparedStatements ? 'prepared statements' : 'text protocol',
  ].join(', ');
}

function paceText({ ratePerS, arrivals, terminals, terminalTimeFactor: factor }: LoadPlan): string {
  if (terminals > 0) {
    const times = factor === 1 ? '' : `, times ${factor}`;
    return `${formatCount(terminals)} terminals (keying and thinking${times})`;
  }
  return ratePerS > 0 ? `${formatRate(ratePerS)} (open loop, ${arrivals})` : 'as fast as possible (closed loop)';
}
