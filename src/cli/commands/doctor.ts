/** `sqldyno doctor`: looks at client, server and load before anything is measured, and says what would spoil it. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExitCode } from '../../base/errors.ts';
import { formatDuration } from '../../base/units.ts';
import { collect } from '../../doctor/collect.ts';
import { type Collected, type DryRun, type PlanFacts, type Seen, seen, unseenBecause } from '../../doctor/collected.ts';
import { fixesOf, preflightChecks } from '../../doctor/examine.ts';
import { openHosts } from '../../doctor/hosts.ts';
import { planFacts } from '../../doctor/plan-facts.ts';
import { dryRun } from '../../lab/dry-run.ts';
import { listPrivateServers } from '../../lab/server.ts';
import { storeDirectory } from '../../store/location.ts';
import { connect } from '../../wire/connection.ts';
import { ServerError } from '../../wire/errors.ts';
import type { ConnectOptions } from '../../wire/types.ts';
import { explainConnectError } from '../connect-errors.ts';
import { type DoctorLine, doctorHelp, readDoctorLine } from '../doctor-line.ts';
import { countsOf, doctorLines, fixLines } from '../doctor-text.ts';
import { THIS_MACHINE } from '../open-target.ts';
import { planOf } from '../plan-of.ts';
import { connectionTo } from '../private-target.ts';
import { ProblemsError } from '../problems.ts';
import type { Session } from '../session.ts';
import { addressOf, resolveTarget } from '../target.ts';
import { jsonText } from '../terminal.ts';
import type { LineWorld } from '../workload-line.ts';

export async function doctorCommand(args: readonly string[], session: Session, world: LineWorld): Promise<ExitCode> {
  const { terminal } = session;
  const line = await readDoctorLine(args, world);
  if (line.wantsHelp) {
    terminal.say(doctorHelp(terminal.columns));
    return ExitCode.done;
  }
  const target = await targetOf(line);
  for (const note of [...line.notes, ...target.notes]) terminal.warn(`Note: ${note}`);
  const dry = await dryRunOf(line, target.server, session);
  const plan = planFactsOf(line, dry);
  const collected = await lookAtAll(line, target.server, session);
  const results = await preflightChecks(collected, plan, line.options.accept);
  for (const text of doctorLines(results, collected.tookS)) terminal.say(text);
  const fixes = fixesOf(results);
  if (line.options.fix) for (const text of fixLines(fixes)) terminal.say(text);
  const counts = countsOf(results);
  terminal.json(jsonText({ examined: target.examined, tookS: collected.tookS, counts, checks: results, fixes }));
  return counts.block > 0 ? ExitCode.checkFailed : ExitCode.done;
}

interface Examined {
  readonly server: Seen<ConnectOptions>;
  /** For people and programs: which server, or none. */
  readonly examined: { readonly server: string | null; readonly workload: string | null };
  readonly notes: readonly string[];
}

/** Never starts a server: that is no examination. */
async function targetOf(line: DoctorLine): Promise<Examined> {
  const workload = line.load?.found.name ?? null;
  const target = await resolveTarget(line.target, line.given, THIS_MACHINE);
  if (target.is === 'server') {
    const [first] = target.connections;
    if (first === undefined) throw new Error('a target has at least one place');
    await reach(first);
    const others = target.connections.length - 1;
    const notes = others === 0 ? [] : [`Of ${others + 1} servers only the first is examined: ${addressOf(first)}.`];
    return {
      server: seen(first),
      examined: { server: addressOf(first), workload },
      notes: [...target.notes, ...notes],
    };
  }
  const { store } = line.output;
  const servers = await listPrivateServers(store === '' ? undefined : store);
  const running = servers.find(({ file, state }) => file.name === line.target.server && state === 'running');
  if (running === undefined) {
    const is = 'No server is named, and no private one runs.';
    return {
      server: unseenBecause(is),
      examined: { server: null, workload },
      notes: [`${is} This machine is examined.`],
    };
  }
  const connection = connectionTo(running.file.socketPath, target.database);
  const note = `No server is named: the private server '${running.file.name}' is examined, and this machine.`;
  return { server: seen(connection), examined: { server: running.file.socketPath, workload }, notes: [note] };
}

/** ER_BAD_DB_ERROR: the examination itself says so. */
const UNKNOWN_DATABASE = 1049;

async function reach(target: ConnectOptions): Promise<void> {
  try {
    await using connection = await connect(target);
    void connection;
  } catch (error) {
    if (error instanceof ServerError && error.code === UNKNOWN_DATABASE) return;
    throw explainConnectError(error, target);
  }
}

async function lookAtAll(
  { options, load, output }: DoctorLine,
  server: Seen<ConnectOptions>,
  { terminal, interrupts }: Session,
): Promise<Collected> {
  await using hosts = await openHosts({
    ...(server.is === 'seen' ? { server: server.value } : {}),
    ...(options.host_ssh === '' ? {} : { ssh: options.host_ssh }),
    ...(options.host_metrics === '' ? {} : { metricsUrl: options.host_metrics }),
    // Where a private server would have its data.
    directory: existing(storeDirectory(output.store === '' ? undefined : output.store)),
    processId: process.pid,
  });
  if (!terminal.wantsJson)
    terminal.warn(`Watching for ${formatDuration(options.seconds)} what is going on without load...`);
  const questions = load === undefined ? undefined : questionsOf(load);
  return collect({
    server,
    serverHost: hosts.server,
    clientHost: hosts.client,
    isHere: hosts.isHere,
    ...(questions === undefined ? {} : { questions }),
    idleS: options.seconds,
    limitS: options.seconds + PATIENCE_S,
    signal: interrupts.signal,
  });
}

/** The directory, or the nearest above it. */
function existing(directory: string): string {
  return existsSync(directory) ? directory : existing(dirname(directory));
}

/** Whoever asked for an examination waits for a slow server. */
const PATIENCE_S = 10;

function questionsOf(load: NonNullable<DoctorLine['load']>) {
  const { threads, preparedStatements } = planOf(load);
  return { workload: load.found.workload, options: load.workload, threads, preparedStatements };
}

function planFactsOf({ load, options }: DoctorLine, dry: DryRun | undefined): PlanFacts | undefined {
  if (load === undefined) return undefined;
  const { disk_iops: iops, disk_type: type } = options;
  const disk = { ...(iops === 0 ? {} : { iops }), ...(type === 'unknown' ? {} : { type }) };
  return planFacts(planOf(load), load.found.workload, load.workload, {
    ...(dry === undefined ? {} : { dryRun: dry }),
    disk,
  });
}

async function dryRunOf(
  { load, options }: DoctorLine,
  server: Seen<ConnectOptions>,
  { terminal, interrupts }: Session,
): Promise<DryRun | undefined> {
  if (!options.dry_run) return undefined;
  if (load === undefined) {
    throw new ProblemsError([{ is: '--dry-run: no workload is named.', remedy: 'sqldyno doctor WORKLOAD --dry-run' }]);
  }
  const { found } = load;
  const plan = planOf(load);
  if (found.workload.rounds !== undefined || plan.sequence.length > 0) {
    const remedy = 'Leave it out: its run begins with making the data.';
    throw new ProblemsError([{ is: `--dry-run: ${found.name} cannot be run for a moment.`, remedy }]);
  }
  if (server.is === 'unseen')
    throw new ProblemsError([{ is: `--dry-run: ${server.because}`, remedy: 'Name a server.' }]);
  terminal.warn('Running it for a second...');
  return dryRun({ ...plan, targets: [server.value] }, interrupts.signal);
}
