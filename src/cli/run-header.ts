/** What is about to be done, said before it begins. */

import { defaultsOf } from '../base/options.ts';
import { formatCount, formatDuration, formatRate } from '../base/units.ts';
import type { LoadPlan } from '../load/plan.ts';
import { loadNotes } from '../load/plan-load.ts';
import { valueLines } from '../report/layout.ts';
import { describeMix } from '../workload/mix.ts';
import type { StatementKind, Workload } from '../workload/workload.ts';
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

function targetText({ server, address, isPrivate, connections }: OpenTarget): string {
  const flavor = server.flavor === 'mariadb' ? 'MariaDB' : 'MySQL';
  const tls = server.tls === undefined ? '' : `, ${server.tls.version}`;
  const database = connections[0]?.database;
  return `${flavor} ${server.version}, ${isPrivate ? 'private, ' : ''}${address}, database ${database}${tls}`;
}

function loadText(plan: LoadPlan): string {
  const { threads, ratePerS, timeS, events, warmupS, rand, preparedStatements } = plan;
  return [
    `${formatCount(threads)} ${threads === 1 ? 'thread' : 'threads'}`,
    ratePerS > 0 ? `${formatRate(ratePerS)} (open loop, ${plan.arrivals})` : 'as fast as possible (closed loop)',
    ...(warmupS > 0 ? [`${formatDuration(warmupS)} of warm-up`] : []),
    ...(timeS > 0 ? [formatDuration(timeS)] : []),
    ...(events > 0 ? [`${formatCount(events)} events`] : []),
    `keys ${rand.type}${rand.scrambled ? ', scrambled' : ''}`,
    preparedStatements ? 'prepared statements' : 'text protocol',
  ].join(', ');
}

const KINDS: readonly { readonly kind: StatementKind; readonly noun: string }[] = [
  { kind: 'read', noun: 'reads' },
  { kind: 'write', noun: 'writes' },
];

/** Options that leave out a whole kind of work make figures that do not compare with those of the usual mix. */
export function mixNotes(workload: Workload, options: Readonly<Record<string, unknown>>): string[] {
  const usual = workload.mix?.(defaultsOf(workload.options) as never) ?? [];
  const asked = workload.mix?.(options as never) ?? [];
  const count = (lines: typeof usual, kind: StatementKind) =>
    lines.reduce((sum, each) => (each.kind === kind ? sum + each.perTransaction : sum), 0);
  return KINDS.filter(({ kind }) => count(usual, kind) > 0 && count(asked, kind) === 0).map(
    ({ kind, noun }) =>
      `these options ask for no ${noun}, where this workload has ${count(usual, kind)} in each transaction: results with ${noun} came from other options`,
  );
}
