/** What was run, against what, and how it ended. */
import { unreachable } from '../../base/assert.ts';
import { formatCount, formatDuration } from '../../base/units.ts';
import type { Ending, LoadSettings, RunRecord, TargetRecord } from '../../model/run.ts';
import { valueLines } from '../layout.ts';

export function runLines(run: RunRecord): string[] {
  const { workload, target, load } = run;
  const values = Object.entries(workload.options).map(([name, value]) => `${name}=${String(value)}`);
  // Whole files, such as scripts, are in the record for who wants to run them again.
  const options = values.filter((text) => !text.includes('\n'));
  return [
    'Run:',
    ...valueLines('id', run.id + (run.tags.length === 0 ? '' : ` (${run.tags.join(', ')})`)),
    ...valueLines('time', `${run.startedAt} to ${run.endedAt}`),
    ...valueLines('workload', [workload.name, ...options].join(' ')),
    ...valueLines('load', loadText(load)),
    ...valueLines('seed', String(run.seed)),
    ...valueLines('target', targetText(target)),
    ...valueLines('command', run.command.join(' ')),
    ...valueLines('program', `sqldyno ${run.sqldyno.version}, Node ${run.client.node}`),
  ];
}

function loadText(load: LoadSettings): string {
  const limits = [
    load.timeS > 0 ? formatDuration(load.timeS) : '',
    load.events > 0 ? `${formatCount(load.events)} events` : '',
    load.eventsPerThread === undefined ? '' : `${formatCount(load.eventsPerThread)} events per thread`,
    load.warmupS > 0 ? `after ${formatDuration(load.warmupS)} of warm-up` : '',
  ].filter((limit) => limit !== '');
  return [
    loopText(load),
    `${formatCount(load.threads)} ${load.threads === 1 ? 'thread' : 'threads'} on ${load.workers} ${load.workers === 1 ? 'worker' : 'workers'}`,
    ...limits,
    keysText(load),
    load.preparedStatements ? 'prepared statements' : 'text protocol',
  ].join(', ');
}

function loopText({
  mode,
  ratePerS = 0,
  arrivals = 'poisson',
  terminals = 0,
  terminalTimeFactor = 1,
}: LoadSettings): string {
  switch (mode) {
    case 'closed':
      return 'closed loop';
    case 'open':
      return `open loop at ${ratePerS}/s (${arrivals} arrivals)`;
    case 'terminals':
      return `${formatCount(terminals)} terminals, keying and thinking times x ${terminalTimeFactor}`;
    default:
      return unreachable(mode);
  }
}

function keysText({ randType, rand }: LoadSettings): string {
  const parameters = Object.entries(rand).map(([name, value]) => `${name}=${value}`);
  return parameters.length === 0 ? `keys ${randType}` : `keys ${randType} (${parameters.join(' ')})`;
}

function targetText({ flavor, version, address, user, database, tls, isPrivate }: TargetRecord): string {
  const server = isPrivate ? 'private server' : 'server';
  const encryption = tls === null ? 'not encrypted' : tls;
  return `${flavor} ${version}, ${server} at ${address}, database ${database}, user ${user}, ${encryption}`;
}

export function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'time':
      return 'Ended as planned: the time was over.';
    case 'events':
      return 'Ended as planned: all events were done.';
    case 'interrupted':
      return `INTERRUPTED: ${ending.cause}`;
    case 'forced':
      return `CUT OFF by --forced-shutdown: ${ending.cause}`;
    case 'failed':
      return `FAILED: ${ending.cause}`;
    default:
      return unreachable(ending);
  }
}
