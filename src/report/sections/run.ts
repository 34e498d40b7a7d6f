/** What was run, against what, and how it ended. */
import { unreachable } from '../../base/assert.ts';
import { formatCount, formatDuration, formatFixed } from '../../base/units.ts';
import { tells } from '../../model/imported.ts';
import type { Phase } from '../../model/observed.ts';
import type { Ending, LoadSettings, RunRecord, TargetRecord } from '../../model/run.ts';
import { valueLines } from '../layout.ts';
import { toldText, toolName, UNKNOWN } from '../told.ts';

export function runLines(run: RunRecord): string[] {
  const { workload, target, load } = run;
  const values = Object.entries(workload.options).map(([name, value]) => `${name}=${String(value)}`);
  // Whole files, such as scripts, are in the record for who wants to run them again.
  const options = values.filter((text) => !text.includes('\n'));
  return [
    'Run:',
    ...valueLines('id', run.id + (run.tags.length === 0 ? '' : ` (${run.tags.join(', ')})`)),
    ...valueLines('time', timeText(run)),
    ...timelineLines(run.phases ?? []),
    ...valueLines(
      'workload',
      toldText(run, 'workload', () => [workload.name, ...options].join(' ')),
    ),
    ...valueLines('load', loadText(load, run)),
    ...valueLines(
      'seed',
      toldText(run, 'seed', () => String(run.seed)),
    ),
    ...valueLines('target', targetText(target)),
    ...valueLines('command', run.imported !== undefined && run.command.length === 0 ? UNKNOWN : run.command.join(' ')),
    ...valueLines('program', programText(run)),
  ];
}

export function timeText(run: Pick<RunRecord, 'startedAt' | 'endedAt' | 'imported'>): string {
  const { startedAt, endedAt } = run;
  return tells(run, 'startedAt') ? `${startedAt} to ${endedAt}` : `${UNKNOWN}; imported ${startedAt}`;
}

export function programText({ sqldyno, client, imported }: Pick<RunRecord, 'sqldyno' | 'client' | 'imported'>): string {
  if (imported !== undefined) return `${toolName(imported)}, imported by sqldyno ${sqldyno.version}`;
  return `sqldyno ${sqldyno.version}, Node ${client.node}`;
}

/** In seconds of the measured part's own clock, so that events and series can be placed. */
function timelineLines(phases: readonly Phase[]): string[] {
  if (phases.length === 0) return [];
  const texts = phases.map(({ name, startS, endS }) => `${name} ${secondsText(startS)} to ${secondsText(endS)}`);
  return valueLines('timeline, seconds', texts.join(', '));
}

/** Without a sign where nothing is left of the number. */
function secondsText(seconds: number): string {
  return formatFixed(Math.round(seconds * 10) / 10 + 0, 1);
}

/** `run`: the one it is of, which may not tell all of it. */
export function loadText(load: LoadSettings, run: Pick<RunRecord, 'imported'> = {}): string {
  const limits = [
    load.timeS > 0 ? formatDuration(load.timeS) : '',
    load.events > 0 ? `${formatCount(load.events)} events` : '',
    load.eventsPerThread === undefined ? '' : `${formatCount(load.eventsPerThread)} events per thread`,
    load.warmupS > 0 ? `after ${formatDuration(load.warmupS)} of warm-up` : '',
  ].filter((limit) => limit !== '');
  const threads = `${formatCount(load.threads)} ${load.threads === 1 ? 'thread' : 'threads'}`;
  if (run.imported !== undefined) {
    return [
      toldText(run, 'load.mode', () => loopText(load)),
      tells(run, 'load.threads') ? threads : `threads ${UNKNOWN}`,
      ...(limits.length === 0 ? [`length as planned ${UNKNOWN}`] : limits),
      tells(run, 'load.randType') ? keysText(load) : `keys ${UNKNOWN}`,
      tells(run, 'load.preparedStatements') ? protocolText(load) : `prepared or text: ${UNKNOWN}`,
    ].join(', ');
  }
  return [
    loopText(load),
    `${threads} on ${load.workers} ${load.workers === 1 ? 'worker' : 'workers'}`,
    ...limits,
    keysText(load),
    protocolText(load),
  ].join(', ');
}

function protocolText({ preparedStatements }: LoadSettings): string {
  return preparedStatements ? 'prepared statements' : 'text protocol';
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

export function targetText({ flavor, version, address, user, database, tls, isPrivate }: TargetRecord): string {
  if (flavor === '' && version === '') return UNKNOWN;
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
