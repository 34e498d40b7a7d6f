/** `sqldyno doctor`: looks at client, server and load before anything is measured, and says what would spoil it. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { nowMs } from '../../base/clock.ts';
import { ExitCode } from '../../base/errors.ts';
import { formatDuration } from '../../base/units.ts';
import { collect } from '../../doctor/collect.ts';
import { type Collected, type DryRun, type PlanFacts, type Seen, seen, unseenBecause } from '../../doctor/collected.ts';
import { fixesOf, preflightChecks } from '../../doctor/examine.ts';
import { openHosts } from '../../doctor/hosts.ts';
import { planFacts } from '../../doctor/plan-facts.ts';
import { dryRun } from '../../lab/dry-run.ts';
import { listPrivateServers } from '../../lab/server.ts';
import { withStart } from '../../lab/started-with.ts';
import { CHECKUP_FORMAT, type Checkup } from '../../model/checkup.ts';
import { storeDirectory } from '../../store/location.ts';
import { openStore } from '../../store/store.ts';
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
import { programVersion } from '../version.ts';
import type { LineWorld } from '../workload-line.ts';

export async function doctorCommand(args: readonly string[], session: Session, world: LineWorld): Promise<ExitCode> {
  const { terminal } = session;
  const line = await readDoctorLine(args, world);
  if (line.wantsHelp) {
    terminal.say(doctorHelp(terminal.columns));
    return ExitCode.done;
  }
  const { wantsJson } = terminal;
  const onNote = (note: string) => terminal.warn(note);
  // Words on what is going on are for whoever waits at a terminal.
  const onWait = (words: string) => (wantsJson ? undefined : terminal.warn(words));
  const checkup = await checkupOf(line, { onNote, onWait, signal: session.interrupts.signal });
  for (const text of doctorLines(checkup.checks, checkup.tookS)) terminal.say(text);
  if (line.options.fix) for (const text of fixLines(checkup.fixes)) terminal.say(text);
  terminal.json(jsonText(checkup));
  return checkup.counts.block > 0 ? ExitCode.checkFailed : ExitCode.done;
}

export interface CheckupView {
  onNote(line: string): void;
  /** What takes a while is about to begin. */
  onWait(line: string): void;
  readonly signal: AbortSignal;
}

export async function checkupOf(line: DoctorLine, view: CheckupView): Promise<Checkup> {
  const target = await targetOf(line);
  for (const note of [...line.notes, ...target.notes]) view.onNote(`Note: ${note}`);
  const dry = await dryRunOf(line, target.server, view);
  const plan = planFactsOf(line, dry);
  const collected = await lookAtAll(line, target.server, view);
  const checks = await preflightChecks(collected, plan, line.options.accept);
  return {
    format: CHECKUP_FORMAT,
    sqldyno: { version: programVersion() },
    examined: target.examined,
    tookS: collected.tookS,
    counts: countsOf(checks),
    checks,
    fixes: fixesOf(checks),
  };
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
  { onWait, signal }: CheckupView,
): Promise<Collected> {
  await using hosts = await openHosts({
    ...(server.is === 'seen' ? { server: server.value } : {}),
    ...(options.host_ssh === '' ? {} : { ssh: options.host_ssh }),
    ...(options.host_metrics === '' ? {} : { metricsUrl: options.host_metrics }),
    // Where a private server would have its data.
    directory: existing(storeDirectory(output.store === '' ? undefined : output.store)),
    processId: process.pid,
  });
  onWait(`Watching for ${formatDuration(options.seconds)} what is going on without load...`);
  const questions = load === undefined ? undefined : questionsOf(load);
  const collected = await collect({
    server,
    serverHost: hosts.server,
    clientHost: hosts.client,
    isHere: hosts.isHere,
    ...(questions === undefined ? {} : { questions }),
    idleS: options.seconds,
    limitS: options.seconds + PATIENCE_S,
    signal,
  });
  if (server.is === 'unseen') return collected;
  const runs = openStore(output.store === '' ? undefined : output.store);
  return withStart(collected, runs, { address: addressOf(server.value), nowMs: nowMs() });
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
  { onNote, signal }: CheckupView,
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
  onNote('Running it for a second...');
  return dryRun({ ...plan, targets: [server.value] }, signal);
}
