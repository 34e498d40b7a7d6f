/** `sqldyno diagnose`: what set the pace of a run; with --probe, the experiment that convicts or acquits a verdict. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatDuration, formatRate } from '../../base/units.ts';
import type { Knob } from '../../lab/knob.ts';
import { lookAtCase } from '../../lab/knob-case.ts';
import { chooseKnob } from '../../lab/knob-catalog.ts';
import type { ChangedServer } from '../../lab/knob-journal.ts';
import { identityOfServer, withServer } from '../../lab/knob-settings.ts';
import { diagnosisOf, type VerdictToTry, verdictToTry } from '../../lab/knob-verdict.ts';
import { PROBE_TAG, type ProbeRequest, type ProbeView, runProbe } from '../../lab/probe-experiment.ts';
import { pacingNotes, planOfRecord, workloadOfRecord } from '../../lab/probe-plan.ts';
import { findServerAgain } from '../../lab/server-again.ts';
import type { Diagnosis } from '../../model/judgement.ts';
import type { ProbeResult } from '../../model/probe-result.ts';
import type { RunRecord } from '../../model/run.ts';
import { probeResultInShort, probeResultLines } from '../../report/probe-text.ts';
import { diagnosisLines, gradeLines } from '../../report/sections/diagnosis.ts';
import { probeResultsOf, saveProbeResult } from '../../store/probe-results.ts';
import { openStore, type Store } from '../../store/store.ts';
import { explainConnectError } from '../connect-errors.ts';
import { type DiagnoseLine, diagnoseHelp, readDiagnoseLine } from '../diagnose-line.ts';
import { tellLeftovers } from '../leftovers-text.ts';
import { openMaintenanceView } from '../maintenance-view.ts';
import { lookAtAll, type OpenTarget, openTarget } from '../open-target.ts';
import { stopCommand } from '../private-target.ts';
import { targetText } from '../run-header.ts';
import { openRunView } from '../run-view.ts';
import type { Session } from '../session.ts';
import { jsonText, type Terminal } from '../terminal.ts';
import { programVersion } from '../version.ts';

export async function diagnoseCommand(
  args: readonly string[],
  storeDirectory: string | undefined,
  session: Session,
): Promise<ExitCode> {
  const line = readDiagnoseLine(args);
  const { terminal } = session;
  if (line.wantsHelp) {
    terminal.say(diagnoseHelp(terminal.columns));
    return ExitCode.done;
  }
  for (const note of line.notes) terminal.warn(`Note: ${note}`);
  const named = line.namesServer ? await openNamed(line, { storeDirectory, session }) : undefined;
  const leftovers = await tellLeftovers(storeDirectory, terminal, await reachableOf(named));
  const record = await load(line, openStore(storeDirectory));
  ensureOwn(record);
  const diagnosis = await diagnosisOf(record);
  const tried = await probeResultsOf(storeDirectory, record.id);
  for (const text of reportLines(record, diagnosis, tried)) terminal.say(text);
  const world = { record, diagnosis, line, named, storeDirectory, session };
  const probe = line.options.probe ? await tryVerdict(world) : undefined;
  terminal.json(jsonText({ run: record.id, diagnosis, tried, leftovers, ...(probe === undefined ? {} : { probe }) }));
  return ExitCode.done;
}

function ensureOwn({ id, imported }: RunRecord): void {
  if (imported === undefined) return;
  throw new UserError(
    `The run ${id} was measured by ${imported.tool}: nothing of it was watched that could be diagnosed.`,
    {
      hint: 'Its figures can be held against each other: sqldyno audit FILE. Or do the same with sqldyno.',
    },
  );
}

/** The newest that is none of an experiment's, where none is named. */
async function load({ run }: DiagnoseLine, store: Store): Promise<RunRecord> {
  if (run !== undefined) return store.load(run);
  const { runs } = await store.list();
  const newest = runs.findLast(({ tags }) => !tags.includes(PROBE_TAG));
  return store.load(newest?.id ?? 'latest');
}

function reportLines(record: RunRecord, diagnosis: Diagnosis, tried: readonly ProbeResult[]): string[] {
  const { id, workload, load, target, rates, observation } = record;
  const threads = `${load.threads} ${load.threads === 1 ? 'thread' : 'threads'}`;
  return [
    `Run ${id}: ${workload.name}, ${threads}, ${formatRate(rates.transactionsPerS)}, ${target.flavor} ${target.version}`,
    ...(observation === undefined ? ['Nothing was watched beside this load: little can be said of it.'] : []),
    '',
    ...diagnosisLines({ ...record, diagnosis }),
    ...tried.flatMap(probeResultInShort),
    ...gradeLines(record),
  ];
}

interface World {
  readonly record: RunRecord;
  readonly diagnosis: Diagnosis;
  readonly line: DiagnoseLine;
  /** The server that the command line names. */
  readonly named: OpenTarget | undefined;
  readonly storeDirectory: string | undefined;
  readonly session: Session;
}

async function openNamed(
  { target, given }: DiagnoseLine,
  { storeDirectory, session: { terminal, interrupts } }: Pick<World, 'storeDirectory' | 'session'>,
): Promise<OpenTarget> {
  const opened = await openTarget(
    { target, given, output: { store: storeDirectory ?? '' } },
    // The database is that of the run, which is not known before what was left behind is put back.
    { signal: interrupts.signal, onNote: (note) => terminal.warn(note), database: { is: 'made' } },
  );
  for (const note of opened.notes) terminal.warn(`Note: ${note}`);
  return opened;
}

async function reachableOf(named: OpenTarget | undefined) {
  const [target] = named?.connections ?? [];
  if (target === undefined) return undefined;
  return { target, identity: await withServer(target, identityOfServer) };
}

/** What cannot be tried is an error that says how it is done by hand. */
async function tryVerdict(world: World): Promise<ProbeResult> {
  const { record, diagnosis, line, storeDirectory, session } = world;
  const { terminal, interrupts, command } = session;
  const verdict = verdictToTry(diagnosis, line.options.verdict);
  const found = await workloadOfRecord(record);
  // Before a server is started for nothing.
  planOfRecord(record, found, { targets: [], timeS: line.options.time });
  const target = await targetOf(world);
  const plan = planOfRecord(record, found, { targets: target.connections, timeS: line.options.time });
  const looked = await lookAtCase({ record, plan, address: target.address, private: target.private }).catch((error) => {
    throw explainConnectError(error, target.connections[0]!);
  });
  const knob = knobFor(verdict, looked.it);
  ensureAllowed(knob, line, target.isPrivate);
  const warmupS = line.given.has('warmup_time') ? line.options.warmup_time : knob.warmupS;
  const { host_ssh: ssh, host_metrics: metricsUrl } = line.options;
  const request: ProbeRequest = {
    record,
    verdict: verdict.id,
    knob,
    plan,
    found,
    server: looked.server,
    ...(storeDirectory === undefined ? {} : { storeDirectory }),
    pairs: line.options.pairs,
    warmupS,
    command,
    isPrivate: target.isPrivate,
    host: { ...(ssh === '' ? {} : { ssh }), ...(metricsUrl === '' ? {} : { metricsUrl }) },
    notes: [...pacingNotes(record), ...addressNotes(record, target), ...sinceNotes(looked.changedSince)],
    version: programVersion(),
  };
  for (const text of announcement(request, target)) terminal.say(text);
  const result = await runProbe(request, viewOf(session), interrupts.signal).catch((error) => {
    throw explainConnectError(error, target.connections[0]!);
  });
  await saveProbeResult(storeDirectory, result).catch((error: Error) => {
    terminal.warn(`Note: what came out could not be saved, and is shown here only: ${error.message}`);
  });
  for (const text of ['', ...probeResultLines(result)]) terminal.say(text);
  return result;
}

interface ProbeTarget extends OpenTarget {
  readonly private?: ChangedServer['private'];
}

async function targetOf({ record, line, named, storeDirectory, session }: World): Promise<ProbeTarget> {
  const { terminal, interrupts } = session;
  if (named !== undefined) {
    const database = line.given.has('mysql_db') ? line.target.mysql_db : record.target.database;
    return { ...named, connections: named.connections.map((each) => ({ ...each, database })) };
  }
  if (!record.target.isPrivate && !line.given.has('server')) {
    const { address, user } = record.target;
    throw new UserError(`The run was on ${address}, as '${user}', and its record holds no password.`, {
      hint: 'Give the target as for the run: --mysql-host, --mysql-user, --ask-password and the like.',
    });
  }
  const again = await findServerAgain({
    record,
    ...(line.given.has('server') ? { name: line.target.server } : {}),
    ...(storeDirectory === undefined ? {} : { storeDirectory }),
    signal: interrupts.signal,
    onNote: (note) => terminal.warn(note),
  });
  const { name } = again.private;
  if (again.isStarted) terminal.warn(`Note: the private server '${name}' stays until: ${stopCommand(name)}`);
  const seen = await lookAtAll([again.connection], false, interrupts.signal);
  return { ...seen, isPrivate: true, notes: [], private: again.private };
}

function knobFor(verdict: VerdictToTry, it: Parameters<typeof chooseKnob>[2]): Knob {
  const choice = chooseKnob(verdict.id, verdict.role, it);
  if (choice.is === 'knob') return choice.knob;
  throw new UserError(`${verdict.id} cannot be tried from here. ${choice.because}`, { hint: `By hand: ${choice.how}` });
}

function ensureAllowed({ turn, b }: Knob, { options }: DiagnoseLine, isPrivate: boolean): void {
  if (turn.is !== 'settings' || isPrivate || options.allow_settings) return;
  throw new UserError(`The experiment changes global variables of a server that others may use: ${b}.`, {
    hint: 'Add --allow-settings where that may be, for a minute or two; they are put back afterwards.',
  });
}

function addressNotes({ target }: RunRecord, { address }: ProbeTarget): string[] {
  return target.address === address ? [] : [`The run was on ${target.address}; the experiment is on ${address}.`];
}

const CHANGES_SHOWN_MAX = 5;

function sinceNotes(changes: readonly string[]): string[] {
  if (changes.length === 0) return [];
  const shown = changes.slice(0, CHANGES_SHOWN_MAX).join('; ');
  const others = changes.length > CHANGES_SHOWN_MAX ? `; and ${changes.length - CHANGES_SHOWN_MAX} more` : '';
  return [`The server is set otherwise than in the run: ${shown}${others}.`];
}

function announcement({ verdict, knob, plan, pairs, warmupS }: ProbeRequest, target: ProbeTarget): string[] {
  const { timeS } = plan;
  const all = formatDuration(pairs * 2 * (timeS + warmupS));
  const each = `${formatDuration(timeS)}${warmupS > 0 ? ` after ${formatDuration(warmupS)} of warm-up` : ''}`;
  return [
    '',
    `Trying ${verdict} on ${targetText(target)}:`,
    `${pairs} pairs of runs of ${each} each, about ${all} in all. Ctrl-C stops it, and puts everything back.`,
    ...knob.notes.map((note) => `Note: ${note}`),
  ];
}

function viewOf({ terminal, interrupts }: Session): ProbeView {
  return {
    openMaintenance: () => openMaintenanceView(terminal),
    onStep: (text) => terminal.say(text),
    openRun: (plan) => openRunView(terminal, { plan, reportIntervalS: 0, atOnce: interrupts.atOnce }),
    onRun: (side, { run, transactionsPerS }) => sayRun(terminal, `${side}: ${formatRate(transactionsPerS)} (${run})`),
    onNote: (text) => terminal.warn(text),
  };
}

function sayRun(terminal: Terminal, text: string): void {
  terminal.say(`  ${text}`);
}
